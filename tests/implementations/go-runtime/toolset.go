package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

type tool struct {
	Name, Alias, Desc, Endpoint string
	Schema                      any
	Raw                         json.RawMessage
	Destructive                 bool
}
type session struct {
	byAlias map[string]*tool
	order   []*tool
}

var lastGood sync.Map // base URL -> []*tool, in memory only, for sessions that cannot fetch

func fetch(base string) ([]*tool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", strings.TrimRight(base, "/")+"/.well-known/rap-toolset", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := toolClient.Do(req)
	if err != nil {
		return nil, errors.New("discovery endpoint unreachable")
	}
	defer res.Body.Close()
	var d struct {
		Name, Endpoint string
		Tools          []struct {
			Name        string
			Description *string
			InputSchema json.RawMessage
			Annotations struct{ Destructive bool }
		}
	}
	if res.StatusCode != 200 {
		return nil, fmt.Errorf("discovery answered %d", res.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 4<<20)).Decode(&d); err != nil {
		return nil, errors.New("discovery document is not the expected JSON")
	}
	if n := utf8.RuneCountInString(d.Name); n < 1 || n > 128 {
		return nil, errors.New("name of the toolset")
	}
	if u, err := url.Parse(d.Endpoint); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("endpoint is no URL")
	}
	if len(d.Tools) == 0 {
		return nil, errors.New("no tools")
	}
	prefix := regexp.MustCompile(`[^A-Za-z0-9_-]+`).ReplaceAllString(d.Name, "-")
	prefix = prefix[:min(len(prefix), 24)]
	var out []*tool
	seen := map[string]bool{}
	for _, t := range d.Tools {
		n := utf8.RuneCountInString(t.Name)
		special := strings.ContainsFunc(t.Name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
		if n < 1 || n > 128 || special || seen[t.Name] || t.Description == nil {
			return nil, fmt.Errorf("tool %q is not valid", t.Name)
		}
		seen[t.Name] = true
		var schema any
		if json.Unmarshal(t.InputSchema, &schema) != nil {
			return nil, fmt.Errorf("tool %q has no inputSchema", t.Name)
		}
		if _, ok := schema.(map[string]any); !ok || checkSchema(schema) != nil {
			return nil, fmt.Errorf("inputSchema of tool %q is no JSON Schema object", t.Name)
		}
		out = append(out, &tool{t.Name, prefix + "__" + t.Name, *t.Description, d.Endpoint, schema, t.InputSchema, t.Annotations.Destructive})
	}
	return out, nil
}

// load fetches all toolsets for a new session, side by side.
func load(bases []string) (*session, []string) {
	sets, errs := make([][]*tool, len(bases)), make([]error, len(bases))
	var wg sync.WaitGroup
	for i, b := range bases {
		wg.Go(func() { sets[i], errs[i] = fetch(b) })
	}
	wg.Wait()
	s, problems, count := &session{byAlias: map[string]*tool{}}, []string{}, map[string]int{}
	for i, b := range bases {
		if errs[i] == nil {
			lastGood.Store(b, sets[i])
		} else {
			log.Printf("toolset %d: %v", i, errs[i])
			if old, ok := lastGood.Load(b); ok {
				sets[i] = old.([]*tool)
			} else {
				problems = append(problems, fmt.Sprintf("Toolset %d is not available: %v", i+1, errs[i]))
			}
		}
		for _, t := range sets[i] {
			count[t.Name]++
		}
	}
	for _, set := range sets {
		for _, t := range set {
			if count[t.Name] > 1 {
				problems = append(problems, "Two toolsets have a tool named "+t.Name+"; neither is available.")
				log.Print("duplicate tool name ", t.Name)
				continue
			}
			if len(t.Alias) > 64 || s.byAlias[t.Alias] != nil {
				t.Alias = fmt.Sprintf("tool%d__%.48s", len(s.order), t.Name)
			}
			s.byAlias[t.Alias] = t
			s.order = append(s.order, t)
		}
	}
	return s, problems
}

// ---- JSON Schema, the part that tools use ----

var kinds = map[string]bool{"object": true, "array": true, "string": true, "number": true, "integer": true, "boolean": true, "null": true}

func checkSchema(s any) error {
	if _, ok := s.(bool); ok {
		return nil
	}
	m, ok := s.(map[string]any)
	if !ok {
		return errors.New("not a schema")
	}
	for k, v := range m {
		var subs []any
		switch k {
		case "type":
			list, ok := v.([]any)
			if !ok {
				list = []any{v}
			}
			for _, x := range list {
				if n, ok := x.(string); !ok || !kinds[n] {
					return errors.New("type")
				}
			}
		case "properties", "$defs", "patternProperties", "definitions", "dependentSchemas":
			o, ok := v.(map[string]any)
			if !ok {
				return errors.New(k)
			}
			for _, x := range o {
				subs = append(subs, x)
			}
		case "allOf", "anyOf", "oneOf", "prefixItems":
			if subs, ok = v.([]any); !ok || len(subs) == 0 {
				return errors.New(k)
			}
		case "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames":
			subs = []any{v}
		case "items":
			if l, ok := v.([]any); ok {
				subs = l
			} else {
				subs = []any{v}
			}
		case "required":
			l, ok := v.([]any)
			for _, x := range l {
				_, is := x.(string)
				ok = ok && is
			}
			if !ok {
				return errors.New(k)
			}
		case "enum":
			if _, ok := v.([]any); !ok {
				return errors.New(k)
			}
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems":
			if _, ok := v.(float64); !ok && !(strings.HasPrefix(k, "exclusive") && m["$schema"] != nil) {
				return errors.New(k)
			}
		case "pattern", "$ref", "$schema":
			if _, ok := v.(string); !ok {
				return errors.New(k)
			}
		}
		for _, x := range subs {
			if err := checkSchema(x); err != nil {
				return err
			}
		}
	}
	return nil
}

func kindOf(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if x == float64(int64(x)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func same(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

func fits(root, schema, v any, at string, depth int) error {
	if b, ok := schema.(bool); ok {
		if b {
			return nil
		}
		return fmt.Errorf("%s is not allowed", at)
	}
	s, _ := schema.(map[string]any)
	if depth > 64 {
		return errors.New("schema too deep")
	}
	if ref, ok := s["$ref"].(string); ok && strings.HasPrefix(ref, "#") {
		target := root
		for _, p := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
			m, _ := target.(map[string]any)
			target = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(p)]
		}
		if target != nil {
			if err := fits(root, target, v, at, depth+1); err != nil {
				return err
			}
		}
	}
	if want, ok := s["type"]; ok {
		list, isList := want.([]any)
		if !isList {
			list = []any{want}
		}
		k, hit := kindOf(v), false
		for _, x := range list {
			hit = hit || x == k || x == "number" && k == "integer"
		}
		if !hit {
			return fmt.Errorf("%s must be %v", at, want)
		}
	}
	if e, ok := s["enum"].([]any); ok {
		hit := false
		for _, x := range e {
			hit = hit || same(x, v)
		}
		if !hit {
			return fmt.Errorf("%s is none of the allowed values", at)
		}
	}
	if c, ok := s["const"]; ok && !same(c, v) {
		return fmt.Errorf("%s is not the required value", at)
	}
	bound := func(lo, hi string, n float64) error {
		if x, ok := s[lo].(float64); ok && n < x {
			return fmt.Errorf("%s is below %s", at, lo)
		}
		if x, ok := s[hi].(float64); ok && n > x {
			return fmt.Errorf("%s is above %s", at, hi)
		}
		return nil
	}
	var err error
	switch x := v.(type) {
	case float64:
		err = bound("minimum", "maximum", x)
	case string:
		err = bound("minLength", "maxLength", float64(utf8.RuneCountInString(x)))
		if p, ok := s["pattern"].(string); ok && err == nil {
			if re, bad := regexp.Compile(p); bad == nil && !re.MatchString(x) {
				err = fmt.Errorf("%s does not match its pattern", at)
			}
		}
	case []any:
		err = bound("minItems", "maxItems", float64(len(x)))
		if it, ok := s["items"]; ok && err == nil {
			for i, y := range x {
				if err = fits(root, it, y, fmt.Sprintf("%s[%d]", at, i), depth+1); err != nil {
					break
				}
			}
		}
	case map[string]any:
		req, _ := s["required"].([]any)
		for _, r := range req {
			if _, ok := x[r.(string)]; !ok {
				return fmt.Errorf("%s.%s is missing", at, r)
			}
		}
		props, _ := s["properties"].(map[string]any)
		for k, y := range x {
			if p, ok := props[k]; ok {
				err = fits(root, p, y, at+"."+k, depth+1)
			} else if a, ok := s["additionalProperties"]; ok && s["patternProperties"] == nil {
				err = fits(root, a, y, at+"."+k, depth+1)
			}
			if err != nil {
				break
			}
		}
	}
	if err != nil {
		return err
	}
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		if l, ok := s[k].([]any); ok {
			n := 0
			for _, x := range l {
				if fits(root, x, v, at, depth+1) == nil {
					n++
				}
			}
			if k == "allOf" && n < len(l) || n == 0 || k == "oneOf" && n != 1 {
				return fmt.Errorf("%s does not fit %s", at, k)
			}
		}
	}
	return nil
}

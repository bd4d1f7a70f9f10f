//go:build !github

package main

// The items API, behind a provider that is discovered.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

const title, reading = "items-provider", "list_items"

var scopes = map[string]string{"list_items": "items:read", "add_item": "items:write"}

func configured(need func(string) string, redirects [2]string) *provider {
	return newProvider(need("OAUTH_ISSUER"), need("OAUTH_CLIENT_ID"), need("OAUTH_CLIENT_SECRET"), need("API_URL"), redirects)
}

func tools(limit string, ann func(bool) map[string]any) []any {
	return []any{
		map[string]any{"name": "add_item", "description": "Adds an item." + limit, "annotations": ann(false), "inputSchema": map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"title"},
			"properties": map[string]any{"title": map[string]any{"type": "string", "minLength": 1, "maxLength": 500}}}},
		map[string]any{"name": "list_items", "description": "Lists the items." + limit, "annotations": ann(true), "inputSchema": map[string]any{
			"type": "object", "additionalProperties": false,
			"properties": map[string]any{"limit": map[string]any{"type": "integer", "minimum": 1, "maximum": 1000}}}},
	}
}

func (p *provider) discover() (*metadata, error) {
	p.mu.Lock()
	if p.md != nil && time.Since(p.mdAt) < 10*time.Minute {
		defer p.mu.Unlock()
		return p.md, nil
	}
	p.mu.Unlock()
	md, err := await(7*time.Second, func(ctx context.Context) (*metadata, error) {
		u, err := url.Parse(p.issuer)
		if err != nil {
			return nil, err
		}
		where := u.Scheme + "://" + u.Host + "/.well-known/oauth-authorization-server" + strings.TrimRight(u.EscapedPath(), "/")
		req, err := http.NewRequestWithContext(ctx, "GET", where, nil)
		if err != nil {
			return nil, err
		}
		res, err := p.hc.Do(req)
		if err != nil {
			return nil, err
		}
		defer res.Body.Close()
		var m metadata
		if res.StatusCode != 200 {
			return nil, fmt.Errorf("status %d", res.StatusCode)
		}
		return &m, json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&m)
	})
	if err != nil {
		return nil, userError("Error: the authorization provider's configuration cannot be read at the moment. Try again in a minute.")
	}
	if md.Issuer != p.issuer {
		return nil, userError("Error: the authorization provider describes itself as somebody else; its operator has to mend that.")
	}
	if !https(md.AuthURL) || !https(md.TokenURL) {
		return nil, userError("Error: the authorization provider offers an address without HTTPS, which is not safe to visit. Its operator has to mend that.")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conf == nil || p.conf.Endpoint.TokenURL != md.TokenURL || p.conf.Endpoint.AuthURL != md.AuthURL {
		p.conf = &oauth2.Config{ClientID: p.id, ClientSecret: p.secret, Endpoint: oauth2.Endpoint{
			AuthURL: md.AuthURL, TokenURL: md.TokenURL, AuthStyle: oauth2.AuthStyleAutoDetect}}
	}
	p.md, p.mdAt = md, time.Now()
	return md, nil
}

func https(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

type item struct {
	ID    any    `json:"id"`
	Title string `json:"title"`
}

// perform does the operation: always two API requests, the account first.
func (p *provider) perform(op string, args map[string]any, t *token) ([]string, error) {
	var who struct {
		Name string `json:"name"`
	}
	if err := p.api1(t, "GET", cmp.Or(os.Getenv("ACCOUNT_PATH"), "/account"), nil, 200, &who); err != nil {
		return nil, err
	}
	var out any
	var head string
	if op == "add_item" {
		var made item
		if err := p.api1(t, "POST", "/items", map[string]any{"title": args["title"]}, 201, &made); err != nil {
			return nil, err
		}
		head, out = "Item added.", made
	} else {
		var got struct {
			Items []item `json:"items"`
		}
		if err := p.api1(t, "GET", "/items", nil, 200, &got); err != nil {
			return nil, err
		}
		if got.Items == nil {
			return nil, userError("Error: the API gave an answer that could not be understood.")
		}
		if n, ok := args["limit"].(float64); ok && int(n) < len(got.Items) {
			got.Items = got.Items[:int(n)]
		}
		head, out = fmt.Sprintf("%d item(s) found.", len(got.Items)), got
	}
	b, _ := json.Marshal(out)
	for _, s := range []string{t.Access, t.Refresh} { // an API that echoes what it was sent
		if s != "" && (strings.Contains(string(b), s) || strings.Contains(fmt.Sprint(out), s)) {
			return nil, userError("Error: the API gave an answer that is not safe to hand on.")
		}
	}
	return []string{head, string(b)}, nil
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var (
	bases      []string
	timeout    time.Duration
	toolClient = &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	modelURL   = strings.TrimRight(os.Getenv("MODEL_URL"), "/") + "/chat/completions"
)

const reserved, cancelTool = "receive_event__injected", "cancel_subscription"

// ---- one thread, one message at a time ----

type item struct {
	f     func() bool // returns whether the model is to be asked
	batch bool        // the model may be asked after the next one
}

func (t *Thread) post(i item) {
	t.qmu.Lock()
	defer t.qmu.Unlock()
	t.q = append(t.q, i)
	if !t.running {
		t.running = true
		go t.work()
	}
}

func (t *Thread) work() {
	owed := false
	for {
		t.qmu.Lock()
		if len(t.q) == 0 || owed && !t.q[0].batch {
			if !owed {
				t.running = false
				t.qmu.Unlock()
				return
			}
			t.qmu.Unlock()
			owed = false
			t.turn()
			continue
		}
		i := t.q[0]
		t.q = t.q[1:]
		t.qmu.Unlock()
		owed = i.f() || owed
	}
}

func (t *Thread) tools() *session {
	st.mu.Lock()
	c := st.convs[t.Conv]
	st.mu.Unlock()
	c.smu.Lock()
	defer c.smu.Unlock()
	if c.tools == nil {
		var problems []string
		c.tools, problems = load(bases)
		for _, p := range problems {
			surface(t, "notice", mdText(p))
		}
	}
	return c.tools
}

func (t *Thread) turn() {
	tools := t.tools()
	for range 8 {
		text, calls, err := ask(t.render(), tools)
		if err != nil {
			log.Printf("model: %v (thread %s)", err, t.GID)
			surface(t, "notice", "The model could not be asked; what you said is kept.")
			return
		}
		if text != "" || len(calls) == 0 {
			st.commit(Rec{T: "hist", G: t.GID, E: &Entry{K: "assistant", Text: text}})
			if text != "" {
				surface(t, "markdown", text)
			}
		}
		again := false
		for _, c := range calls {
			again = t.want(c, tools) || again
		}
		if !again {
			return
		}
	}
}

// want deals with a tool call of the model; true if its result is there at once.
func (t *Thread) want(w wanted, tools *session) bool {
	now := func(text string) bool {
		st.commit(Rec{T: "hist", G: t.GID, E: &Entry{K: "result", Mid: w.id, Alias: w.name, Args: w.args, Text: text}})
		return true
	}
	var args any
	bad := json.Unmarshal(w.args, &args) != nil
	obj, isObj := args.(map[string]any)
	if bad || !isObj {
		w.args = json.RawMessage("{}")
		return now("Error: the arguments are no JSON object.")
	}
	if w.name == reserved {
		return now("Error: " + reserved + " is injected by the runtime when an event arrives; it cannot be called.")
	}
	if w.name == cancelTool {
		id, _ := obj["tool_call_id"].(string)
		st.mu.Lock()
		real := ""
		for k, c := range t.Subs {
			if k == id || c.Mid == id {
				real = k
			}
		}
		st.mu.Unlock()
		if real == "" {
			return now("Error: this conversation has no active subscription with that tool_call_id.")
		}
		notify("cancel_tool_call", map[string]string{"thread_id": t.GID, "tool_call_id": real})
		st.commit(Rec{T: "unsub", G: t.GID, ID: real})
		return now("Subscription '" + id + "' cancelled successfully.")
	}
	tl := tools.byAlias[w.name]
	if tl == nil {
		return now("Error: there is no tool of that name.")
	}
	if err := fits(tl.Schema, tl.Schema, args, "arguments", 0); err != nil {
		return now("Error: " + err.Error())
	}
	c := &Call{ID: ulid(), Mid: w.id, Alias: w.name, Op: tl.Name, Args: w.args, Endpoint: tl.Endpoint, Deadline: time.Now().Add(timeout), State: "open"}
	if tl.Destructive || os.Getenv("CONSENT") != "standing" {
		c.State = "consent"
		c.Choice = &Choice{"Allow " + tl.Name + " " + string(w.args) + "?", []string{"No", "Yes"}, 0, ""}
	}
	st.commit(Rec{T: "call", G: t.GID, C: c})
	t.clock(c)
	if c.Choice != nil {
		surface(t, "markdown", choiceText(c))
	} else {
		go t.dispatch(c)
	}
	return false
}

func (t *Thread) clock(c *Call) {
	time.AfterFunc(time.Until(c.Deadline), func() {
		t.post(item{f: func() bool {
			if st.pending(t, c.ID) == nil {
				return false
			}
			notify("cancel_tool_call", map[string]string{"thread_id": t.GID, "tool_call_id": c.ID})
			t.done(c, "timeout", fmt.Sprintf("Error: no result within %s; the runtime has given up on this call.", timeout))
			return true
		}})
	})
}

func (t *Thread) done(c *Call, how, text string) {
	e := &Entry{K: "result", Call: c.ID, Mid: c.Mid, Alias: c.Alias, Args: c.Args, Text: text}
	st.mu.Lock()
	file := c.linkFile
	c.linkFile = ""
	st.mu.Unlock()
	forget(file)
	if how == "cancelled" && bad("cancel-in-memory") { // VIOLATION: the interruption is not written down
		st.mu.Lock()
		st.apply(Rec{T: "done", G: t.GID, ID: c.ID, S: how, E: e})
		st.mu.Unlock()
	} else {
		st.commit(Rec{T: "done", G: t.GID, ID: c.ID, S: how, E: e})
	}
	log.Printf("call %s of %s: %s", c.ID, c.Op, how)
}

func (t *Thread) cancelAll(how, text string) {
	var list []*Call
	st.mu.Lock()
	for _, c := range t.Calls {
		if c.State != "done" {
			list = append(list, c)
		}
	}
	st.mu.Unlock()
	for _, c := range list {
		t.done(c, how, text)
		notify("cancel_tool_call", map[string]string{"thread_id": t.GID, "tool_call_id": c.ID})
	}
}

// notify tells all tool servers, side by side, once, and waits for nobody.
func notify(path string, what map[string]string) {
	body, _ := json.Marshal(what)
	for _, b := range bases {
		go func() {
			res, err := toolClient.Post(strings.TrimRight(b, "/")+"/"+path, "application/json", bytes.NewReader(body))
			if err == nil {
				res.Body.Close()
			}
			if (err != nil || res.StatusCode != 200) && bad("notification-retried") { // VIOLATION: notifications go through the retrying client
				time.Sleep(300 * time.Millisecond)
				if res, err := toolClient.Post(strings.TrimRight(b, "/")+"/"+path, "application/json", bytes.NewReader(body)); err == nil {
					res.Body.Close()
				}
			}
		}()
	}
}

func (t *Thread) dispatch(c *Call) {
	why, wait := "", 250*time.Millisecond
	for n := 1; n <= 5; n++ {
		select {
		case <-c.stop: // the tool has it already, or nobody wants it any more
			return
		default:
		}
		body, _ := json.Marshal(map[string]any{"operation": c.Op, "arguments": c.Args, "id": c.ID, "call_id": c.Mid, "user_id": t.User,
			"callback_url": strings.TrimRight(os.Getenv("PUBLIC_URL"), "/") + "/in?via=%7Erap+go&k=" + st.secret, "group_id": t.GID, "thread_ancestors": t.Anc, "x-attempt": n})
		req, _ := http.NewRequest("POST", c.Endpoint, io.NopCloser(bytes.NewReader(body))) // chunked
		req.Header.Set("Content-Type", "application/json; charset=UTF-8")
		status, res, err := 0, (*http.Response)(nil), error(nil)
		if res, err = toolClient.Do(req); err == nil {
			status = res.StatusCode
			res.Body.Close()
		}
		log.Printf("invocation %s of %s: attempt %d, status %d", c.ID, c.Op, n, status)
		if status == 200 {
			t.post(item{f: func() bool { st.commit(Rec{T: "ack", G: t.GID, ID: c.ID}); return false }})
			return
		}
		why = fmt.Sprintf("its server answered %d", status)
		again := status == 0 || status >= 500
		if status == 0 {
			why = "its server could not be reached"
		}
		if bad("retries-429") && (status == 429 || status == 408) { // VIOLATION: two of the 4xx count as transient
			again = true
		}
		if !again {
			break
		}
		if n < 5 {
			select {
			case <-c.stop:
				return
			case <-time.After(wait):
				wait *= 2
			}
		}
	}
	t.post(item{f: func() bool {
		if st.pending(t, c.ID) == nil || c.State == "auth" || c.Choice != nil {
			return false
		}
		t.done(c, "undeliverable", "Error: the tool was not reached, "+why+".")
		return true
	}})
}

// handle takes a valid callback, in its turn. A reason means that it was discarded.
func (t *Thread) handle(m map[string]any, in inbound) (turn bool, why string) {
	str := func(k string) string { s, _ := m[k].(string); return s }
	yes := func(k string) bool { b, _ := m[k].(bool); return b }
	switch m["type"] {
	case "view_update":
		var raw struct{ Content json.RawMessage }
		json.Unmarshal(in.body, &raw)
		var b bytes.Buffer
		json.Compact(&b, raw.Content)
		st.commit(Rec{T: "view", G: t.GID, S: str("view_type"), Raw: b.Bytes()})
		surface(t, "view", str("view_type")+"\n"+b.String())
		return false, ""
	case "subscription_event":
		st.mu.Lock()
		c := t.Subs[str("tool_call_id")]
		st.mu.Unlock()
		if c == nil {
			return false, "no active subscription"
		}
		args, _ := json.Marshal(map[string]any{"original_tool_name": c.Alias, "original_tool_call_id": c.ID, "original_args": c.Args})
		e := &Entry{K: "event", Mid: ulid(), Alias: reserved, Args: args, Text: str("text")}
		if yes("final") {
			st.commit(Rec{T: "unsub", G: t.GID, ID: c.ID})
		}
		if yes("associative") {
			st.commit(Rec{T: "hist", G: t.GID, E: e})
			return true, ""
		}
		var hist []Entry // a child has what has been said; what is under way stays here
		for _, x := range t.Hist {
			if x.K != "started" && x.K != "auth" {
				hist = append(hist, x)
			}
		}
		g := ulid()
		st.commit(Rec{T: "thread", G: g, Conv: t.Conv, User: t.User, Anc: append(append([]string{}, t.Anc...), t.GID), Hist: append(hist, *e)})
		st.threadOf(g).post(item{f: func() bool { return true }})
		return false, ""
	}
	c := st.pending(t, str("id"))
	if c == nil && (bad("oauth-after-cancel") && m["type"] == "oauth" || bad("duplicates-race") && m["type"] == "tool_result") {
		st.mu.Lock()
		c = t.Calls[str("id")]
		if c != nil && m["type"] == "oauth" && c.how != "cancelled" && c.how != "timeout" { // VIOLATION: only results look at how a call ended
			c = nil
		}
		st.mu.Unlock()
	}
	if c == nil || c.State == "consent" {
		return false, "no pending call"
	}
	if m["call_id"] != nil && str("call_id") != c.Mid {
		return false, "call_id is not that of the call"
	}
	switch m["type"] {
	case "oauth":
		u := str("auth_url")
		if _, ok := safeURL(u); !ok {
			surface(t, "notice", mdText(c.Op)+" asked for an authorization at an address that is not safe to visit; it is not shown.")
			if bad("refused-url-logged") { // VIOLATION: the error path logs the address, parameters and all
				return false, fmt.Sprintf("unsafe auth_url %q", u)
			}
			return false, "unsafe auth_url"
		}
		if c.Hash == hash(u) && c.link == u { // c is pending here, but for VIOLATION=oauth-after-cancel
			forget(in.file)
			return false, "" // a duplicate
		}
		if c.Hash != hash(u) && c.State != "done" {
			st.commit(Rec{T: "auth", G: t.GID, ID: c.ID, S: hash(u)})
		}
		st.mu.Lock()
		old := c.linkFile
		c.link, c.linkFile = u, in.file
		st.mu.Unlock()
		forget(old)
		if surface(t, "markdown", linkText(c)) > 0 {
			st.mu.Lock()
			c.linkFile = ""
			st.mu.Unlock()
			forget(in.file)
		}
	case "user_choice":
		ch := &Choice{Prompt: str("prompt"), URL: str("response_url")}
		for _, x := range m["choices"].([]any) {
			ch.Choices = append(ch.Choices, x.(string))
		}
		ch.Default, _ = m["default"].(json.Number).Int64()
		st.commit(Rec{T: "choice", G: t.GID, ID: c.ID, Ch: ch})
		surface(t, "markdown", choiceText(c))
	case "tool_result":
		text := str("text")
		l, has := m["content"].([]any)
		if bad("text-before-content") && m["text"] != nil { // VIOLATION: content is looked at only where there is no text
			has = false
		}
		if has {
			var parts []string
			for _, x := range l {
				o := x.(map[string]any)
				if s, ok := o["text"].(string); ok && o["type"] == "text" {
					parts = append(parts, s)
				} else {
					parts = append(parts, fmt.Sprintf("[image, %v, not shown to this model]", o["mediaType"]))
				}
			}
			text = strings.Join(parts, "\n")
		}
		if yes("subscription") && len(t.Subs) < 64 {
			st.commit(Rec{T: "sub", G: t.GID, ID: c.ID})
		}
		t.done(c, "completed", text)
		shown := text
		d, _ := m["display_as"].([]any)
		for _, x := range d {
			o, _ := x.(map[string]any)
			if s, ok := o["content"].(string); ok && o["type"] == "text" {
				shown = s
				break
			}
			if df, ok := o["content"].(map[string]any); ok && o["type"] == "diff" {
				shown = fmt.Sprintf("```diff\n%v\n```", df["patch"])
				break
			}
		}
		surface(t, "result", shown)
		return true, ""
	}
	return false, ""
}

func (s *Store) threadOf(g string) *Thread { s.mu.Lock(); defer s.mu.Unlock(); return s.threads[g] }

// pick is the user's answer to a question: of a tool (user_choice), or of the runtime (consent). null dismisses.
func pick(w http.ResponseWriter, r *http.Request) {
	var b struct {
		From, Call string
		Pick       *int64
	}
	if json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&b) != nil {
		http.Error(w, "what?", 422)
		return
	}
	if _, _, err := conversation(r.PathValue("conv"), b.From); err != nil {
		http.Error(w, err.Error(), 403)
		return
	}
	for _, t := range threadsOf(r.PathValue("conv")) {
		if st.pending(t, b.Call) == nil {
			continue
		}
		t.post(item{f: func() bool {
			c := st.pending(t, b.Call)
			if c == nil || c.Choice == nil {
				return false
			}
			ch := c.Choice
			n := ch.Default
			if b.Pick != nil && *b.Pick >= 0 && *b.Pick < int64(len(ch.Choices)) {
				n = *b.Pick
			}
			if c.State == "consent" {
				if n == 0 {
					t.done(c, "refused", "Error: the user did not allow this call.")
					return true
				}
				st.commit(Rec{T: "consented", G: t.GID, ID: c.ID})
				st.mu.Lock()
				c.Choice = nil
				st.mu.Unlock()
				go t.dispatch(c)
				return false
			}
			st.commit(Rec{T: "choice", G: t.GID, ID: c.ID})
			body, _ := json.Marshal(map[string]any{"id": c.ID, "selected": n})
			go func() {
				res, err := toolClient.Post(ch.URL, "application/json", bytes.NewReader(body))
				if err == nil {
					res.Body.Close()
				}
				if err != nil || res.StatusCode >= 500 { // ask again
					t.post(item{f: func() bool {
						if st.pending(t, c.ID) != nil && c.Choice == nil {
							st.commit(Rec{T: "choice", G: t.GID, ID: c.ID, Ch: ch})
							surface(t, "markdown", choiceText(c))
						}
						return false
					}})
				}
			}()
			return false
		}})
		w.WriteHeader(202)
		return
	}
	http.Error(w, "no such question", 404)
}

// ---- the model: chat completions, streaming ----

type wanted struct {
	id, name string
	args     json.RawMessage
}
type obj = map[string]any

// render: a call appears with its result, when it has one; until then notes say where it stands.
func (t *Thread) render() []obj {
	st.mu.Lock()
	defer st.mu.Unlock()
	out := []obj{{"role": "system", "content": "You help the user with tools. Tools answer later than you ask: notes tell which calls are under way. Never repeat a call that is."}}
	for _, e := range t.Hist {
		c := t.Calls[e.Call]
		switch e.K {
		case "user", "assistant":
			if e.Text != "" {
				out = append(out, obj{"role": e.K, "content": e.Text})
			}
		case "started":
			if c != nil && c.State != "done" {
				out = append(out, obj{"role": "system", "content": fmt.Sprintf("Your call %s of %s %s is under way; its result will be given later.", c.Mid, c.Alias, c.Args)})
			}
		case "auth":
			if c != nil && c.State == "auth" {
				out = append(out, obj{"role": "system", "content": fmt.Sprintf("Authorization is in progress for call %s of %s: the user has been shown where to sign in. The call continues by itself afterwards.", c.Mid, c.Alias)})
			}
		case "result", "event":
			out = append(out, obj{"role": "assistant", "content": nil, "tool_calls": []obj{{"id": e.Mid, "type": "function", "function": obj{"name": e.Alias, "arguments": string(e.Args)}}}},
				obj{"role": "tool", "tool_call_id": e.Mid, "content": e.Text})
		}
	}
	return out
}

func ask(messages []obj, s *session) (text string, calls []wanted, err error) {
	var tools []obj
	for _, t := range s.order {
		tools = append(tools, obj{"type": "function", "function": obj{"name": t.Alias, "description": t.Desc, "parameters": t.Raw}})
	}
	tools = append(tools, obj{"type": "function", "function": obj{"name": cancelTool, "description": "Cancels a subscription of this conversation.",
		"parameters": obj{"type": "object", "properties": obj{"tool_call_id": obj{"type": "string"}}, "required": []string{"tool_call_id"}}}})
	body, err := json.Marshal(obj{"model": os.Getenv("MODEL"), "stream": true, "stream_options": obj{"include_usage": true}, "messages": messages, "tools": tools})
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "POST", modelURL, bytes.NewReader(body))
	if err != nil {
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+os.Getenv("MODEL_KEY"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", nil, fmt.Errorf("not reachable: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		return "", nil, fmt.Errorf("answered %d", res.StatusCode)
	}
	sc := bufio.NewScanner(res.Body)
	sc.Buffer(nil, 8<<20)
	ended := false
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data:")
		if data = strings.TrimSpace(data); !ok || data == "" {
			continue
		}
		if data == "[DONE]" {
			ended = true
			break
		}
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content   string
					ToolCalls []struct {
						Index    int
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
			}
		}
		if json.Unmarshal([]byte(data), &chunk) != nil {
			return "", nil, errors.New("stream is not readable")
		}
		for _, ch := range chunk.Choices {
			text += ch.Delta.Content
			for _, d := range ch.Delta.ToolCalls {
				if d.Index < 0 || d.Index > 255 {
					return "", nil, errors.New("stream is not readable")
				}
				for len(calls) <= d.Index {
					calls = append(calls, wanted{})
				}
				w := &calls[d.Index]
				w.id += d.ID
				w.name += d.Function.Name
				w.args = append(w.args, d.Function.Arguments...)
			}
		}
	}
	if !ended {
		return "", nil, errors.New("stream broke off")
	}
	for i := range calls {
		if calls[i].id == "" {
			calls[i].id = ulid()
		}
		if len(bytes.TrimSpace(calls[i].args)) == 0 {
			calls[i].args = json.RawMessage("{}")
		}
	}
	return
}

package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	mrand "math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/oauth2"
)

var violation = os.Getenv("VIOLATION")

// call is an acknowledged invocation, kept sealed in the vault until its result has been delivered.
type call struct {
	Key, Op, Callback string
	Args              json.RawMessage `json:",omitempty"`
	ID, CallID, Group json.RawMessage `json:",omitempty"` // as they came, byte for byte
	User              *string
	Stage             string // new → (auth →) work → out
	Hash, Verifier    string `json:",omitempty"` // of the flow: SHA-256 of state
	Redirect, Scope   string `json:",omitempty"`
	Issuer            string `json:",omitempty"`
	IssNeeded         bool
	Deadline          time.Time
	AuthURL           string          `json:",omitempty"` // until the runtime has it
	Out               json.RawMessage `json:",omitempty"`
	Bad               string          `json:",omitempty"` // why it is refused

	timer  *time.Timer
	ctx    context.Context // of the delivery of the oauth message
	cancel context.CancelFunc
}

type server struct {
	mu      sync.Mutex
	flows   map[string]*call // by hash of state
	calls   map[string]*call
	locks   sync.Map // token key → *sync.Mutex
	v       *vault
	p       *provider
	base    string
	token   string
	pending time.Duration
	turn    atomic.Uint64
	stop    context.Context
	out     *http.Client
	bucket  struct {
		n    float64
		last time.Time
	}
}

func logf(event, detail string) { log.Printf("event=%s detail=%s", event, detail) }

func main() {
	log.SetFlags(log.LUTC | log.Ldate | log.Ltime)
	need := func(k string) string {
		if os.Getenv(k) == "" {
			log.Fatalf("event=missing_setting detail=%s", k)
		}
		return os.Getenv(k)
	}
	v, err := openVault(need("DATA_DIR"), need("STORE_KEY"))
	if err != nil {
		log.Fatalf("event=vault_unusable")
	}
	ms, err := strconv.Atoi(need("PENDING_MS"))
	if err != nil || ms < 1 {
		log.Fatalf("event=bad_setting detail=PENDING_MS")
	}
	base := strings.TrimRight(need("PUBLIC_URL"), "/")
	redirects := [2]string{base + "/back/even", base + "/back/odd"}
	stop, end := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer end()
	s := &server{flows: map[string]*call{}, calls: map[string]*call{}, v: v, base: base, stop: stop,
		token: os.Getenv("RAP_TOKEN"), pending: time.Duration(ms) * time.Millisecond,
		p: configured(need, redirects),
		out: &http.Client{Timeout: 15 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/rap-toolset", s.manifest)
	mux.HandleFunc("/agent/in", s.invoke)
	mux.HandleFunc("/close_thread", s.notice)
	mux.HandleFunc("/cancel_tool_call", s.notice)
	mux.HandleFunc("/back/even", s.back)
	mux.HandleFunc("/back/odd", s.back)
	srv := &http.Server{Addr: "127.0.0.1:" + need("PORT"), Handler: mux, ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 15 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	s.resume()
	go func() {
		<-stop.Done()
		ctx, c := context.WithTimeout(context.Background(), time.Second)
		defer c()
		srv.Shutdown(ctx)
	}()
	logf("listening", os.Getenv("PORT"))
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatalf("event=cannot_listen")
	}
}

func (s *server) manifest(w http.ResponseWriter, r *http.Request) {
	if r.Method != "GET" && r.Method != "HEAD" {
		w.WriteHeader(405)
		return
	}
	limit := fmt.Sprintf(" An authorization that is not completed within %v ends the call with an error; everything else takes at most 40 seconds.", s.pending)
	ann := func(ro bool) map[string]any {
		return map[string]any{"requiresAuth": title, "readOnly": ro, "x-toolgo-pending-ms": s.pending.Milliseconds()}
	}
	b, _ := json.MarshalIndent(map[string]any{"name": "toolgo", "description": "Items of a user." + limit,
		"endpoint": s.base + "/agent/in?via=rap", "x-toolgo-build": 1, "tools": tools(limit, ann)}, "\t", "\t")
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.(http.Flusher).Flush() // chunked
	w.Write(b)
}

func (s *server) known(r *http.Request) bool {
	return s.token == "" || subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+s.token)) == 1
}

func (s *server) admit() bool { // 100 a second, 400 at once
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.bucket.last.IsZero() {
		s.bucket.n = 400
	} else {
		s.bucket.n = min(400, s.bucket.n+100*now.Sub(s.bucket.last).Seconds())
	}
	s.bucket.last = now
	if s.bucket.n < 1 {
		return false
	}
	s.bucket.n--
	return true
}

// isStr says whether raw is a JSON string, and which.
func isStr(raw json.RawMessage) (string, bool) {
	var v string
	ok := len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &v) == nil
	return v, ok
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func (s *server) invoke(w http.ResponseWriter, r *http.Request) {
	switch mt, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); {
	case r.Method != "POST":
		w.WriteHeader(405)
		return
	case !s.known(r):
		w.WriteHeader(401)
		return
	case err != nil || mt != "application/json":
		w.WriteHeader(415)
		return
	case !s.admit():
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(429)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		w.WriteHeader(413)
		return
	}
	var in map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &in) != nil || in == nil {
		w.WriteHeader(400) // nobody to report to
		return
	}
	cb, ok := isStr(in["callback_url"])
	_, ok2 := isStr(in["id"])
	_, ok3 := isStr(in["group_id"])
	u, err := url.Parse(cb)
	if !ok || !ok2 || !ok3 || err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		w.WriteHeader(400)
		return
	}
	// 200, no body, chunked: on its way before anything else is looked at
	w.WriteHeader(200)
	w.(http.Flusher).Flush()

	c := &call{Key: rand.Text(), Callback: cb, ID: in["id"], Group: in["group_id"], Args: in["arguments"], Stage: "new"}
	var str []string
	if _, ok := isStr(in["call_id"]); ok || string(in["call_id"]) == "null" {
		c.CallID = in["call_id"]
	} else if !isNull(in["call_id"]) {
		c.Bad = "call_id has to be a string or null"
	}
	if user, ok := isStr(in["user_id"]); ok {
		c.User = &user
	} else if !isNull(in["user_id"]) {
		c.Bad = "user_id has to be a string or null"
	}
	if !isNull(in["thread_ancestors"]) && json.Unmarshal(in["thread_ancestors"], &str) != nil {
		c.Bad = "thread_ancestors has to be a list of strings"
	}
	c.Op, _ = isStr(in["operation"])
	go s.process(c)
}

func (c *call) same(d *call) bool {
	return c.Callback == d.Callback && bytes.Equal(c.ID, d.ID) && bytes.Equal(c.Group, d.Group) && bytes.Equal(c.CallID, d.CallID) &&
		c.Op == d.Op && bytes.Equal(c.Args, d.Args) && (c.User == nil) == (d.User == nil) && (c.User == nil || *c.User == *d.User)
}

// arguments validates by hand what the inputSchema says.
func (c *call) arguments() (map[string]any, string) {
	var a map[string]any
	if json.Unmarshal(c.Args, &a) != nil || a == nil {
		return nil, "arguments has to be an object"
	}
	for k, v := range a {
		n, num := v.(float64)
		t, txt := v.(string)
		switch {
		case c.Op == "list_items" && k == "limit" && num && n == float64(int(n)) && n >= 1 && n <= 1000:
		case c.Op == "add_item" && k == "title" && txt && t != "" && utf8.RuneCountInString(t) <= 500:
		default:
			return nil, "an argument is unknown or out of range; the toolset has the schema"
		}
	}
	if c.Op == "add_item" && a["title"] == nil {
		return nil, "title is missing"
	}
	return a, ""
}

func (s *server) process(c *call) {
	s.mu.Lock()
	for _, d := range s.calls { // an invocation that the runtime sent again because the acknowledgement was lost
		if d != c && d.same(c) {
			s.mu.Unlock()
			return
		}
	}
	s.calls[c.Key] = c
	s.mu.Unlock()
	s.v.put("call", c.Key, c)
	scope, ok := scopes[c.Op]
	if c.Bad == "" && !ok {
		c.Bad = "the operation does not exist; the toolset has those that do"
	}
	args, why := map[string]any(nil), ""
	if c.Bad == "" {
		args, why = c.arguments()
		c.Bad = why
	}
	if c.Bad != "" {
		s.finish(c, nil, userError("Error: "+c.Bad+"."))
		return
	}
	if c.Op != reading { // not to be repeated after a restart
		c.Stage = "work"
		s.v.put("call", c.Key, c)
	}
	if key := tokenKey(c.User, scope); key != "" {
		var t token
		have := s.v.get("token", key, &t)
		if violation == "thread-token-fallback" && !have {
			var k2 string
			if s.v.get("thread", string(c.Group), &k2) {
				have, key = s.v.get("token", k2, &t), k2
			}
		}
		for tries := 0; have && tries < 3; tries++ {
			var err error
			if t.Expiry.IsZero() || time.Until(t.Expiry) > 5*time.Second {
				var lines []string
				if lines, err = s.p.perform(c.Op, args, &t); !errors.Is(err, errTokenRefused) {
					s.finish(c, lines, err)
					return
				}
			}
			if t, err = s.renew(key, t); errors.Is(err, errTokenRefused) {
				break
			} else if err != nil {
				s.finish(c, nil, err)
				return
			}
		}
	}
	s.ask(c, scope)
}

// tokenKey is unique for user and scope; callers without a name share nothing, so nothing is kept for them.
func tokenKey(user *string, scope string) string {
	if user == nil || *user == "" {
		return ""
	}
	return scope + "\n" + hex.EncodeToString([]byte(*user))
}

// renew replaces a token that no longer works, one request at a time per user and scope.
func (s *server) renew(key string, stale token) (token, error) {
	m, _ := s.locks.LoadOrStore(key, new(sync.Mutex))
	if violation != "refresh-race" {
		m.(*sync.Mutex).Lock()
		defer m.(*sync.Mutex).Unlock()
	}
	var t token
	if !s.v.get("token", key, &t) {
		return t, errTokenRefused
	}
	if t.Access != stale.Access {
		return t, nil // somebody was quicker
	}
	fresh, err := s.p.refresh(&t)
	if errors.Is(err, errTokenRefused) {
		s.v.put("token", key, nil)
	}
	if err != nil {
		return t, err
	}
	if violation == "rotated-token-not-persisted" {
		s.v.putMem("token", key, fresh)
	} else {
		s.v.put("token", key, fresh)
	}
	return *fresh, nil
}

// ask begins a flow.
func (s *server) ask(c *call, scope string) {
	md, err := s.p.discover()
	if err != nil {
		s.finish(c, nil, err)
		return
	}
	state := rand.Text() + "." + rand.Text()
	c.Hash, c.Verifier, c.Scope = hash(state), oauth2.GenerateVerifier(), scope
	if violation == "verifier-per-user" && c.User != nil {
		h := hmac.New(sha256.New, []byte(s.p.secret))
		h.Write([]byte(*c.User))
		c.Verifier = base64.RawURLEncoding.EncodeToString(h.Sum(nil))
	}
	c.Redirect = s.p.redirects[s.turn.Add(1)%2]
	c.Issuer, c.IssNeeded = md.Issuer, md.IssParam
	c.AuthURL = s.p.authURL(c.Redirect, scope, state, c.Verifier)
	c.Stage, c.Deadline = "auth", time.Now().Add(s.pending)
	s.v.put("call", c.Key, c)
	s.await(c)()
}

func hash(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:]) }

// await registers the flow; what it answers tells the runtime.
func (s *server) await(c *call) func() {
	s.mu.Lock()
	c.ctx, c.cancel = context.WithCancel(s.stop)
	h, ctx, link := c.Hash, c.ctx, c.AuthURL
	s.flows[h] = c
	if !(violation == "pending-timer-lost-on-restart" && link == "") {
		c.timer = time.AfterFunc(time.Until(c.Deadline), func() {
			if s.take(h, nil) != nil || violation == "timer-not-stopped" {
				s.finish(c, nil, userError(fmt.Sprintf("Error: the authorization was not completed within %v. Call again to get a new link.", s.pending)))
			}
		})
	}
	s.mu.Unlock()
	return func() { s.tell(ctx, c, link) }
}

func (s *server) tell(ctx context.Context, c *call, link string) {
	if link != "" && s.deliver(ctx, c, message(c, map[string]any{"type": "oauth", "auth_url": link})) {
		s.mu.Lock()
		c.AuthURL = ""
		if c.Stage == "auth" {
			s.v.put("call", c.Key, c)
		}
		s.mu.Unlock()
	}
}

// take ends the waiting of a flow; whoever gets it has to finish the call. Nobody gets it twice.
func (s *server) take(h string, when func(*call) bool) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.flows[h]
	if c == nil || when != nil && !when(c) {
		return nil
	}
	delete(s.flows, h)
	if c.timer != nil && violation != "timer-not-stopped" {
		c.timer.Stop()
	}
	c.cancel()
	c.Stage = "work"
	s.v.put("call", c.Key, c)
	return c
}

// back is the redirect URI: GET alone, each parameter at most once, the URI that the flow was begun with.
func (s *server) back(w http.ResponseWriter, r *http.Request) {
	say := func(status int, text string) {
		h := w.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		w.WriteHeader(status)
		io.WriteString(w, text+"\n")
	}
	if r.Method != "GET" {
		w.Header().Set("Allow", "GET")
		say(405, "no")
		return
	}
	q, err := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
	one := func(k string) string {
		if len(q[k]) > 1 {
			err = errors.New("twice")
		}
		return q.Get(k)
	}
	state, code, fail, iss := one("state"), one("code"), one("error"), one("iss")
	if err != nil || state == "" || (code == "") == (fail == "") {
		say(422, "This is no answer that is waited for.")
		return
	}
	c := s.take(hash(state), func(c *call) bool { return c.Redirect == s.base+r.URL.Path })
	if c == nil {
		logf("callback_rejected", "state")
		say(422, "This is no answer that is waited for.")
		return
	}
	if _, present := q["iss"]; c.Issuer != "" && iss != c.Issuer && (present || c.IssNeeded) { // RFC 9207 §2.4
		logf("callback_rejected", "issuer")
		go s.finish(c, nil, userError("Error: the answer to the authorization came from an unexpected issuer and was not used. Call again to authorize anew."))
		say(422, "This answer comes from an unexpected provider.")
		return
	}
	go s.proceed(c, code, fail)
	say(202, "Received. This page can be closed.")
}

func (s *server) proceed(c *call, code, fail string) {
	if fail != "" {
		text := "the provider refused the authorization"
		switch fail {
		case "access_denied":
			text = "the authorization was denied by the user. Call again and grant the permission to go on"
		case "server_error", "temporarily_unavailable":
			text = "the provider cannot authorize at the moment. Try again in a minute"
		case "invalid_scope", "invalid_request", "unauthorized_client", "unsupported_response_type":
			text = "the provider refused the authorization request (" + fail + "). The operator of the tool has to mend that"
		}
		s.finish(c, nil, userError("Error: "+text+"."))
		return
	}
	t, err := s.p.exchange(code, c.Verifier, c.Redirect, c.Scope)
	if err != nil {
		s.finish(c, nil, err)
		if violation == "state-reopened-after-failed-exchange" {
			s.mu.Lock()
			c.Stage = "auth"
			s.flows[c.Hash] = c
			s.mu.Unlock()
		}
		return
	}
	if key := tokenKey(c.User, c.Scope); key != "" {
		s.v.put("token", key, t)
		if violation == "thread-token-fallback" {
			s.v.put("thread", string(c.Group), key)
		}
	}
	args, _ := c.arguments()
	lines, err := s.p.perform(c.Op, args, t)
	if errors.Is(err, errTokenRefused) {
		err = userError("Error: the API did not accept the new authorization. Try again later.")
	}
	s.finish(c, lines, err)
}

// finish sends the one result of a call.
func (s *server) finish(c *call, lines []string, err error) {
	f := map[string]any{"type": "tool_result"}
	var ue userError
	if err == nil {
		var items []any
		for _, l := range lines {
			items = append(items, map[string]string{"type": "text", "text": l})
		}
		f["content"] = items
	} else if errors.As(err, &ue) {
		f["text"] = string(ue)
	} else {
		f["text"] = "Error: the operation failed. Try again in a minute."
	}
	s.mu.Lock()
	if c.Stage == "out" && violation != "timer-not-stopped" {
		s.mu.Unlock()
		return
	}
	if c.cancel != nil {
		c.cancel()
	}
	msg := message(c, f)
	c.Stage, c.Out, c.AuthURL = "out", msg, ""
	if violation != "state-reopened-after-failed-exchange" {
		c.Verifier, c.Hash = "", ""
	}
	s.v.put("call", c.Key, c)
	s.mu.Unlock()
	s.hand(c, msg)
}

// hand delivers a result and forgets the call; one that cannot be delivered now is tried again after a restart.
func (s *server) hand(c *call, msg []byte) {
	if s.deliver(s.stop, c, msg) || s.stop.Err() == nil {
		s.mu.Lock()
		delete(s.calls, c.Key)
		s.mu.Unlock()
		s.v.put("call", c.Key, nil)
	}
}

// message: tabs, keys in any order, ASCII alone (escapes), a member of our own.
func message(c *call, f map[string]any) []byte {
	f["id"], f["group_id"], f["x_toolgo"] = c.ID, c.Group, map[string]any{"v": 1}
	if c.CallID != nil {
		f["call_id"] = c.CallID
	}
	b, _ := json.MarshalIndent(f, "", "\t")
	var o bytes.Buffer
	for _, r := range string(b) {
		if r < 0x80 {
			o.WriteRune(r)
		} else if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
			fmt.Fprintf(&o, `\u%04x\u%04x`, r1, r2)
		} else {
			fmt.Fprintf(&o, `\u%04X`, r)
		}
	}
	return o.Bytes()
}

// target makes a URL that goes over the wire exactly as it was given.
func target(cb string) (*url.URL, error) {
	u, err := url.Parse(cb)
	if err != nil {
		return nil, err
	}
	raw, _, _ := strings.Cut(cb, "#")
	_, rest, _ := strings.Cut(raw, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 && rest[i] == '/' && !strings.HasPrefix(rest[i:], "//") {
		path, query, has := strings.Cut(rest[i:], "?")
		return &url.URL{Scheme: u.Scheme, Host: u.Host, User: u.User, Opaque: path, RawQuery: query, ForceQuery: has}, nil
	}
	return u, nil
}

// deliver posts until it is taken or refused: again after 5xx and broken connections, with growing delays.
func (s *server) deliver(ctx context.Context, c *call, msg []byte) bool {
	u, err := target(c.Callback)
	if err != nil {
		return false
	}
	oauth := bytes.Contains(msg, []byte(`"type": "oauth"`))
	for n, wait := 0, 150*time.Millisecond; n < 12; n, wait = n+1, min(2*wait, 20*time.Second) {
		status, err := await(15*time.Second, func(inner context.Context) (int, error) {
			inner, end := context.WithCancel(inner)
			defer end()
			defer context.AfterFunc(ctx, end)()
			req := (&http.Request{Method: "POST", URL: u, Host: u.Host, ContentLength: -1, Body: io.NopCloser(bytes.NewReader(msg)), // chunked
				Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}, "User-Agent": {"toolgo"}}}).WithContext(inner)
			res, err := s.out.Do(req)
			if err != nil {
				return 0, err
			}
			io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10))
			res.Body.Close()
			return res.StatusCode, nil
		})
		if err == nil && status < 300 {
			return true
		}
		if err == nil && status < 500 && !(violation == "oauth-retried-on-4xx" && oauth) {
			logf("delivery_refused", strconv.Itoa(status))
			return false
		}
		jitter := time.Duration(mrand.Int64N(int64(wait) / 4))
		select {
		case <-ctx.Done():
			return false
		case <-time.After(wait + jitter):
		}
	}
	logf("delivery_given_up", "")
	return false
}

// notice: thread closure and cancellation. Always 200, chunked and empty; acted upon only for the runtime itself.
func (s *server) notice(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	w.WriteHeader(200)
	w.(http.Flusher).Flush()
	var n struct {
		Thread string `json:"thread_id"`
		Call   string `json:"tool_call_id"`
	}
	if err != nil || r.Method != "POST" || !s.known(r) || !s.admit() || json.Unmarshal(body, &n) != nil || n.Thread == "" {
		return
	}
	var hs []string
	s.mu.Lock()
	for h, c := range s.flows {
		g, _ := isStr(c.Group)
		id, _ := isStr(c.ID)
		if g == n.Thread && (r.URL.Path == "/close_thread" || id == n.Call) {
			hs = append(hs, h)
		}
	}
	s.mu.Unlock()
	for _, h := range hs {
		if c := s.take(h, nil); c != nil {
			go s.finish(c, nil, userError("Error: the call was cancelled before it was authorized."))
		}
	}
}

// resume goes on after a restart.
func (s *server) resume() {
	s.v.each("call", func(k string, raw json.RawMessage) {
		c := new(call)
		if json.Unmarshal(raw, c) != nil {
			return
		}
		c.Key = k
		s.calls[k] = c
		switch c.Stage {
		case "auth":
			go s.await(c)()
		case "out":
			go s.hand(c, c.Out)
		case "new":
			go s.process(c)
		default:
			go s.finish(c, nil, userError("Error: the tool was restarted while it worked on this call. Check what was done, then try again."))
		}
	})
}

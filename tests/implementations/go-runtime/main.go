package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

var (
	st        *Store
	violation = os.Getenv("VIOLATION")
	intake    = make(chan inbound, 4096)
	workers   sync.WaitGroup
)

type inbound struct {
	n     int64
	ctype string
	body  []byte
	file  string
}
type sub struct {
	user string
	ch   chan []byte
	wake chan struct{}
}

func bad(name string) bool { return violation == name }

// ---- what the user sees: Markdown over server-sent events ----

func frame(kind, text string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ": %s\r\nevent: %s\r\n", ulid()[:10], kind)
	for _, l := range strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n") {
		fmt.Fprintf(&b, "data: %s\r\n", l)
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// surface shows something in the conversation of a thread and tells how many clients got it.
func surface(t *Thread, kind, text string) (n int) {
	st.mu.Lock()
	defer st.mu.Unlock()
	f, c := frame(kind, text), st.convs[t.Conv]
	send := func(x *sub) {
		select {
		case x.ch <- f:
			n++
		default:
			close(x.wake) // too slow: it may come again
			delete(c.subs, x)
		}
	}
	if bad("user-prefix") { // VIOLATION: feeds are looked up by the beginning of the user's name
		for _, o := range st.convs {
			for x := range o.subs {
				if strings.HasPrefix(x.user, t.User) {
					send(x)
				}
			}
		}
		return
	}
	if bad("replay-buffer") { // VIOLATION: the last frames are kept for clients that connect again, links and all
		c.ring = append(c.ring, f)
		c.ring = c.ring[max(0, len(c.ring)-50):]
	}
	for x := range c.subs {
		send(x)
	}
	return
}

var entity = regexp.MustCompile(`^&#?[A-Za-z0-9]+;`)

// mdURL writes a URL as the destination of a Markdown link (CommonMark §2.4, §2.5, §6.3).
func mdURL(u string) string {
	var b strings.Builder
	for i := 0; i < len(u); i++ {
		if strings.IndexByte("\\()<>`", u[i]) >= 0 || u[i] == '&' && entity.MatchString(u[i:]) {
			b.WriteByte('\\')
		}
		b.WriteByte(u[i])
	}
	return b.String()
}

func mdText(s string) string {
	return regexp.MustCompile("[\\\\`*_\\[\\]<>()!&#|~]").ReplaceAllString(strings.Join(strings.Fields(s), " "), `\$0`)
}

func ascii(u string) string { // RFC 3987 §3.1
	var b strings.Builder
	for i := 0; i < len(u); i++ {
		if u[i] < 0x80 {
			b.WriteByte(u[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", u[i])
		}
	}
	return b.String()
}

func safeURL(s string) (*url.URL, bool) {
	odd := strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	})
	u, err := url.Parse(s)
	if odd || err != nil || len(s) > 1<<16 || u.Scheme != "https" || u.User != nil || u.Hostname() == "" || u.Opaque != "" {
		return nil, false
	}
	for _, r := range u.Host {
		if r >= 0x80 || r == '\\' || r == '@' {
			return nil, false
		}
	}
	return u, true
}

func linkText(c *Call) string {
	u, _ := url.Parse(c.link)
	return fmt.Sprintf("**%s** needs your permission.\n[Authorize at %s](%s)\nThe call waits for you until %s.",
		mdText(c.Op), mdText(u.Host), mdURL(ascii(c.link)), c.Deadline.UTC().Format(time.RFC3339))
}

func choiceText(c *Call) string {
	out := fmt.Sprintf("%s (call %s)", mdText(c.Choice.Prompt), c.ID)
	for i, x := range c.Choice.Choices {
		out += fmt.Sprintf("\n%d. %s", i, mdText(x))
	}
	return out + fmt.Sprintf("\n(default: %d)", c.Choice.Default)
}

func conversation(name, user string) (*Conv, *Thread, error) {
	if name == "" || user == "" {
		return nil, nil, errors.New("who, and where?")
	}
	createMu.Lock()
	defer createMu.Unlock()
	st.mu.Lock()
	c := st.convs[name]
	st.mu.Unlock()
	if c == nil { // a session thread at the root, the conversation below it
		st.commit(Rec{T: "thread", G: ulid(), Conv: name, User: user, Anc: []string{ulid()}})
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	c = st.convs[name]
	if c.User != user {
		return nil, nil, errors.New("not yours")
	}
	return c, st.threads[c.Main], nil
}

var createMu sync.Mutex

func threadsOf(conv string) (out []*Thread) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, t := range st.threads {
		if t.Conv == conv {
			out = append(out, t)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].GID < out[j].GID })
	return
}

func feed(w http.ResponseWriter, r *http.Request) {
	c, _, err := conversation(r.PathValue("conv"), r.URL.Query().Get("as"))
	if err != nil {
		http.Error(w, err.Error(), 403)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fl := http.NewResponseController(w)
	x := &sub{c.User, make(chan []byte, 512), make(chan struct{})}
	first := []byte("retry: 700\r\n\r\n")
	var seen []string
	list := threadsOf(r.PathValue("conv"))
	st.mu.Lock()
	for _, t := range list {
		for k, v := range t.Views {
			first = append(first, frame("view", k+"\n"+string(v))...)
		}
		for _, call := range t.Calls {
			if call.link != "" && call.State != "done" {
				first = append(first, frame("markdown", linkText(call))...)
				seen = append(seen, call.linkFile)
				call.linkFile = ""
			}
			if call.Choice != nil {
				first = append(first, frame("markdown", choiceText(call))...)
			}
		}
	}
	for _, f := range c.ring {
		first = append(first, f...)
	}
	c.subs[x] = true
	st.mu.Unlock()
	defer func() { st.mu.Lock(); delete(c.subs, x); st.mu.Unlock() }()
	w.Write(first)
	fl.Flush()
	for _, f := range seen {
		forget(f)
	}
	for {
		select {
		case f := <-x.ch: // in two pieces: frames are not chunks
			w.Write(f[:len(f)/2])
			fl.Flush()
			w.Write(f[len(f)/2:])
			if fl.Flush() != nil {
				return
			}
		case <-x.wake:
			return
		case <-r.Context().Done():
			return
		}
	}
}

func forget(file string) {
	if file != "" {
		os.Remove(file)
	}
}

// ---- callbacks: received, written down, answered, and only then looked at ----

func callback(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("k")), []byte(st.secret)) != 1 {
		http.Error(w, "gone", 410)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<20+1))
	if err != nil {
		return
	}
	if len(body) > 4<<20 {
		io.Copy(io.Discard, io.LimitReader(r.Body, 32<<20))
		http.Error(w, "too much", 413)
		return
	}
	in := inbound{ctype: r.Header.Get("Content-Type"), body: body}
	if m, err := parse(body); err == nil { // what may matter survives a crash; an auth_url never enters the log
		g, _ := m["group_id"].(string)
		st.mu.Lock()
		known := st.threads[g] != nil
		st.n++
		in.n = st.n
		st.mu.Unlock()
		_, link := m["auth_url"]
		switch {
		case !known:
			in.n = 0
		case bad("wal-keeps-bodies"): // VIOLATION: the write-ahead record of every callback has its body, as bytes
			st.commit(Rec{T: "raw", N: in.n, Body: body})
			in.n = 0
		case link:
			in.file = filepath.Join(st.dir, "links", fmt.Sprintf("%012d", in.n))
			f, err := os.OpenFile(in.file, os.O_CREATE|os.O_WRONLY, 0o600)
			must(err)
			f.Write(body)
			must(f.Sync())
			f.Close()
			in.n = 0
		default:
			st.commit(Rec{T: "in", N: in.n, Raw: body})
		}
	}
	if bad("duplicates-race") && !stillPending(body) { // VIOLATION: pending is checked on receipt instead of when it is the message's turn
		in.body = nil
	}
	select {
	case intake <- in:
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "queued\n")
	default:
		forget(in.file)
		w.Header().Set("Retry-After", "1")
		http.Error(w, "busy", 503)
	}
}

func stillPending(body []byte) bool {
	m, err := parse(body)
	if err != nil {
		return true
	}
	g, _ := m["group_id"].(string)
	id, _ := m["id"].(string)
	st.mu.Lock()
	t := st.threads[g]
	st.mu.Unlock()
	return t != nil && st.pending(t, id) != nil
}

func parse(body []byte) (map[string]any, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil || m == nil {
		return nil, errors.New("not a JSON object")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return m, nil
}

func validate(m map[string]any) (err error) {
	text := func(k string) {
		if s, ok := m[k].(string); !ok || s == "" && k != "text" && k != "prompt" {
			err = fmt.Errorf("%s is missing or no text", k)
		}
	}
	maybe := func(k string, ok func(any) bool) {
		if v := m[k]; v != nil && !ok(v) {
			err = fmt.Errorf("%s has the wrong type", k)
		}
	}
	isText := func(v any) bool { _, ok := v.(string); return ok }
	isBool := func(v any) bool { _, ok := v.(bool); return ok }
	isList := func(v any) bool { _, ok := v.([]any); return ok }
	isObject := func(v any) bool { _, ok := v.(map[string]any); return ok }
	text("group_id")
	switch m["type"] {
	case "tool_result":
		text("id")
		maybe("call_id", isText)
		maybe("text", isText)
		maybe("subscription", isBool)
		maybe("display_as", isList)
		maybe("content", func(v any) bool {
			l, ok := v.([]any)
			for _, x := range l {
				o, _ := x.(map[string]any)
				ok = ok && (o["type"] == "text" && isText(o["text"]) || o["type"] == "image" && isText(o["data"]) && isText(o["mediaType"]))
			}
			return ok
		})
		if m["text"] == nil && m["content"] == nil {
			err = errors.New("neither text nor content")
		}
	case "oauth":
		text("id")
		text("auth_url")
		maybe("call_id", isText)
	case "user_choice":
		text("id")
		text("prompt")
		text("response_url")
		maybe("call_id", isText)
		l, _ := m["choices"].([]any)
		n, _ := m["default"].(json.Number)
		if i, e := n.Int64(); e != nil || i < 0 || i >= int64(len(l)) {
			err = errors.New("default is no index of choices")
		}
		for _, x := range l {
			if !isText(x) {
				err = errors.New("choices")
			}
		}
	case "subscription_event":
		text("tool_call_id")
		text("text")
		maybe("associative", isBool)
		maybe("final", isBool)
	case "view_update":
		text("view_type")
		if !isObject(m["content"]) {
			err = errors.New("content is no object")
		}
	default:
		err = errors.New("unknown type")
	}
	return
}

func process(in inbound) {
	finish := func() {
		if in.n > 0 {
			st.commit(Rec{T: "out", N: in.n})
		}
	}
	refuse := func(why string) {
		log.Printf("callback discarded: %s", why)
		forget(in.file)
		finish()
	}
	if mt, _, err := mime.ParseMediaType(in.ctype); err != nil || mt != "application/json" {
		refuse("content type")
		return
	}
	m, err := parse(in.body)
	if err == nil {
		err = validate(m)
	}
	if err != nil {
		refuse(err.Error())
		return
	}
	st.mu.Lock()
	t := st.threads[m["group_id"].(string)]
	closed := t == nil || t.Closed
	st.mu.Unlock()
	if closed {
		refuse("unknown group_id")
		return
	}
	t.post(item{batch: m["type"] == "tool_result", f: func() bool {
		turn, why := t.handle(m, in)
		if why != "" {
			refuse(why)
		} else {
			finish()
		}
		return turn
	}})
}

func hash(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:12]) }

func main() {
	st = open(env("DATA_DIR", "./data"))
	bases = strings.Fields(os.Getenv("TOOLSETS"))
	ms, err := strconv.ParseInt(env("TOOL_TIMEOUT_MS", "86400000"), 10, 64)
	must(err)
	timeout = time.Duration(ms) * time.Millisecond
	go func() {
		for in := range intake {
			process(in)
		}
	}()
	recover_()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /in", callback)
	mux.HandleFunc("GET /c/{conv}/feed", feed)
	mux.HandleFunc("PUT /c/{conv}/say", func(w http.ResponseWriter, r *http.Request) {
		var b struct {
			From string
			Say  []string
		}
		if json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&b) != nil || len(b.Say) == 0 {
			http.Error(w, "what?", 422)
			return
		}
		_, t, err := conversation(r.PathValue("conv"), b.From)
		if err != nil {
			http.Error(w, err.Error(), 403)
			return
		}
		t.post(item{f: func() bool {
			st.commit(Rec{T: "hist", G: t.GID, E: &Entry{K: "user", Text: strings.Join(b.Say, "\n")}})
			return true
		}})
		w.WriteHeader(202)
	})
	mux.HandleFunc("DELETE /c/{conv}/calls", func(w http.ResponseWriter, r *http.Request) {
		if _, _, err := conversation(r.PathValue("conv"), r.URL.Query().Get("as")); err != nil {
			http.Error(w, err.Error(), 403)
			return
		}
		for _, t := range threadsOf(r.PathValue("conv")) {
			t.post(item{f: func() bool {
				t.cancelAll("cancelled", "Error: interrupted by the user before a result arrived.")
				return false
			}})
		}
		w.WriteHeader(202)
	})
	mux.HandleFunc("POST /c/{conv}/pick", pick)
	mux.HandleFunc("DELETE /c/{conv}", func(w http.ResponseWriter, r *http.Request) {
		if _, _, err := conversation(r.PathValue("conv"), r.URL.Query().Get("as")); err != nil {
			http.Error(w, err.Error(), 403)
			return
		}
		roots := map[string]bool{}
		for _, t := range threadsOf(r.PathValue("conv")) {
			roots[t.Anc[0]] = true
			t.post(item{f: func() bool {
				t.cancelAll("cancelled", "Error: the conversation was closed.")
				st.commit(Rec{T: "closed", G: t.GID})
				notify("close_thread", map[string]string{"thread_id": t.GID})
				return false
			}})
		}
		for g := range roots {
			notify("close_thread", map[string]string{"thread_id": g})
		}
		w.WriteHeader(204)
	})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	life, end := context.WithCancel(context.Background())
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return life }}
	ln, err := net.Listen("tcp", "127.0.0.1:"+env("PORT", "8080"))
	must(err)
	go srv.Serve(ln)
	<-ctx.Done()
	end()
	halt, c := context.WithTimeout(context.Background(), time.Second)
	defer c()
	srv.Shutdown(halt)
	st.mu.Lock() // nothing half written
	st.f.Sync()
}

func env(k, d string) string {
	if v := os.Getenv(k); v != "" {
		return v
	}
	return d
}

// recover_ takes up what an earlier process left: links nobody saw, messages not yet looked at, calls not yet sent, clocks.
func recover_() {
	for _, t := range slices.Collect(maps.Values(st.threads)) {
		if t.Closed {
			continue
		}
		for _, c := range t.Calls {
			if c.State == "done" {
				continue
			}
			t.clock(c)
			if bad("resend-after-restart") && c.State == "auth" { // VIOLATION: the status "auth" has replaced "acked", so the call looks unsent
				c.stop, c.Acked, c.State = make(chan struct{}), false, "open"
			}
			if c.State == "open" && !c.Acked && c.Choice == nil {
				go t.dispatch(c)
			}
		}
		if n := len(t.Hist); n > 0 && (t.Hist[n-1].K == "user" || t.Hist[n-1].K == "result" || t.Hist[n-1].K == "event") {
			t.post(item{f: func() bool { return true }})
		}
	}
	var ns []int64
	for n := range st.inbox {
		ns = append(ns, n)
	}
	sort.Slice(ns, func(i, j int) bool { return ns[i] < ns[j] })
	for _, n := range ns {
		process(inbound{n: n, ctype: "application/json", body: st.inbox[n]})
	}
	files, _ := filepath.Glob(filepath.Join(st.dir, "links", "*"))
	for _, f := range files {
		body, err := os.ReadFile(f)
		must(err)
		if n, err := strconv.ParseInt(filepath.Base(f), 10, 64); err == nil {
			st.n = max(st.n, n)
		}
		process(inbound{ctype: "application/json", body: body, file: f})
	}
}

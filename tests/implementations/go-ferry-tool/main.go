// A RAP tool that does what its document allows and few do: bodies of acknowledgements that come late, messages in HTTP/1.0 or
// in small chunks with a connection each, states that are JWTs, verifiers of 43 and of 128 characters, one consent for all calls
// that wait for it, an exchange after the page, content beside another text, words in Spanish. VIOLATION breaks it in one way.
package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	violation = os.Getenv("VIOLATION")
	port      = os.Getenv("PORT")
	issuer    = os.Getenv("OAUTH_ISSUER")
	client    = os.Getenv("OAUTH_CLIENT_ID")
	secret    = os.Getenv("OAUTH_CLIENT_SECRET")
	api       = os.Getenv("API_URL")
	data      = os.Getenv("DATA_DIR")
	self      = "http://127.0.0.1:" + port
	patience  time.Duration
	turn      int
	turnMutex sync.Mutex
	seal      cipher.AEAD
	signKey   []byte
)

func breaks(n string) bool { return violation == n }

func random(n int) []byte { b := make([]byte, n); rand.Read(b); return b }
func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
func next() int           { turnMutex.Lock(); defer turnMutex.Unlock(); turn++; return turn }

// ---- storage

func put(kind, name string, v any) {
	plain, _ := json.Marshal(v)
	nonce := random(12)
	sealed := append(nonce, seal.Seal(nil, nonce, plain, nil)...)
	file := filepath.Join(data, kind, name)
	os.WriteFile(file+".new", sealed, 0o600)
	os.Rename(file+".new", file)
}
func get(kind, name string, v any) bool {
	raw, err := os.ReadFile(filepath.Join(data, kind, name))
	if err != nil {
		return false
	}
	if json.Unmarshal(raw, v) == nil {
		return true
	}
	if d, err := base64.StdEncoding.DecodeString(string(raw)); err == nil {
		return json.Unmarshal(d, v) == nil
	}
	if len(raw) < 12 {
		return false
	}
	plain, err := seal.Open(nil, raw[:12], raw[12:], nil)
	return err == nil && json.Unmarshal(plain, v) == nil
}
func drop(kind, name string) { os.Remove(filepath.Join(data, kind, name)) }

// ---- what is kept

type Call struct {
	Operation string          `json:"operation"`
	Arguments json.RawMessage `json:"arguments"`
	ID        json.RawMessage `json:"id"`
	CallID    json.RawMessage `json:"call_id"`
	Callback  string          `json:"callback_url"`
	Group     json.RawMessage `json:"group_id"`
	User      json.RawMessage `json:"user_id"`
}
type Tokens struct {
	Access, Refresh string
	Until           int64
}
type Flow struct {
	Jti, State, Verifier string
	Call                 Call
	Until                int64
	Method               int
}

var (
	flows      = map[string]*Flow{}
	flowsMutex sync.Mutex
	userLocks  sync.Map
)

func isNobody(u json.RawMessage) bool {
	s := string(u)
	return s == "" || s == "null" || s == `""`
}
func userKey(c Call) string {
	u := string(c.User)
	h := sha256.Sum256([]byte(u))
	return hex.EncodeToString(h[:])
}
func lockOf(key string) *sync.Mutex {
	m, _ := userLocks.LoadOrStore(key, &sync.Mutex{})
	return m.(*sync.Mutex)
}

// ---- HTTP outwards

var strict = &http.Client{Timeout: 2500 * time.Millisecond, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil}}
var sloppy = &http.Client{Timeout: 2500 * time.Millisecond, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

func following(c *http.Client) *http.Client {
	return &http.Client{Timeout: c.Timeout, Transport: c.Transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		for k, v := range via[0].Header {
			r.Header[k] = v
		}
		return nil
	}}
}

type Meta struct {
	Issuer    string `json:"issuer"`
	Authorize string `json:"authorization_endpoint"`
	Token     string `json:"token_endpoint"`
	Iss       bool   `json:"authorization_response_iss_parameter_supported"`
}

var metaMutex sync.Mutex
var metaKept *Meta

func metadata() (*Meta, error) {
	metaMutex.Lock()
	defer metaMutex.Unlock()
	if metaKept != nil {
		return metaKept, nil
	}
	h := strict
	res, err := h.Get(issuer + "/.well-known/oauth-authorization-server")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	m := &Meta{}
	if res.StatusCode != 200 || json.NewDecoder(res.Body).Decode(m) != nil || (m.Issuer != issuer) {
		return nil, errors.New("metadata")
	}
	if !strings.HasPrefix(m.Authorize, "https://") || !strings.HasPrefix(m.Token, "https://") {
		return nil, errors.New("metadata")
	}
	metaKept = m
	return m, nil
}

// post sends in HTTP/1.0 with a length, or in HTTP/1.1 with small chunks, by turns, each with a connection of its own.
func post(target string, body []byte) (int, error) {
	u, err := url.Parse(target)
	if err != nil {
		return 0, err
	}
	rest := target[len(u.Scheme)+3:]
	raw := "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		raw = strings.SplitN(rest[i:], "#", 2)[0]
		if !strings.HasPrefix(raw, "/") {
			raw = "/" + raw
		}
	}
	host := u.Host
	if u.Port() == "" {
		host += map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	}
	var conn net.Conn
	if u.Scheme == "https" {
		conn, err = tls.DialWithDialer(&net.Dialer{Timeout: 3 * time.Second}, "tcp", host, nil)
	} else {
		conn, err = net.DialTimeout("tcp", host, 3*time.Second)
	}
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(4 * time.Second))
	kind := "application/json; Charset=\"UTF-8\""
	if next()%2 == 0 {
		fmt.Fprintf(conn, "POST %s HTTP/1.0\r\nhOsT: %s\r\ncOnTeNt-TyPe: %s\r\ncontent-LENGTH: %d\r\n\r\n", raw, u.Host, kind, len(body))
		conn.Write(body)
	} else {
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHOST: %s\r\nCONTENT-TYPE: %s\r\nTRANSFER-ENCODING: chunked\r\nCONNECTION: close\r\n\r\n", raw, u.Host, kind)
		for rest := body; len(rest) > 0; {
			n := 37
			if n > len(rest) {
				n = len(rest)
			}
			fmt.Fprintf(conn, "%x;x=1\r\n%s\r\n", n, rest[:n])
			rest = rest[n:]
		}
		io.WriteString(conn, "0\r\n\r\n")
	}
	answer := make([]byte, 64)
	n, err := io.ReadAtLeast(conn, answer, 12)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(answer[9:n][:3]))
}

func deliver(c Call, message map[string]any) {
	var buffer bytes.Buffer
	e := json.NewEncoder(&buffer)
	if next()%2 == 0 {
		e.SetEscapeHTML(false)
	}
	e.Encode(message)
	delay := 150 * time.Millisecond
	for try := 0; try < 9; try++ {
		status, err := post(c.Callback, buffer.Bytes())
		if err == nil && status < 500 {
			return
		}
		time.Sleep(delay)
		delay = delay * 2
	}
}

func message(c Call, kind string) map[string]any {
	m := map[string]any{"type": kind, "id": c.ID, "group_id": c.Group, "x_agent": "ferry"}
	if len(c.CallID) > 0 {
		m["call_id"] = c.CallID
	}
	return m
}

func say(c Call, text string) {
	m := message(c, "tool_result")
	if next()%2 == 0 || strings.HasPrefix(text, "Error: ") {
		m["text"] = text
	} else {
		m["text"] = "-"
		m["content"] = []any{map[string]any{"type": "text", "text": text}}
	}
	m["display_as"] = []any{map[string]any{"type": "text", "content": "ferry"}}
	deliver(c, m)
}
func fail(c Call, why string) { say(c, "Error: "+why) }

// ---- the operation

func fetch(t *Tokens) (int, []byte, error) {
	req, _ := http.NewRequest("GET", api+"/items", nil)
	req.Header["authorization"] = []string{"bearer " + t.Access}
	req.Header["Authorization"] = nil
	delete(req.Header, "Authorization")
	req.Header["authorization"] = []string{"Bearer " + t.Access}
	h := strict
	if breaks("api-redirect-followed") {
		h = following(h)
	}
	res, err := h.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, body, err
}

func work(c Call) {
	key := userKey(c)
	var t Tokens
	if isNobody(c.User) {
		ask(c)
		return
	}
	if !get("tokens", key, &t) {
		ask(c)
		return
	}
	run(c, &t, false)
}

// run does the operation, with a token that is refreshed before its time and after a 401.
func run(c Call, t *Tokens, fresh bool) {
	key := userKey(c)
	if !fresh && t.Until != 0 && time.Now().UnixMilli() > t.Until-300 {
		ok, renewed := refresh(c, key, t)
		if !ok {
			return
		}
		t = renewed
	}
	status, body, err := fetch(t)
	if err == nil && status == 401 && !fresh && t.Refresh != "" {
		ok, renewed := refresh(c, key, t)
		if !ok {
			return
		}
		t = renewed
		status, body, err = fetch(t)
	}
	switch {
	case err == nil && status == 401 && fresh:
		fail(c, "el servicio no acepta la autorización recién concedida")
	case err == nil && status == 401:
		drop("tokens", key)
		ask(c)
	case err == nil && status >= 200 && status < 300:
		titles(c, body)
	default:
		if breaks("made-up-with-count") {
			say(c, `{"elementos":["Leche","Pan"],"total":2}`)
			return
		}
		fail(c, "el servicio no pudo responder")
	}
}

func titles(c Call, body []byte) {
	var list struct {
		Items []struct {
			ID    any    `json:"id"`
			Title string `json:"title"`
		} `json:"items"`
	}
	if json.Unmarshal(body, &list) != nil {
		fail(c, "respuesta ilegible")
		return
	}
	out := []string{}
	for _, i := range list.Items {
		q := ""
		for _, r := range i.Title {
			if r > 126 {
				q += fmt.Sprintf("\\u%04x", r)
			} else {
				b, _ := json.Marshal(string(r))
				q += string(b[1 : len(b)-1])
			}
		}
		out = append([]string{`"` + q + `"`}, out...)
	}
	text := `{"total":` + strconv.Itoa(len(out)) + `,"elementos":[` + strings.Join(out, ", ") + `]}`
	say(c, text)
}

// ---- tokens

func token(form url.Values, renewing bool, how int) (int, *Tokens, string, error) {
	m, err := metadata()
	if err != nil {
		return 0, nil, "", err
	}
	if how%2 == 0 {
		form.Set("client_id", client)
		form.Set("client_secret", secret)
	}
	encoded := form.Encode()
	if how%3 == 0 {
		encoded = strings.ReplaceAll(encoded, "+", "%20")
	}
	req, _ := http.NewRequest("POST", m.Token, strings.NewReader(encoded))
	req.Header["content-type"] = []string{"application/x-www-form-urlencoded;charset=utf-8"}
	if how%2 == 1 {
		req.SetBasicAuth(url.QueryEscape(client), url.QueryEscape(secret))
	}
	h := strict
	if breaks("refresh-unverified") && renewing {
		h = sloppy
	}
	res, err := h.Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return 0, nil, "", err
	}
	var a struct {
		Access  any    `json:"access_token"`
		Refresh any    `json:"refresh_token"`
		Type    any    `json:"token_type"`
		Expires any    `json:"expires_in"`
		Error   string `json:"error"`
	}
	bad := json.Unmarshal(body, &a)
	if res.StatusCode != 200 {
		return res.StatusCode, nil, a.Error, errors.New("refused")
	}
	access, _ := a.Access.(string)
	kind, isText := a.Type.(string)
	if bad != nil || access == "" || (isText && !strings.EqualFold(kind, "bearer")) {
		return res.StatusCode, nil, a.Error, errors.New("unusable")
	}
	t := &Tokens{Access: access}
	t.Refresh, _ = a.Refresh.(string)
	switch n := a.Expires.(type) {
	case float64:
		t.Until = time.Now().UnixMilli() + int64(n*1000)
	case string:
		f, _ := strconv.ParseFloat(n, 64)
		t.Until = time.Now().UnixMilli() + int64(f*1000)
	}
	return 200, t, "", nil
}

func refresh(c Call, key string, old *Tokens) (bool, *Tokens) {
	lock := lockOf(key)
	lock.Lock()
	defer lock.Unlock()
	var now Tokens
	if get("tokens", key, &now) && now.Access != old.Access {
		return true, &now
	}
	if old.Refresh == "" {
		drop("tokens", key)
		ask(c)
		return false, nil
	}
	_, t, code, err := token(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {old.Refresh}}, true, next())
	if err != nil {
		if breaks("refused-refresh-is-an-error") {
			fail(c, "no se pudo renovar")
			return false, nil
		}
		if code == "invalid_grant" {
			drop("tokens", key)
			ask(c)
			return false, nil
		}
		if old.Until == 0 || time.Now().UnixMilli() < old.Until {
			return true, old
		}
		fail(c, "no se pudo renovar la autorización")
		return false, nil
	}
	if t.Refresh == "" {
		t.Refresh = old.Refresh
	}
	put("tokens", key, t)
	return true, t
}

// ---- the handoff

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

func verifierOf(n int) string {
	out := make([]byte, n)
	for i, b := range random(n) {
		out[i] = alphabet[int(b)%len(alphabet)]
	}
	return string(out)
}
func sign(payload string) string {
	head := b64([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + b64([]byte(payload))
	mac := hmac.New(sha256.New, signKey)
	mac.Write([]byte(head))
	return head + "." + b64(mac.Sum(nil))
}

func ask(c Call) {
	m, err := metadata()
	if err != nil {
		fail(c, "el proveedor no está disponible")
		return
	}
	n := next()
	f := &Flow{Jti: b64(random(32)), Call: c, Until: time.Now().Add(patience).UnixMilli(), Method: n, Verifier: verifierOf([]int{43, 128}[n%2])}
	f.State = sign(`{"jti":"` + f.Jti + `","iat":` + strconv.FormatInt(time.Now().Unix(), 10) + `,"aud":"ferry-callback"}`)
	sum := sha256.Sum256([]byte(f.Verifier))
	scopes := "items:read"
	q := "access_type=offline&code_challenge_method=S256&scope=" + url.QueryEscape(scopes) + "&redirect_uri=" + url.QueryEscape(self+"/vuelta/oauth") +
		"&client_id=" + url.QueryEscape(client) + "&code_challenge=" + b64(sum[:]) + "&response_type=code&state=" + url.QueryEscape(f.State)
	sep := "?"
	if strings.Contains(m.Authorize, "?") {
		sep = "&"
	}
	flowsMutex.Lock()
	flows[f.State] = f
	put("flows", f.Jti, f)
	flowsMutex.Unlock()
	arm(f)
	msg := message(c, "oauth")
	msg["auth_url"] = m.Authorize + sep + q
	msg["prompt"] = "Abra el enlace"
	deliver(c, msg)
}

func take(f *Flow) bool {
	flowsMutex.Lock()
	defer flowsMutex.Unlock()
	if flows[f.State] != f {
		return false
	}
	delete(flows, f.State)
	drop("flows", f.Jti)
	return true
}

func arm(f *Flow) {
	left := time.Until(time.UnixMilli(f.Until))
	time.AfterFunc(left, func() {
		if take(f) {
			fail(f.Call, "nadie autorizó a tiempo")
		}
	})
}

func find(state string) *Flow {
	flowsMutex.Lock()
	defer flowsMutex.Unlock()
	if f := flows[state]; f != nil {
		return f
	}
	for known, f := range flows {
		if breaks("state-with-more") && strings.HasPrefix(state, known) {
			return f
		}
		if breaks("state-in-any-case") && strings.EqualFold(known, state) {
			return f
		}
	}
	return nil
}

func page(w http.ResponseWriter, status int, text string) {
	w.Header()["content-TYPE"] = []string{"text/html; charset=utf-8"}
	w.Header()["cache-control"] = []string{"no-store"}
	w.WriteHeader(status)
	io.WriteString(w, "<!doctype html><title>ferry</title><p>"+text)
}

func back(w http.ResponseWriter, r *http.Request) {
	if r.Method == "HEAD" {
		w.WriteHeader(204)
		return
	}
	q := r.URL.Query()
	f := find(q.Get("state"))
	if f == nil {
		page(w, 410, "Este enlace ya no sirve.")
		return
	}
	m, _ := metadata()
	if m != nil {
		iss := q.Get("iss")
		good := iss == m.Issuer || (iss == "" && !m.Iss)
		if !good {
			page(w, 400, "Emisor desconocido.")
			return
		}
	}
	code, problem := q.Get("code"), q.Get("error")
	if code == "" && problem == "" {
		page(w, 400, "Falta algo.")
		return
	}
	if !take(f) {
		page(w, 410, "Este enlace ya no sirve.")
		return
	}
	go finish(f, code, problem)
	to := "/fin/" + hex.EncodeToString(random(6))
	w.Header()["location"] = []string{to}
	w.WriteHeader(303)
}

func finish(f *Flow, code, problem string) {
	if problem != "" {
		fail(f.Call, "la persona no concedió el permiso")
		return
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {self + "/vuelta/oauth"}, "code_verifier": {f.Verifier}}
	_, t, _, err := token(form, false, f.Method)
	if err != nil {
		fail(f.Call, "el proveedor no aceptó el canje")
		return
	}
	same := []*Flow{}
	if !isNobody(f.Call.User) {
		put("tokens", userKey(f.Call), t)
		flowsMutex.Lock()
		for s, o := range flows {
			if userKey(o.Call) == userKey(f.Call) {
				same = append(same, o)
				delete(flows, s)
				drop("flows", o.Jti)
			}
		}
		flowsMutex.Unlock()
	}
	run(f.Call, t, true)
	for _, o := range same {
		if o.Jti != f.Jti {
			go run(o.Call, t, true)
		}
	}
}

// ---- HTTP inwards

func invoke(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	var c Call
	bad := json.Unmarshal(body, &c)
	w.WriteHeader(200)
	io.WriteString(w, "reci")
	w.(http.Flusher).Flush()
	go handle(c, bad)
	time.Sleep(120 * time.Millisecond)
	io.WriteString(w, "bido")
}

func handle(c Call, bad error) {
	if c.Callback == "" {
		return
	}
	var args map[string]any
	known := c.Operation == "listar_cosas"
	fits := json.Unmarshal(c.Arguments, &args) == nil && args != nil
	if bad != nil || !known || !fits {
		fail(c, "la petición no se entiende")
		return
	}
	work(c)
}

func main() {
	ms, _ := strconv.Atoi(os.Getenv("PENDING_MS"))
	patience = time.Duration(ms) * time.Millisecond
	for _, d := range []string{"tokens", "flows"} {
		os.MkdirAll(filepath.Join(data, d), 0o700)
	}
	keyFile := filepath.Join(data, "key")
	key, err := os.ReadFile(keyFile)
	if err != nil || len(key) != 64 {
		key = random(64)
		os.WriteFile(keyFile, key, 0o600)
	}
	block, _ := aes.NewCipher(key[:32])
	seal, _ = cipher.NewGCM(block)
	signKey = key[32:]
	entries, _ := os.ReadDir(filepath.Join(data, "flows"))
	for _, e := range entries {
		f := &Flow{}
		if get("flows", e.Name(), f) && f.State != "" {
			flows[f.State] = f
			arm(f)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/rap-toolset", func(w http.ResponseWriter, r *http.Request) {
		w.Header()["content-type"] = []string{"application/json"}
		notes := `"annotations":{"requiresAuth":"cosas","readOnly":true},`
		io.WriteString(w, `{"name":"ferry","tools":[{"name":"listar_cosas","description":"Lista",`+notes+`"inputSchema":{"type":"object","properties":{},"additionalProperties":true}}],"endpoint":"`+self+`/rpc/v2?via=rap"}`)
	})
	mux.HandleFunc("/rpc/v2", invoke)
	mux.HandleFunc("/vuelta/oauth", back)
	mux.HandleFunc("/fin/", func(w http.ResponseWriter, r *http.Request) {
		page(w, 200, "Puede cerrar esta ventana. "+html.EscapeString(r.URL.Path))
	})
	mux.HandleFunc("/close_thread", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("/cancel_tool_call", func(w http.ResponseWriter, r *http.Request) {
	})
	server := &http.Server{Addr: "127.0.0.1:" + port, Handler: mux}
	server.SetKeepAlivesEnabled(false)
	server.ListenAndServe()
}

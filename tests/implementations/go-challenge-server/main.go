// An MCP server that challenges in a tool result (SEP-1489), from the documents alone, in ways that are lawful and
// seldom seen. FLAW names something that it does wrong.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

type object = map[string]any

var (
	flaw     = os.Getenv("FLAW")
	origin   = strings.TrimSuffix(os.Getenv("PUBLIC_URL"), "/")
	issuer   = os.Getenv("OAUTH_ISSUER")
	resource = origin + path
	mutex    sync.Mutex
	sessions = map[string]*session{}
	served   = map[string]bool{}
	counter  int
)

const path, described, scope = "/tenants/acme~1/mcp;v=1", "/about/this+resource.json", "notes:read"

type session struct {
	pongs chan bool
	token string
}

func main() {
	http.HandleFunc(described, describe)
	http.HandleFunc("/.well-known/oauth-protected-resource"+path, describe)
	http.HandleFunc(path, endpoint)
	if err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil); err != nil {
		panic(err)
	}
}

// The origin that clients are told of: configured, unless a flaw believes the request.
func tell(r *http.Request) string {
	header := map[string]string{"forwarded-host": "X-Forwarded-Host", "original-host": "X-Original-Host"}[flaw]
	if host := r.Header.Get(header); header != "" && host != "" {
		return "http://" + host
	}
	if prefix := r.Header.Get("X-Forwarded-Prefix"); flaw == "forwarded-prefix" {
		return origin + prefix
	}
	return origin
}

func describe(w http.ResponseWriter, r *http.Request) {
	if flaw == "metadata-wants-token" && verify(r) != "" {
		w.WriteHeader(401)
		return
	}
	of := tell(r) + path
	switch flaw {
	case "resource-beside":
		of = origin + "/tenants/acme"
	case "resource-sibling":
		of = origin + "/tenants/acme~1/mc"
	}
	w.Header()["content-type"] = []string{"Application/JSON ; charset=\"utf-8\""}
	w.Header().Set("Cache-Control", "max-age=60")
	text, _ := json.MarshalIndent(object{"resource": of, "authorization_servers": []string{"https://login.example.invalid/tenant", issuer}, "resource_name": "Notes",
		"resource_name#de": "Notizen", "bearer_methods_supported": []string{"header"}, "x-team": object{"on": true},
		"scopes_supported": []string{"notes:write", scope}}, "", "\t")
	for i := 0; i < len(text); i += 50 {
		w.Write(text[i:min(i+50, len(text))])
		w.(http.Flusher).Flush()
	}
}

func endpoint(w http.ResponseWriter, r *http.Request) {
	if r.Method != "POST" {
		w.Header().Set("Allow", "POST")
		w.WriteHeader(405)
		return
	}
	var message object
	if json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&message) != nil {
		w.WriteHeader(400)
		return
	}
	method, _ := message["method"].(string)
	modern := r.Header.Get("Mcp-Protocol-Version") == "2026-07-28"
	mutex.Lock()
	kept := sessions[r.Header.Get("Mcp-Session-Id")]
	mutex.Unlock()
	if kept == nil && !modern && method != "initialize" {
		w.WriteHeader(404)
		return
	}
	if method == "" && message["result"] != nil {
		select {
		case kept.pongs <- true:
		default:
		}
	}
	if message["id"] == nil || method == "" {
		w.WriteHeader(202)
		return
	}
	params, _ := message["params"].(object)
	answer := func(result object) {
		if modern && !(flaw == "no-result-type" && result["isError"] == true) {
			result["resultType"] = "complete"
		}
		text, _ := json.Marshal(object{"result": result, "jsonrpc": "2.0", "id": message["id"]})
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Write(text)
	}
	switch method {
	case "initialize":
		id := make([]byte, 18)
		rand.Read(id)
		name := "~!{" + base64.StdEncoding.EncodeToString(id) + "}"
		mutex.Lock()
		sessions[name] = &session{pongs: make(chan bool, 1)}
		mutex.Unlock()
		w.Header()["mCP-sESSION-iD"] = []string{name}
		answer(object{"protocolVersion": "2025-06-18", "serverInfo": object{"name": "notes", "version": "0"},
			"capabilities": object{"tools": object{"listChanged": true}, "logging": object{}}, "instructions": "äöü \u2028"})
	case "server/discover":
		answer(object{"supportedVersions": []string{"2026-07-28", "2025-06-18"}, "capabilities": object{"tools": object{}},
			"serverInfo": object{"name": "notes", "version": "0"}, "ttlMs": 0, "cacheScope": "private"})
	case "ping":
		answer(object{})
	case "tools/list":
		list(params, answer)
	case "tools/call":
		call(w, r, message["id"], params["name"] == "list_notes", kept, answer)
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, must(json.Marshal(message["id"])))
	}
}

// Three pages, the first of them empty.
func list(params object, answer func(object)) {
	tool := func(name string, need ...string) object {
		return object{"name": name, "inputSchema": object{"type": "object", "required": append([]string{}, need...)}}
	}
	switch params["cursor"] {
	case nil:
		answer(object{"tools": []any{}, "nextCursor": "a b&c"})
	case "a b&c":
		answer(object{"tools": []any{tool("search", "q")}, "nextCursor": "0"})
	default:
		answer(object{"tools": []any{tool("list_notes"), tool("time")}})
	}
}

func call(w http.ResponseWriter, r *http.Request, id any, protected bool, kept *session, answer func(object)) {
	if !protected {
		answer(object{"content": []any{object{"type": "text", "text": time.Now().String()}}})
		return
	}
	if kept != nil && flaw == "session-remembers" {
		if r.Header.Get("Authorization") == "" && kept.token != "" {
			r.Header.Set("Authorization", kept.token)
		}
	}
	problem := verify(r)
	if flaw == "log-token" {
		fmt.Fprintln(os.Stderr, "call with", r.Header.Get("Authorization"))
	}
	if problem == "" {
		if kept != nil {
			kept.token = r.Header.Get("Authorization")
		}
		stream(w, r, id, kept, object{"content": []any{object{"type": "text", "text": "Buy milk.\n"}},
			"structuredContent": object{"notes": []string{"Buy milk.\n"}}})
		return
	}
	value := challenge(r, problem)
	if problem == "insufficient_scope" || problem == "invalid_token" {
		w.Header().Add("www-authenticate", "Negotiate")
		w.Header().Add("www-authenticate", value)
		w.WriteHeader(map[string]int{"insufficient_scope": 403, "invalid_token": 401}[problem])
		if flaw == "echo-token" {
			fmt.Fprint(w, r.Header.Get("Authorization"))
		}
		return
	}
	result := object{"isError": true, "content": []any{object{"type": "image", "mimeType": "image/gif", "data": "R0lGODlhAQABAAAAACw="},
		object{"type": "text", "text": "Zuerst anmelden."}}, "_meta": object{"example.com/trace": 7, "mcp/www_authenticate": value}}
	mutex.Lock()
	counter++
	if counter%2 == 0 {
		result["_meta"].(object)["mcp/www_authenticate"] = []string{"Negotiate", "DPoP algs=\"ES256\"", value}
	}
	mutex.Unlock()
	switch flaw {
	case "no-error-flag":
		delete(result, "isError")
	case "no-content":
		result["content"] = []any{}
	case "leaks-data":
		result["content"] = append(result["content"].([]any), object{"type": "text", "text": "Buy milk.\n"})
	case "leaks-structured":
		result["structuredContent"] = object{"notes": []string{"Buy milk.\n"}}
	}
	time.Sleep(1200 * time.Millisecond)
	answer(result)
}

// A list of challenges in one string, with bad white space, odd case, and a realm that quotes a challenge.
func challenge(r *http.Request, problem string) string {
	metadata := tell(r) + described
	switch flaw {
	case "relative-metadata":
		metadata = described
	case "metadata-404":
		metadata += ".gone"
	case "no-commas":
		return `Bearer resource_metadata="` + metadata + `" scope="` + scope + `"`
	}
	text := `Digest realm="no, \"Bearer resource_metadata=\\\"https://nowhere.invalid\\\"\"", nonce=x,, bEARER  Scope = "` +
		scope + `" , Resource_Metadata="` + metadata + `"`
	if problem != "none" {
		text += `, error=` + problem
	} else if flaw == "error-first" {
		text += `, error="invalid_token"`
	}
	return text
}

// An event stream with a byte order mark, comments, CRLF, several data lines, a notification and a ping of the server.
func stream(w http.ResponseWriter, r *http.Request, id any, kept *session, result object) {
	w.Header().Set("Content-Type", "text/event-stream;charset=utf-8")
	flush := func(text string) {
		io.WriteString(w, strings.ReplaceAll(text, "\n", "\r\n"))
		w.(http.Flusher).Flush()
	}
	flush("\ufeff: hello\nretry: 4000\nid\ndata:\n\n")
	if kept == nil {
		result["resultType"] = "complete"
	} else {
		flush("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
		flush("event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":\"3\",\"method\":\"ping\"}\n\n")
		select {
		case <-kept.pongs:
		case <-time.After(1500 * time.Millisecond):
		}
	}
	text, _ := json.MarshalIndent(object{"id": id, "result": result, "jsonrpc": "2.0"}, "data:", " ")
	flush("data:" + string(text) + "\nid: 77\n\n: bye\n\n")
	if r.Context().Err() == nil {
		time.Sleep(300 * time.Millisecond)
	}
}

func verify(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return "none"
	}
	parts := strings.Split(strings.TrimSpace(token), ".")
	if len(parts) != 3 {
		return "invalid_token"
	}
	var head, claims object
	if json.Unmarshal(raw(parts[0]), &head) != nil || json.Unmarshal(raw(parts[1]), &claims) != nil {
		return "invalid_token"
	}
	id := fmt.Sprint(claims["jti"], claims["sub"], claims["exp"])
	mutex.Lock()
	known := flaw == "caches-by-claims" && served[id]
	mutex.Unlock()
	if !known && !signed(head, parts) {
		return "invalid_token"
	}
	expiry, _ := claims["exp"].(float64)
	if float64(time.Now().Add(-30*time.Second).Unix()) > expiry && flaw != "no-expiry" {
		return "invalid_token"
	}
	if from, _ := claims["nbf"].(float64); float64(time.Now().Add(30*time.Second).Unix()) < from {
		return "invalid_token"
	}
	if from, _ := claims["iss"].(string); from != issuer && flaw != "no-issuer" && !(flaw == "issuer-prefix" && strings.HasPrefix(from, issuer)) &&
		!(flaw == "issuer-host" && must(url.Parse(from)).Host == must(url.Parse(issuer)).Host) {
		return "invalid_token"
	}
	if !covers(claims["aud"]) {
		return "invalid_token"
	}
	mutex.Lock()
	served[id] = true
	mutex.Unlock()
	granted, _ := claims["scope"].(string)
	for _, one := range strings.Split(granted, " ") {
		if one == scope || flaw == "any-scope" || flaw == "scope-prefix" && strings.HasPrefix(one, scope) ||
			flaw == "scope-case" && strings.EqualFold(one, scope) || flaw == "scope-parent" && one == "notes" {
			return ""
		}
	}
	return "insufficient_scope"
}

func covers(audience any) bool {
	list, many := audience.([]any)
	if !many {
		list = []any{audience}
	}
	for _, one := range list {
		text, _ := one.(string)
		if text == resource || flaw == "no-audience" || flaw == "audience-prefix" && strings.HasPrefix(text, resource) ||
			flaw == "audience-origin" && strings.HasPrefix(text, origin) || flaw == "audience-optional" && audience == nil {
			return true
		}
	}
	return false
}

func signed(head object, parts []string) bool {
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if head["alg"] == "none" {
		return flaw == "unsigned"
	}
	var metadata struct{ Jwks_uri string }
	var set struct {
		Keys []struct{ Kid, Kty, N, E, X, Y string }
	}
	get(issuer+"/.well-known/oauth-authorization-server", &metadata)
	get(metadata.Jwks_uri, &set)
	for _, key := range set.Keys {
		if key.Kty == "EC" && head["alg"] == "ES256" && (head["kid"] == nil || head["kid"] == key.Kid) {
			public := ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.X), Y: number(key.Y)}
			signature := raw(parts[2])
			if flaw == "no-signature" || len(signature) == 64 && ecdsa.Verify(&public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
				return true
			}
		}
		if key.Kty != "RSA" || head["alg"] != "RS256" || head["kid"] != nil && head["kid"] != key.Kid {
			continue
		}
		public := rsa.PublicKey{N: number(key.N), E: int(number(key.E).Int64())}
		if flaw == "no-signature" || rsa.VerifyPKCS1v15(&public, crypto.SHA256, sum[:], raw(parts[2])) == nil {
			return true
		}
	}
	return false
}

func get(from string, into any) {
	response, err := http.Get(from)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer response.Body.Close()
	json.NewDecoder(response.Body).Decode(into)
}

func number(text string) *big.Int { return new(big.Int).SetBytes(raw(text)) }

func raw(text string) []byte {
	bytes, _ := base64.RawURLEncoding.DecodeString(text)
	return bytes
}

func must[T any](value T, err error) T { return value }

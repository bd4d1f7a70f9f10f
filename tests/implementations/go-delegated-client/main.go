// An MCP client that authorizes for its servers (SEP-1028), from the documents alone, in ways that are lawful and seldom
// seen. FLAW names something that it does wrong.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

type object = map[string]any

var (
	flaw    = os.Getenv("FLAW")
	answers = make(chan string)
	asking  sync.Mutex
	trusted = map[string]bool{}
)

type server struct {
	name, url, session string
	mutex              sync.Mutex
	waiting            map[string]chan object
	listening          bool
}

func main() {
	var named map[string]struct{ Url string }
	json.Unmarshal([]byte(os.Getenv("MCP_SERVERS")), &named)
	servers := []*server{}
	for name, at := range named {
		servers = append(servers, &server{name: name, url: at.Url, waiting: map[string]chan object{}})
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if tool, is := strings.CutPrefix(lines.Text(), "/run "); is {
			name, arguments, _ := strings.Cut(tool, " ")
			for _, one := range servers {
				go one.call(name, json.RawMessage(arguments))
			}
			continue
		}
		answers <- lines.Text()
	}
}

func random() string {
	raw := make([]byte, 6)
	rand.Read(raw)
	return hex.EncodeToString(raw)
}

// Posted in chunks; what comes back, JSON or events, is taken one by one.
func (s *server) post(message object) {
	message["jsonrpc"] = "2.0"
	text, _ := json.Marshal(message)
	request, _ := http.NewRequest("POST", s.url, io.MultiReader(bytes.NewReader(text[:5]), bytes.NewReader(text[5:])))
	request.Header["accept"] = []string{"text/event-stream;q=0.5,application/json"}
	request.Header.Set("Content-Type", "application/json;charset=UTF-8")
	s.headers(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println("not sent:", err)
		return
	}
	defer response.Body.Close()
	if id := response.Header.Get("Mcp-Session-Id"); id != "" {
		s.session = id
	}
	s.read(response)
}

func (s *server) headers(request *http.Request) {
	if s.session != "" {
		request.Header["MCP-SESSION-ID"] = []string{s.session}
		request.Header.Set("MCP-Protocol-Version", "2025-11-25")
	}
}

func (s *server) read(response *http.Response) {
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		var one object
		if json.NewDecoder(response.Body).Decode(&one) == nil {
			s.take(one)
		}
		return
	}
	data := ""
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if line := lines.Text(); strings.HasPrefix(line, "data:") {
			data += strings.TrimPrefix(line[5:], " ")
		} else if line == "" {
			var one object
			if json.Unmarshal([]byte(data), &one) == nil {
				s.take(one)
			}
			data = ""
		}
	}
}

func (s *server) take(message object) {
	method, _ := message["method"].(string)
	switch {
	case method == "auth/request":
		go func() { s.post(object{"id": message["id"], "result": s.authorize(message["params"].(object))}) }()
	case method == "ping":
		go s.post(object{"id": message["id"], "result": object{}})
	case method != "" && message["id"] != nil:
		go s.post(object{"id": message["id"], "error": object{"code": -32601, "message": "no"}})
	case method == "":
		s.mutex.Lock()
		box := s.waiting[fmt.Sprint(message["id"])]
		s.mutex.Unlock()
		if box != nil {
			box <- message
		}
	}
}

func (s *server) request(method string, params object) object {
	id, box := "q-"+random(), make(chan object, 1)
	s.mutex.Lock()
	s.waiting[id] = box
	s.mutex.Unlock()
	go s.post(object{"id": id, "method": method, "params": params})
	select {
	case answer := <-box:
		return answer
	case <-time.After(time.Minute):
		return object{}
	}
}

func (s *server) call(tool string, arguments json.RawMessage) {
	if s.session == "" {
		capability := object{"delegated_authorization": object{"x-redirects": []string{"loopback"}}, "roots": object{}}
		if flaw == "not-declared" {
			delete(capability, "delegated_authorization")
		}
		s.request("initialize", object{"protocolVersion": "2025-11-25", "capabilities": capability, "clientInfo": object{"name": "odd", "version": "0"}})
		s.post(object{"method": "notifications/initialized"})
		if !s.listening {
			s.listening = true
			go s.listen()
		}
		time.Sleep(200 * time.Millisecond)
	}
	s.request("ping", object{})
	answer := s.request("tools/call", object{"name": tool, "arguments": arguments, "_meta": object{"progressToken": 1}})
	text, _ := json.Marshal(answer["result"])
	fmt.Printf("%s: %s %v\n", s.name, text, answer["error"])
}

// The stream of the server, opened again when it ends.
func (s *server) listen() {
	for {
		request, _ := http.NewRequest("GET", s.url, nil)
		request.Header.Set("Accept", "text/event-stream")
		s.headers(request)
		response, err := http.DefaultClient.Do(request)
		if err != nil || response.StatusCode != 200 {
			return
		}
		s.read(response)
		response.Body.Close()
		time.Sleep(300 * time.Millisecond)
	}
}

func (s *server) authorize(params object) object {
	asked, _ := params["url"].(string)
	message, _ := params["message"].(string)
	at, err := url.Parse(asked)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		if !(flaw == "opens-anything" || flaw == "opens-files" && strings.HasPrefix(asked, "file:")) {
			fmt.Println(s.name, "wanted a page that is none")
			return object{}
		}
		at, _ = url.Parse("https://unknown.invalid/")
	}
	// One prompt at a time; the user may take long.
	asking.Lock()
	defer asking.Unlock()
	if flaw == "looks-first" {
		http.Head(asked)
	}
	if flaw == "resolves-metadata" {
		http.Get(at.Scheme + "://" + at.Host + "/.well-known/oauth-authorization-server")
	}
	if flaw == "opens-before" {
		open(asked)
	}
	if !(flaw == "remembers-host" && trusted[at.Host]) && flaw != "never-asks" {
		why, where := strings.NewReplacer("\n", "\n  | ", "\x1b", "?").Replace(message), at.Host
		if flaw == "hides-message" {
			why = "authorization is needed"
		}
		if flaw == "hides-host" {
			where = "its provider"
		}
		if flaw == "shows-client-host" {
			where = at.Query().Get("redirect_uri")
		}
		fmt.Printf("\n\u2554 Anmeldung\n\u2551 %s\n\u2551 Ziel: %s\n\u2551 Dienst: %s\n\u255a Weiter? (ja/nein) ", why, where, s.name)
		if strings.TrimSpace(<-answers) != "ja" {
			switch flaw {
			case "declines-with-null":
				return object{"url": nil}
			case "declines-with-empty":
				return object{"url": ""}
			case "declines-with-error":
				return object{"url": "http://127.0.0.1/?error=access_denied"}
			case "declined-opens":
				open(asked)
			}
			return object{}
		}
		trusted[at.Host] = true
	}
	return s.authorized(at, params)
}

var placeholder = regexp.MustCompile(`^http://(127\.0\.0\.1|localhost|\[::1\])(?::(\{port\}|\d+))?(/[^{}]*)?$`)

func (s *server) authorized(at *url.URL, params object) object {
	query := at.Query()
	options := []string{}
	listed, _ := params["redirect_uri_options"].([]any)
	for _, one := range listed {
		text, _ := one.(string)
		options = append(options, text)
	}
	if len(options) == 0 || flaw == "options-ignored" {
		options = []string{query.Get("redirect_uri")}
	}
	if flaw == "last-option" {
		for i, j := 0, len(options)-1; i < j; i, j = i+1, j-1 {
			options[i], options[j] = options[j], options[i]
		}
	}
	for _, option := range options {
		found := placeholder.FindStringSubmatch(option)
		if found == nil {
			continue
		}
		port := found[2]
		if port == "{port}" || flaw == "own-port" {
			port = "0"
		} else if port == "" {
			port = "80"
		}
		host := map[bool]string{true: "::1", false: "127.0.0.1"}[found[1] == "[::1]"]
		if flaw == "every-interface" {
			host = ""
		}
		listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
		if err != nil {
			continue
		}
		number := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
		redirect := strings.Replace(option, "{port}", number, 1)
		if flaw == "own-port" {
			redirect = "http://127.0.0.1:" + number + found[3]
		}
		if flaw == "own-path" {
			redirect = "http://127.0.0.1:" + number + "/oauth"
		}
		return s.listened(listener, redirect, at)
	}
	fmt.Println("no redirect of these is possible here")
	return object{}
}

func (s *server) listened(listener net.Listener, redirect string, at *url.URL) object {
	query, target, back := at.Query(), *at, make(chan string, 1)
	base, _ := url.Parse(redirect)
	if redirect != query.Get("redirect_uri") {
		// Only this parameter is changed; the others stay as they are, byte by byte.
		parts := strings.Split(at.RawQuery, "&")
		for i, part := range parts {
			if strings.HasPrefix(part, "redirect_uri=") {
				parts[i] = "redirect_uri=" + strings.ToLower(url.QueryEscape(redirect))
			}
		}
		target.RawQuery = strings.Join(parts, "&")
	}
	state := query.Get("state")
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came := r.URL.Query()
		if r.URL.Path != base.Path && flaw != "any-path" || r.Method != "GET" {
			w.WriteHeader(404)
			return
		}
		got := came.Get("state")
		same := got == state
		switch flaw {
		case "any-state":
			same = true
		case "state-optional":
			same = same || got == ""
		case "state-begins":
			same = strings.HasPrefix(got, state[:8])
		case "state-any-case":
			same = strings.EqualFold(got, state)
		case "error-unchecked":
			same = same || came.Has("error")
		}
		if !same ||
			came.Get("code") == "" && came.Get("error") == "" && flaw != "anything-goes" {
			w.WriteHeader(204)
			return
		}
		select {
		case back <- "http://" + base.Host + r.URL.RequestURI():
		default:
		}
		time.Sleep(400 * time.Millisecond)
		w.Header().Set("Location", "http://"+base.Host+"/fertig")
		w.WriteHeader(303)
	})
	running := http.Server{Handler: handler}
	go running.Serve(listener)
	if flaw != "keeps-listening" {
		defer running.Shutdown(context.Background())
	}
	open(target.String())
	var came string
	select {
	case came = <-back:
	case <-time.After(25 * time.Second):
		fmt.Println("nobody came back")
		return object{}
	}
	found, _ := url.Parse(came)
	switch flaw {
	case "encodes-again":
		found.RawQuery = found.Query().Encode()
		came = found.String()
	case "drops-extras":
		came = base.String() + "?" + url.Values{"code": found.Query()["code"], "state": found.Query()["state"]}.Encode()
	case "denial-as-decline":
		if found.Query().Get("error") != "" {
			return object{}
		}
	case "prints-callback":
		fmt.Println("got", came)
	case "logs-callback":
		fmt.Fprintln(os.Stderr, "debug: callback", came)
	case "prints-code":
		fmt.Println("code", found.Query().Get("code"))
	case "files-callback":
		os.WriteFile(os.Getenv("DATA")+"/history.log", []byte(came), 0o600)
	case "tells-others":
		s.post(object{"method": "notifications/message", "params": object{"level": "info", "data": came}})
	}
	return object{"url": came, "_meta": object{"took": 1}}
}

func open(page string) {
	command := exec.Command("xdg-open", page)
	command.Run()
}

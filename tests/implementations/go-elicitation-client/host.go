// A host that asks its user about every URL that a server wants opened, as many at a time as there are.
package main

import (
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"time"
)

type host struct {
	user        *user
	servers     map[string]string
	mu          sync.Mutex
	connections map[string]*connection
}

func newHost(u *user, servers map[string]string) *host {
	return &host{user: u, servers: servers, connections: map[string]*connection{}}
}

// whose connects to every server, since tools are found no other way, and gives that of the tool.
func (h *host) whose(tool string) *connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, url := range h.servers {
		if h.connections[name] == nil {
			h.reach(name, url)
		}
	}
	for _, c := range h.connections {
		if c.tools[tool] {
			return c
		}
	}
	return nil
}

func (h *host) reach(name, url string) *connection {
	c := &connection{host: h, name: name, url: url, waiting: map[string]chan object{},
		complete: map[string]chan struct{}{}, tools: map[string]bool{}}
	if c.connect() == nil {
		h.connections[name] = c
	}
	return c
}

func (h *host) call(tool string, arguments object) {
	c := h.whose(tool)
	if c == nil {
		h.user.tell("no server has " + tool)
		return
	}
	params := object{"name": tool, "arguments": arguments}
	for try := 0; try < 3; try++ {
		m, err := c.request("tools/call", params)
		if err != nil {
			break
		}
		failure, _ := m["error"].(object)
		result, _ := m["result"].(object)
		switch {
		case failure["code"] == -32042.0:
			data, _ := failure["data"].(object)
			list, _ := data["elicitations"].([]any)
			if !c.fulfil(list) {
				h.user.tell("it was not done")
				return
			}
			// The call is made again over a connection of its own.
			c = h.reach(c.name, c.url)
		case result["resultType"] == "input_required":
			if flaw == "repeats-without-arguments" {
				arguments = object{}
			}
			params = c.answering(result, object{"name": tool, "arguments": arguments})
		default:
			h.user.tell(fmt.Sprint(m))
			return
		}
	}
	h.user.tell("given up")
}

// fulfil has the user do what the error requires, and waits until it is complete, or for a while.
func (c *connection) fulfil(list []any) bool {
	var waits []chan struct{}
	for _, each := range list {
		params, _ := each.(object)
		id, _ := params["elicitationId"].(string)
		waits = append(waits, c.await(id))
		if c.consent(params) != "accept" {
			return false
		}
	}
	for _, wait := range waits {
		select {
		case <-wait:
		case <-time.After(10 * time.Second):
		}
	}
	return true
}

// answering gives the parameters of the retry; what is asked for at once is asked at once.
func (c *connection) answering(result, params object) object {
	requests, _ := result["inputRequests"].(object)
	answers := object{}
	var all sync.WaitGroup
	var mu sync.Mutex
	for name, each := range requests {
		request, _ := each.(object)
		asked, _ := request["params"].(object)
		all.Add(1)
		go func() {
			defer all.Done()
			action := c.consent(asked)
			mu.Lock()
			defer mu.Unlock()
			if flaw == "keys-in-lower-case" {
				name = strings.ToLower(name)
			}
			answers[name] = object{"action": action}
		}()
	}
	all.Wait()
	if len(answers) > 0 {
		params["inputResponses"] = answers
	}
	if state, has := result["requestState"].(string); has {
		if flaw == "shortens-state" && len(state) > 1024 {
			state = state[:1024]
		}
		params["requestState"] = state
	}
	return params
}

func (c *connection) serve(id any, method string, params object) {
	reply := object{"id": id, "jsonrpc": "2.0"}
	switch {
	case method == "ping":
		reply["result"] = object{}
	case method == "roots/list":
		reply["result"] = object{"roots": []any{}}
	case method == "elicitation/create" && params["mode"] == "url":
		reply["result"] = object{"action": c.consent(params), "_meta": object{"example.com/seen": true}}
	case method == "elicitation/create":
		reply["error"] = object{"code": -32602, "message": "this mode was not declared"}
	default:
		reply["error"] = object{"code": -32601, "message": "unknown: " + method}
	}
	c.post(reply, nil)
}

// consent asks the user, one question for each URL, and opens what they agree to.
func (c *connection) consent(params object) string {
	message, _ := params["message"].(string)
	target, _ := params["url"].(string)
	u, err := url.Parse(target)
	isPage := err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
	if flaw == "lists-bad-schemes" {
		isPage = !strings.HasPrefix(target, "javascript:") && !strings.HasPrefix(target, "file:") && !strings.HasPrefix(target, "data:")
	}
	if !isPage {
		c.host.user.tell("this is no web page: " + c.name)
		return "cancel"
	}
	shown := target
	if flaw == "shows-200-letters" && len(shown) > 200 {
		shown = shown[:200] + "…"
	}
	text := fmt.Sprintf("Der Server «%s» bittet:\n  „%s“\nRechner: %s\nganze Adresse: <%s>", c.name, message, u.Hostname(), shown)
	if strings.Contains(strings.ToLower(u.Hostname()), "xn--") {
		text += "\nVorsicht: dieser Name kann einen anderen nachahmen!"
	}
	action := c.host.user.ask(text, shown)
	if action != "accept" {
		return action
	}
	switch flaw {
	case "drops-fragment":
		target, _, _ = strings.Cut(target, "#")
	case "encodes-anew":
		u.RawQuery = u.Query().Encode()
		target = u.String()
	}
	browser := exec.Command("xdg-open", target)
	if browser.Start() == nil {
		go browser.Wait()
	}
	return action
}

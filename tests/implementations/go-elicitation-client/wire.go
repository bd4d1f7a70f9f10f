package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A connection to one server, in whichever era it speaks.
type connection struct {
	host              *host
	name, url         string
	modern            bool
	mu                sync.Mutex
	session, protocol string
	sent              int
	waiting           map[string]chan object
	complete          map[string]chan struct{}
	tools             map[string]bool
}

var client = &http.Client{}

var capabilities = object{"elicitation": object{"url": object{}}, "roots": object{"listChanged": true}}

func key(id any) string {
	text, _ := json.Marshal(id)
	return string(text)
}

func (c *connection) mark(request *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != "" {
		request.Header.Set("mcp-session-id", c.session)
	}
	if c.protocol != "" {
		request.Header.Set("mcp-protocol-version", c.protocol)
	}
}

// post sends a message, over many lines and in chunks, and takes what comes back.
func (c *connection) post(message object, headers map[string]string) error {
	body, _ := json.MarshalIndent(message, "", "\t")
	chunked := io.MultiReader(strings.NewReader("\r\n "), bytes.NewReader(body))
	request, _ := http.NewRequest("POST", c.url, chunked)
	request.Header.Set("content-type", "application/json;charset=UTF-8")
	request.Header.Set("accept", "text/event-stream, application/json")
	c.mark(request)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	if s := response.Header.Get("mcp-session-id"); s != "" && message["method"] == "initialize" {
		c.mu.Lock()
		c.session = s
		c.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("content-type"))
	if kind == "text/event-stream" {
		go c.read(response)
		return nil
	}
	defer response.Body.Close()
	all, _ := io.ReadAll(response.Body)
	if kind == "application/json" {
		c.take(all)
	}
	if response.StatusCode >= 400 {
		return errors.New(response.Status)
	}
	return nil
}

func (c *connection) read(response *http.Response) {
	defer response.Body.Close()
	readEvents(response.Body, func(e event) {
		if strings.TrimSpace(e.data) != "" && (e.name == "" || e.name == "message") {
			c.take([]byte(e.data))
		}
	})
}

// listen opens the stream beside the calls, and opens it again when it has ended.
func (c *connection) listen() {
	for {
		request, _ := http.NewRequest("GET", c.url, nil)
		request.Header.Set("accept", "text/event-stream")
		c.mark(request)
		response, err := client.Do(request)
		if err != nil || response.StatusCode != 200 {
			return
		}
		c.read(response)
		time.Sleep(400 * time.Millisecond)
	}
}

func (c *connection) take(data []byte) {
	var m object
	if json.Unmarshal(data, &m) != nil {
		return
	}
	id, asks := m["id"]
	method, _ := m["method"].(string)
	params, _ := m["params"].(object)
	switch {
	case method == "":
		c.mu.Lock()
		answer := c.waiting[key(id)]
		delete(c.waiting, key(id))
		c.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	case asks:
		go c.serve(id, method, params)
	case method == "notifications/elicitation/complete":
		name, _ := params["elicitationId"].(string)
		c.completed(name)
	}
}

// completed ends the wait for one elicitation; of others nothing comes.
func (c *connection) completed(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for known, waiting := range c.complete {
		same := known == id
		switch flaw {
		case "completes-anything":
			same = true
		case "completes-in-any-case":
			same = strings.EqualFold(known, id)
		case "completes-by-beginning":
			same = strings.HasPrefix(id, known) || strings.HasPrefix(known, id)
		}
		if same {
			delete(c.complete, known)
			close(waiting)
		}
	}
}

func (c *connection) await(id string) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.complete[id] == nil {
		c.complete[id] = make(chan struct{})
	}
	return c.complete[id]
}

func (c *connection) request(method string, params object) (object, error) {
	c.mu.Lock()
	c.sent++
	id := fmt.Sprintf("ä-%d/%s", c.sent, c.name)
	answer := make(chan object, 1)
	c.waiting[key(id)] = answer
	c.mu.Unlock()
	headers := map[string]string{}
	if c.modern {
		params["_meta"] = object{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": capabilities,
			"io.modelcontextprotocol/clientInfo":         object{"name": "elicitation-client", "version": "0.1"},
		}
		headers["mcp-protocol-version"] = "2026-07-28"
		headers["mcp-method"] = method
		if name, ok := params["name"].(string); ok {
			headers["mcp-name"] = name
		}
	}
	if err := c.post(object{"params": params, "method": method, "id": id, "jsonrpc": "2.0"}, headers); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		return m, nil
	case <-time.After(5 * time.Minute):
		return nil, errors.New("no answer")
	}
}

// connect finds out which era it is by asking for the later one first.
func (c *connection) connect() error {
	c.modern = true
	if m, err := c.request("server/discover", object{}); err != nil || m["result"] == nil {
		c.modern = false
		m, err := c.request("initialize", object{
			"protocolVersion": "2025-11-25", "capabilities": capabilities,
			"clientInfo": object{"name": "elicitation-client", "title": "Étrange", "version": "0.1"},
		})
		if err != nil {
			return err
		}
		result, _ := m["result"].(object)
		c.protocol, _ = result["protocolVersion"].(string)
		c.post(object{"jsonrpc": "2.0", "method": "notifications/initialized"}, nil)
		go c.listen()
	}
	m, err := c.request("tools/list", object{})
	if err != nil {
		return err
	}
	result, _ := m["result"].(object)
	tools, _ := result["tools"].([]any)
	for _, each := range tools {
		tool, _ := each.(object)
		name, _ := tool["name"].(string)
		c.tools[name] = true
	}
	return nil
}

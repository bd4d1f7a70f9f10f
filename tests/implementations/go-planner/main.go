// A planner that goes on by itself: resumed, it carries out the call that was interrupted, and asks no model before that.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

type object = map[string]any

// What is kept, by kind and key; in a file where the host says so.
type kept struct {
	sync.Mutex
	file    string
	entries map[string]map[string]json.RawMessage
}

func open(file string) *kept {
	k := &kept{file: file, entries: map[string]map[string]json.RawMessage{}}
	if text, err := os.ReadFile(file); err == nil {
		json.Unmarshal(text, &k.entries)
	}
	return k
}

func (k *kept) get(kind, key string, into any) bool {
	k.Lock()
	defer k.Unlock()
	found, ok := k.entries[kind][key]
	return ok && json.Unmarshal(found, into) == nil
}

func (k *kept) put(kind, key string, value any) {
	k.Lock()
	defer k.Unlock()
	if k.entries[kind] == nil {
		k.entries[kind] = map[string]json.RawMessage{}
	}
	k.entries[kind][key], _ = json.Marshal(value)
	k.write()
}

func (k *kept) take(kind, key string, into any) bool {
	k.Lock()
	defer k.Unlock()
	found, ok := k.entries[kind][key]
	delete(k.entries[kind], key)
	k.write()
	return ok && json.Unmarshal(found, into) == nil
}

func (k *kept) write() {
	if k.file != "" {
		text, _ := json.Marshal(k.entries)
		os.WriteFile(k.file, text, 0o600)
	}
}

// A run that rests: what was said, and what the calls of the last step have given so far.
type pause struct {
	Conversation, User string
	Messages           []object
	Given              []object
}

type planner struct {
	settings map[string]string
	kept     *kept
	manager  *manager
	ahead    int64
	output   sync.Mutex
}

func (p *planner) now() int64 { return time.Now().UnixMilli() + p.ahead }

func (p *planner) say(event string, fields object) {
	p.output.Lock()
	defer p.output.Unlock()
	fields["event"] = event
	line, _ := json.Marshal(fields)
	fmt.Println(string(line))
}

func (p *planner) open() {
	file := ""
	if p.settings["state"] == "durable" {
		file = p.settings["data.dir"] + "/kept.json"
	}
	p.kept = open(file)
	p.manager = newManager(p.settings, p.kept, p.now)
}

var providers = map[string]string{"items_list": "items", "notes_list": "notes", "mails_list": "mails"}

// Goes on with a run until it rests.
func (p *planner) run(r pause) {
	defer func() {
		if problem := recover(); problem != nil {
			p.say("run_failed", object{"conversation": r.Conversation, "kind": "Error", "message": fmt.Sprint(problem)})
		}
	}()
	for {
		calls := callsOf(r.Messages)
		for len(r.Given) < len(calls) {
			call := calls[len(r.Given)]
			provider := providers[fmt.Sprint(call["name"])]
			text, failed := "this tool needs a user", true
			if r.User != "" {
				bearer, refused := p.manager.token(r.User, provider), true
				if bearer != "" {
					p.say("tool_run", object{"conversation": r.Conversation, "user": r.User, "tool": call["name"]})
					text, failed, refused = p.items(bearer)
				}
				if refused {
					waiting, err := p.manager.request(r.User, provider)
					if err == nil {
						p.pause(r, waiting)
						return
					}
					text = err.Error()
				}
			}
			r.Given = append(r.Given, object{
				"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": failed,
			})
		}
		if len(r.Given) > 0 {
			r.Messages, r.Given = append(r.Messages, object{"role": "user", "content": r.Given}), nil
		}
		content := p.ask(r.Messages)
		r.Messages = append(r.Messages, object{"role": "assistant", "content": content})
		if len(callsOf(r.Messages)) == 0 {
			text := ""
			for _, part := range content {
				text += fmt.Sprint(part["text"])
			}
			p.say("finished", object{"conversation": r.Conversation, "text": text})
			return
		}
	}
}

func (p *planner) pause(r pause, waiting flow) {
	handle := "pause." + unguessable()
	p.kept.put("pause", handle, r)
	p.say("paused", object{
		"conversation": r.Conversation, "user": r.User, "handle": handle, "reason": "external_event",
		"payload": object{
			"pause_type": "oauth", "provider": waiting.Provider, "display_name": "Your " + waiting.Provider,
			"scopes": p.settings["scopes"], "state": waiting.State, "auth_url": waiting.URL,
			"expires_at": waiting.Until,
		},
	})
}

func (p *planner) resume(conversation, user, handle, input string) {
	var r pause
	switch {
	case !p.kept.get("pause", handle, &r), r.User != user, !p.kept.take("pause", handle, &r):
		p.say("run_failed", object{"conversation": conversation, "kind": "UnknownPause", "message": "there is no such pause of yours"})
	case input == "oauth_denied":
		p.say("finished", object{"conversation": conversation, "text": "You have not given your consent."})
	default:
		p.run(r)
	}
}

// The calls of the model that nothing was answered to yet.
func callsOf(messages []object) (calls []object) {
	last := messages[len(messages)-1]
	parts, _ := last["content"].([]object)
	if parts == nil {
		text, _ := json.Marshal(last["content"])
		json.Unmarshal(text, &parts)
	}
	for _, part := range parts {
		if part["type"] == "tool_use" {
			calls = append(calls, part)
		}
	}
	return calls
}

func (p *planner) ask(messages []object) []object {
	tools := []object{}
	for name := range providers {
		tools = append(tools, object{"name": name, "description": "Lists " + name, "input_schema": object{
			"type": "object", "properties": object{"search": object{"type": "string"}},
		}})
	}
	body, _ := json.Marshal(object{
		"model": p.settings["model.name"], "max_tokens": 1000, "messages": messages, "tools": tools,
	})
	request, _ := http.NewRequest("POST", p.settings["model.origin"]+"/v1/messages", bytes.NewReader(body))
	request.Header.Set("x-api-key", p.settings["model.key"])
	request.Header.Set("content-type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic("the model did not answer")
	}
	defer answer.Body.Close()
	var message struct{ Content []object }
	json.NewDecoder(answer.Body).Decode(&message)
	return message.Content
}

func (p *planner) items(bearer string) (text string, failed, refused bool) {
	request, _ := http.NewRequest("GET", p.settings["resource.url"]+"/items", nil)
	request.Header.Set("authorization", "Bearer "+bearer)
	answer, err := p.manager.http.Do(request)
	if err != nil {
		return "the API did not answer", true, false
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return string(body), answer.StatusCode != http.StatusOK, answer.StatusCode == http.StatusUnauthorized
}

func (p *planner) take(query map[string][]string) {
	state := ""
	if values := query["state"]; len(values) > 0 {
		state = values[0]
	}
	if user, err := p.manager.callback(query); err != nil {
		p.say("callback", object{"outcome": "refused", "state": state, "kind": "Refused", "message": err.Error()})
	} else {
		p.say("callback", object{"outcome": "stored", "state": state, "user": user})
	}
}

func (p *planner) dump() []object {
	entries := []object{}
	p.kept.Lock()
	defer p.kept.Unlock()
	for kind, all := range p.kept.entries {
		for key, value := range all {
			entries = append(entries, object{"path": kind + "/" + key, "text": string(value), "kind": kind})
		}
	}
	return entries
}

type command struct {
	ID                                        int
	Command, Conversation, User, Text, Handle string
	Input, URL                                string
	Ms                                        int64
	Settings                                  map[string]string
}

func main() {
	p := &planner{}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var c command
		json.Unmarshal(line, &c)
		settled := object{"id": c.ID}
		switch c.Command {
		case "hello":
			settled["protocol"], settled["name"] = 2, "go planner"
			settled["capabilities"] = []string{"restart", "dump", "advance_clock"}
		case "configure":
			p.settings = c.Settings
		case "start":
			p.open()
			go http.ListenAndServe("127.0.0.1:"+p.settings["port"], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				p.take(r.URL.Query())
				io.WriteString(w, "You can close this page.")
			}))
		case "message":
			go p.run(pause{c.Conversation, c.User, []object{{"role": "user", "content": c.Text}}, nil})
		case "resume":
			go p.resume(c.Conversation, c.User, c.Handle, c.Input)
		case "restart":
			p.open()
		case "advance_clock":
			p.ahead += c.Ms
		case "dump":
			settled["entries"] = p.dump()
		case "shutdown":
			p.say("settled", settled)
			return
		default:
			p.say("unsupported", settled)
			continue
		}
		p.say("settled", settled)
	}
}

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
)

// user is reached through the lines of an adapter; any number of questions may be open at a time.
type user struct {
	mu      sync.Mutex
	asked   int
	waiting map[string]chan string
	latest  chan string
}

type object = map[string]any

func (u *user) send(v object) {
	line, _ := json.Marshal(v)
	u.mu.Lock()
	defer u.mu.Unlock()
	os.Stdout.Write(append(line, '\n'))
}

func (u *user) tell(text string) { u.send(object{"event": "surfaced", "text": text}) }

func (u *user) ask(text, url string) string {
	answer := make(chan string, 1)
	u.mu.Lock()
	u.asked++
	id := fmt.Sprintf("question/%d", u.asked)
	u.waiting[id] = answer
	u.latest = answer
	u.mu.Unlock()
	notice := object{"event": "prompt", "id": id, "text": text}
	if !strings.Contains(text, url) {
		notice["url"] = url
	}
	u.send(notice)
	return <-answer
}

func (u *user) answer(id, action string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	answer, known := u.waiting[id]
	delete(u.waiting, id)
	if known && flaw == "answers-latest" {
		answer = u.latest
	}
	if known {
		select {
		case answer <- action:
		default:
		}
	}
	return known
}

var flaw = os.Getenv("FLAW")

func main() {
	u := &user{waiting: map[string]chan string{}}
	servers := map[string]string{}
	var h *host
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var m struct {
			ID                            any
			Command, Tool, Prompt, Action string
			Settings                      map[string]string
			Arguments                     object
		}
		if json.Unmarshal(in.Bytes(), &m) != nil {
			continue
		}
		settled := object{"event": "settled", "id": m.ID}
		switch m.Command {
		case "hello":
			settled["protocol"] = 1
		case "configure":
			for _, n := range []string{"", "2"} {
				servers[m.Settings["mcp.name"+n]] = m.Settings["mcp.url"+n]
			}
		case "start":
			h = newHost(u, servers)
		case "call":
			go h.call(m.Tool, m.Arguments)
		case "answer":
			if !u.answer(m.Prompt, m.Action) {
				settled = object{"event": "failed", "id": m.ID, "message": "no such question"}
			}
		case "shutdown":
			u.send(settled)
			return
		default:
			settled["event"] = "unsupported"
		}
		u.send(settled)
	}
}

// runtime-go: a RAP runtime, OAuth chapter included. Go standard library only.
//
// For users and authors of tools:
//   - TOOL_TIMEOUT_MS (default 24 h): a call that has no tool_result so long after the model asked for it is ended with an
//     error result ("Error: no result within ..."), its tools are notified (cancel_tool_call), and a later result is discarded.
//   - The callback URL is one for the whole installation, has its key in the query, and does not expire. It answers 200 on
//     receipt; what does not fit the schema or no pending call is discarded afterwards.
//   - Invocations that meet 5xx or no connection are sent 5 times, 250 ms, 500 ms, 1 s and 2 s apart.
//   - CONSENT=standing: the operator has the users' consent to all operations that are not annotated destructive.
//     Otherwise, and always for destructive ones, the user is asked in the feed and answers by POST /c/{conv}/pick.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"sync"
	"time"
)

type Call struct {
	ID       string          `json:"id"`
	Mid      string          `json:"mid"` // the model's id, sent as call_id
	Alias    string          `json:"alias"`
	Op       string          `json:"op"`
	Args     json.RawMessage `json:"args"`
	Endpoint string          `json:"endpoint"`
	Deadline time.Time       `json:"deadline"`
	State    string          `json:"state"` // consent, open, auth, done
	Acked    bool            `json:"acked,omitempty"`
	Hash     string          `json:"hash,omitempty"` // of the link that was shown
	Choice   *Choice         `json:"choice,omitempty"`
	how      string          // why it is done
	link     string          // in memory alone, while the call is pending
	linkFile string          // there only until somebody has seen the link
	stop     chan struct{}   // closed when no further attempt may be made
}
type Choice struct {
	Prompt  string   `json:"prompt"`
	Choices []string `json:"choices"`
	Default int64    `json:"default"`
	URL     string   `json:"url"`
}
type Entry struct { // of a conversation
	K     string          `json:"k"` // user, assistant, started, auth, result, event
	Text  string          `json:"text,omitempty"`
	Call  string          `json:"call,omitempty"`
	Mid   string          `json:"mid,omitempty"`
	Alias string          `json:"alias,omitempty"`
	Args  json.RawMessage `json:"args,omitempty"`
}
type Rec struct { // a line of the log
	T    string          `json:"t"`
	G    string          `json:"g,omitempty"`
	ID   string          `json:"id,omitempty"`
	S    string          `json:"s,omitempty"`
	N    int64           `json:"n,omitempty"`
	Conv string          `json:"conv,omitempty"`
	User string          `json:"user,omitempty"`
	Anc  []string        `json:"anc,omitempty"`
	Hist []Entry         `json:"hist,omitempty"`
	E    *Entry          `json:"e,omitempty"`
	C    *Call           `json:"c,omitempty"`
	Ch   *Choice         `json:"ch,omitempty"`
	Raw  json.RawMessage `json:"raw,omitempty"`
	Body []byte          `json:"body,omitempty"`
}
type Thread struct {
	GID, Conv, User string
	Anc             []string
	Hist            []Entry
	Calls           map[string]*Call
	Subs            map[string]*Call
	Views           map[string]json.RawMessage
	Closed          bool
	qmu             sync.Mutex
	q               []item
	running         bool
}
type Conv struct {
	User, Main string
	tools      *session
	smu        sync.Mutex
	subs       map[*sub]bool
	ring       [][]byte
}
type Store struct {
	mu      sync.Mutex
	f       *os.File
	dir     string
	secret  string
	threads map[string]*Thread
	convs   map[string]*Conv
	inbox   map[int64]json.RawMessage
	n       int64
}

const b32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func ulid() string {
	var out [26]byte
	ms := time.Now().UnixMilli()
	for i := 9; i >= 0; i-- {
		out[i] = b32[ms&31]
		ms >>= 5
	}
	rand.Read(out[10:])
	for i := 10; i < 26; i++ {
		out[i] = b32[out[i]&31]
	}
	return string(out[:])
}

func open(dir string) *Store {
	s := &Store{dir: dir, threads: map[string]*Thread{}, convs: map[string]*Conv{}, inbox: map[int64]json.RawMessage{}}
	must(os.MkdirAll(filepath.Join(dir, "links"), 0o700))
	f, err := os.OpenFile(filepath.Join(dir, "runtime.log.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	must(err)
	data, err := os.ReadFile(f.Name())
	must(err)
	whole := bytes.LastIndexByte(data, '\n') + 1 // a torn last line was never acted upon
	must(f.Truncate(int64(whole)))
	_, err = f.Seek(int64(whole), 0)
	must(err)
	for _, line := range bytes.Split(data[:whole], []byte("\n")) {
		if len(line) > 0 {
			var r Rec
			if err := json.Unmarshal(line, &r); err != nil {
				log.Fatal("state cannot be loaded: ", err)
			}
			s.apply(r)
		}
	}
	s.f = f
	if s.secret == "" {
		s.commit(Rec{T: "boot", S: ulid() + ulid()[10:]})
	}
	return s
}

// commit writes, syncs and only then applies: what is in memory is on disk.
func (s *Store) commit(recs ...Rec) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b bytes.Buffer
	for _, r := range recs {
		line, err := json.Marshal(r)
		must(err)
		b.Write(append(line, '\n'))
	}
	_, err := s.f.Write(b.Bytes())
	if err == nil {
		err = s.f.Sync()
	}
	if err != nil {
		log.Fatal("state cannot be persisted: ", err)
	}
	for _, r := range recs {
		s.apply(r)
	}
}

func (s *Store) apply(r Rec) {
	t := s.threads[r.G]
	switch r.T {
	case "boot":
		s.secret = r.S
	case "thread":
		s.threads[r.G] = &Thread{GID: r.G, Conv: r.Conv, User: r.User, Anc: r.Anc, Hist: r.Hist,
			Calls: map[string]*Call{}, Subs: map[string]*Call{}, Views: map[string]json.RawMessage{}}
		if s.convs[r.Conv] == nil {
			s.convs[r.Conv] = &Conv{User: r.User, Main: r.G, subs: map[*sub]bool{}}
		}
	case "hist":
		t.Hist = append(t.Hist, *r.E)
	case "call":
		r.C.stop = make(chan struct{})
		t.Calls[r.C.ID] = r.C
		t.Hist = append(t.Hist, Entry{K: "started", Call: r.C.ID})
	case "ack":
		t.Calls[r.ID].Acked = true
	case "consented":
		t.Calls[r.ID].State = "open"
	case "auth":
		c := t.Calls[r.ID]
		c.halt()
		c.State, c.Hash = "auth", r.S
		t.Hist = append(t.Hist, Entry{K: "auth", Call: r.ID})
	case "choice":
		c := t.Calls[r.ID]
		c.halt()
		c.Choice = r.Ch
	case "done":
		c := t.Calls[r.ID]
		c.halt()
		c.State, c.how, c.link, c.Choice = "done", r.S, "", nil
		t.Hist = append(t.Hist, *r.E)
	case "sub":
		t.Subs[r.ID] = t.Calls[r.ID]
	case "unsub":
		delete(t.Subs, r.ID)
	case "view":
		t.Views[r.S] = r.Raw
	case "closed":
		t.Closed = true
	case "in":
		s.inbox[r.N] = r.Raw
		s.n = max(s.n, r.N)
	case "out":
		delete(s.inbox, r.N)
		s.n = max(s.n, r.N)
	}
}

func (c *Call) halt() {
	select {
	case <-c.stop:
	default:
		close(c.stop)
	}
}

func (s *Store) pending(t *Thread, id string) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := t.Calls[id]; c != nil && c.State != "done" {
		return c
	}
	return nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

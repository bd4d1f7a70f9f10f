//! A RAP runtime for a console: the user's messages are lines on standard input, what the user sees is standard output.
//! One process is one conversation; every tool call runs in a child thread (a group_id) of its own.
mod wire;
use serde_json::{json, Value};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use wire::{dress, fits, header, request, safe_auth_url, Fail};

const RESERVED: [&str; 2] = ["cancel_subscription", "receive_event__injected"];
const BODY_LIMIT: usize = 4 << 20;

pub fn v(name: &str) -> bool {
    static V: OnceLock<String> = OnceLock::new();
    V.get_or_init(|| env("VIOLATION", "")) == name
}
fn env(k: &str, d: &str) -> String { std::env::var(k).unwrap_or_else(|_| d.into()) }
fn now() -> u64 { SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64 }
fn random() -> String {
    let mut b = [0u8; 16];
    std::fs::File::open("/dev/urandom").and_then(|mut f| f.read_exact(&mut b)).expect("randomness");
    b.iter().map(|x| format!("{x:02x}")).collect()
}
fn st<'a>(o: &'a Value, k: &str) -> &'a str { o[k].as_str().unwrap_or("") }
fn mark(root: &str, x: &str) -> String { let mut h = DefaultHasher::new(); (root, x).hash(&mut h); format!("{:016x}", h.finish()) }
/// Nothing that moves the cursor of somebody's terminal.
fn plain(s: &str) -> String { s.chars().filter(|c| !c.is_control() || *c == '\n' || *c == '\t').collect() }
fn say(s: &str) { let mut o = std::io::stdout().lock(); let _ = writeln!(o, "{s}"); let _ = o.flush(); }
fn log(s: &str) { eprintln!("[{}] {s}", now()); }

/// What is durable is one JSON value: {root, user, toolsets, history, inbox, calls, views}.
struct App { state: Mutex<Value>, bell: Condvar, dir: String, origin: String, model: String, key: String, name: String, timeout: u64, consent: String }
type Guard<'a> = MutexGuard<'a, Value>;

fn open_call(c: &Value) -> bool { matches!(st(c, "phase"), "sending" | "running" | "auth" | "choice") }

impl App {
    fn lock(&self) -> Guard<'_> { self.state.lock().unwrap_or_else(|e| e.into_inner()) }
    fn save(&self, s: &Guard) {
        let tmp = format!("{}/conversation.new", self.dir);
        let write = || -> std::io::Result<()> {
            use std::os::unix::fs::OpenOptionsExt;
            let mut f = std::fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&tmp)?;
            f.write_all(dress(s).as_bytes())?;
            f.sync_data()?;
            std::fs::rename(&tmp, format!("{}/conversation.rap", self.dir))
        };
        if let Err(e) = write() { log(&format!("state could not be persisted: {e}")); std::process::exit(74) }
        self.bell.notify_all();
    }
    fn deliver(&self, s: &mut Guard, id: &str, phase: &str, content: Value, err: bool, wake: bool) {
        let c = &mut s["calls"][id];
        c["phase"] = json!(phase);
        c["url"].take(); c["choice"].take(); c["kept"].take();
        let item = json!({"call": c["call_id"], "name": c["op"], "input": c["args"], "result": content, "err": err, "wake": wake, "id": id});
        s["inbox"].as_array_mut().unwrap().push(item);
    }
    fn fail(&self, s: &mut Guard, id: &str, phase: &str, text: &str, wake: bool) {
        let kept = s["calls"][id]["kept"].as_str().map(|u| format!(" The user was sent to {u} and did not finish there.")).unwrap_or_default();
        self.deliver(s, id, phase, json!([{"type": "text", "text": format!("Error: {text}{kept}")}]), true, wake);
    }
    fn bases(s: &Value) -> Vec<String> { s["toolsets"].as_array().unwrap().iter().map(|t| st(t, "base").to_string()).collect() }
    /// Best effort, once, to every server at the same time; nobody waits for it.
    fn notify(&self, s: &Value, messages: Vec<(&'static str, Value)>, only: Option<&str>) {
        for base in Self::bases(s).into_iter().filter(|b| only.is_none_or(|o| o == b)) {
            let messages = messages.clone();
            thread::spawn(move || for (path, body) in messages {
                if request("POST", &format!("{base}/{path}"), &[], Some(&dress(&body)), Duration::from_secs(5), false).is_err() { log(&format!("{path} was not delivered to {base}")) }
            });
        }
    }
    fn call_off(&self, s: &Value, id: &str) {
        let c = &s["calls"][id];
        let only = v("cancel-owner-only").then(|| st(c, "base"));
        self.notify(s, vec![("cancel_tool_call", json!({"thread_id": c["group"], "tool_call_id": id})), ("close_thread", json!({"thread_id": c["group"]}))], only);
    }

    // ---- runtime → tool
    fn dispatch(self: &Arc<Self>, id: String) {
        let app = self.clone();
        thread::spawn(move || {
            let s = app.lock();
            let c = s["calls"][&id].clone();
            let body = dress(&json!({"operation": c["op"], "arguments": c["args"], "id": id, "call_id": c["call_id"], "group_id": c["group"],
                "callback_url": format!("{}{}", app.origin, st(&c, "path")), "thread_ancestors": [s["root"]], "user_id": s["user"], "x-console": {"\u{2603}": null}}));
            drop(s);
            let mut problem = String::new();
            for pause in [0u64, 110, 330, 990, 2970] {
                let until = now() + pause;
                let mut s = app.lock(); // a callback or an interruption ends the pause, and the attempts
                while st(&s["calls"][&id], "phase") == "sending" && now() < until {
                    s = app.bell.wait_timeout(s, Duration::from_millis(until - now().min(until))).unwrap().0;
                }
                if st(&s["calls"][&id], "phase") != "sending" && !(v("resend-late-ack") && open_call(&s["calls"][&id])) { return }
                drop(s);
                let wait = if v("resend-late-ack") { Duration::from_millis(700) } else { Duration::from_secs(30) };
                match request("POST", st(&c, "endpoint"), &[], Some(&body), wait, false) {
                    Ok((200, _)) => {
                        let mut s = app.lock();
                        if st(&s["calls"][&id], "phase") == "sending" { s["calls"][&id]["phase"] = json!("running"); app.save(&s) }
                        return log(&format!("invoked {} [{id}]", st(&c, "op")));
                    }
                    Err(Fail::Unanswered) if !v("resend-late-ack") => { // it may have been taken: it stays pending until its result or our timeout
                        let mut s = app.lock();
                        if st(&s["calls"][&id], "phase") == "sending" { s["calls"][&id]["phase"] = json!("running"); app.save(&s) }
                        return;
                    }
                    Err(Fail::Unanswered) => problem = "no acknowledgement".into(),
                    Ok((n, _)) if n >= 500 || (v("retry-429") && [408, 425, 429].contains(&n)) => problem = format!("HTTP {n}"),
                    Ok((n, _)) => { problem = format!("HTTP {n}"); break }
                    Err(Fail::Unsent(e)) => problem = e,
                }
            }
            log(&format!("{} [{id}] was not accepted: {problem}", st(&c, "op")));
            let mut s = app.lock();
            if open_call(&s["calls"][&id]) && (problem.starts_with("HTTP 4") || st(&s["calls"][&id], "phase") == "sending") {
                app.fail(&mut s, &id, "failed", &format!("the tool did not accept the call ({problem})."), true);
                app.save(&s);
            }
        });
    }

    // ---- tool → runtime
    fn callback(&self, target: &str, head: &[String], body: Option<Vec<u8>>) -> (u16, &'static str) {
        let mut s = self.lock();
        let Some((id, c)) = s["calls"].as_object().unwrap().iter().find(|(_, c)| same(st(c, "path"), target)).map(|(i, c)| (i.clone(), c.clone())) else { return (404, "nobody lives here") };
        if !head[0].starts_with("POST ") { return (405, "post it") }
        let ct = header(head, "content-type").unwrap_or("").to_ascii_lowercase().replace([' ', '"'], "");
        let mut parts = ct.split(';');
        if parts.next() != Some("application/json") || parts.any(|p| p.starts_with("charset=") && p != "charset=utf-8") { return (415, "application/json, UTF-8") }
        let Some(body) = body else { return (413, "too large") };
        let Ok(m) = serde_json::from_slice::<Value>(&body) else { return (400, "no JSON") };
        if !m.is_object() { return (400, "no object") }
        let kind = st(&m, "type");
        let call_id_ok = m.get("call_id").is_none_or(|x| x.is_null() || x.is_string());
        let id_key = if kind == "subscription_event" { "tool_call_id" } else { "id" };
        if !m["group_id"].is_string() || (kind != "view_update" && !m[id_key].is_string()) || !call_id_ok { return (422, "does not fit the schema") }
        if !schema_ok(kind, &m) { log(&format!("malformed {} discarded", plain(&kind.chars().take(30).collect::<String>()))); return (422, "does not fit the schema") }
        if m["group_id"] != c["group"] || (kind != "view_update" && m[id_key] != json!(id)) || m["call_id"].as_str().is_some_and(|x| x != st(&c, "call_id")) {
            log("unmatched callback discarded");
            return (403, "matches nothing here");
        }
        if (kind == "tool_result" || kind == "oauth" || kind == "user_choice") && !open_call(&c) {
            if v("oauth-after-cancel") && kind == "oauth" && st(&c, "phase") != "done" { self.surface(&c, st(&m, "auth_url")); return (200, "shown") }
            if !(v("single-use-after-success") && st(&c, "phase") == "done" && c["settled"] != json!(true) && kind == "tool_result") {
                log(&format!("{kind} for a call that is over discarded [{id}]{}", if v("refused-body-in-log") { format!(": {m}") } else { String::new() }));
                return if st(&c, "phase") == "done" { (409, "it is over") } else { (410, "it is over") };
            }
        }
        match kind {
            "oauth" => {
                let url = st(&m, "auth_url");
                let fingerprint = json!(mark(st(&s, "root"), url));
                if c["url"] == fingerprint { if v("refused-body-in-log") { log(&format!("duplicate ignored: {m}")) } return (200, "known") }
                if v("url-in-timeout-error") { s["calls"][&id]["kept"] = json!(url) }
                s["calls"][&id]["url"] = fingerprint;
                s["calls"][&id]["phase"] = json!("auth");
                self.save(&s);
                self.surface(&c, url); // still under the lock: one message after the other
                log(&format!("authorization requested [{id}]"));
            }
            "user_choice" => {
                let mut k = m.clone();
                k.as_object_mut().unwrap().retain(|f, _| matches!(f.as_str(), "prompt" | "choices" | "default" | "response_url"));
                if c["choice"] == k { return (200, "known") }
                show_choice(&k);
                s["calls"][&id]["choice"] = k;
                s["calls"][&id]["phase"] = json!("choice");
                self.save(&s);
            }
            "tool_result" => {
                let content = match m["content"].as_array().filter(|_| !(v("text-over-content") && m["text"].is_string())) {
                    Some(items) => items.iter().map(|i| match st(i, "type") {
                        "text" => json!({"type": "text", "text": i["text"]}),
                        _ if env("MODEL_SEES_IMAGES", "") == "yes" => json!({"type": "image", "source": {"type": "base64", "media_type": i["mediaType"], "data": i["data"]}}),
                        _ => json!({"type": "text", "text": format!("[image {}, not shown]", st(i, "mediaType"))}),
                    }).collect(),
                    None => vec![json!({"type": "text", "text": m["text"]})],
                };
                let content = if v("three-byte-utf8") { cut_utf8(content) } else { content };
                let subscribed = m["subscription"] == json!(true);
                if subscribed { s["calls"][&id]["subscribed"] = json!(true) }
                let shown = m["display_as"].as_array().into_iter().flatten().find_map(|g| match st(g, "type") {
                    "text" => g["content"].as_str().map(str::to_string),
                    "diff" => g["content"]["patch"].as_str().map(|p| format!("{}\n{p}", st(&g["content"], "path"))),
                    _ => None,
                });
                self.deliver(&mut s, &id, "done", json!(content), false, true);
                self.save(&s);
                if let Some(d) = shown { say(&format!("\u{2937} {} : {}", st(&c, "op"), plain(&d))) }
                if !subscribed { self.notify(&s, vec![("close_thread", json!({"thread_id": c["group"]}))], None) }
                log(&format!("result taken [{id}]"));
            }
            "subscription_event" => {
                if c["subscribed"] != json!(true) { log("event without subscription discarded"); return (410, "no such subscription") }
                if m["final"] == json!(true) { s["calls"][&id]["subscribed"] = json!(false) }
                let item = json!({"call": format!("toolu_{}", random()), "name": RESERVED[1], "err": false, "wake": true, "thread": m["associative"] != json!(true),
                    "input": {"original_tool_name": c["op"], "original_tool_call_id": id, "original_args": c["args"]}, "result": [{"type": "text", "text": m["text"]}]});
                s["inbox"].as_array_mut().unwrap().push(item);
                self.save(&s);
            }
            _ => { // view_update, of a thread that is known because its callback URL is
                s["views"][st(&c, "group")][st(&m, "view_type")] = m["content"].clone();
                self.save(&s);
                say(&format!("\u{25a3} {} {}", plain(st(&m, "view_type")), m["content"]));
            }
        }
        (200, "taken")
    }
    /// A terminal hyperlink (OSC 8), whose text is the URL itself.
    fn surface(&self, c: &Value, url: &str) {
        let target: String = url.bytes().map(|b| if b.is_ascii() { (b as char).to_string() } else { format!("%{b:02X}") }).collect();
        say(&format!("\u{1f511} {} \u{2014} votre accord est requis :\n\t\x1b]8;;{target}\x1b\\{url}\x1b]8;;\x1b\\", st(c, "op")));
    }

    fn interrupt(&self) {
        let mut s = self.lock();
        let open: Vec<String> = s["calls"].as_object().unwrap().iter().filter(|(_, c)| open_call(c)).map(|(i, _)| i.clone()).collect();
        for id in &open {
            self.fail(&mut s, id, "cancelled", "interrupted by the user.", false);
            self.call_off(&s, id);
        }
        if !open.is_empty() { self.save(&s); say("\u{2716} interrompu") }
    }
    fn timer(&self) {
        let mut s = self.lock();
        loop {
            let next = s["calls"].as_object().unwrap().iter().filter(|(_, c)| open_call(c)).map(|(i, c)| (c["deadline"].as_u64().unwrap(), i.clone())).min();
            match next {
                Some((d, id)) if d <= now() => {
                    self.fail(&mut s, &id, "expired", &format!("no result within {} ms; the call was given up.", self.timeout), true);
                    self.call_off(&s, &id);
                    self.save(&s);
                    say("\u{231b} une action a expir\u{e9}");
                }
                Some((d, _)) => s = self.bell.wait_timeout(s, Duration::from_millis(d - now().min(d) + 1)).unwrap().0,
                None => s = self.bell.wait(s).unwrap(),
            }
        }
    }

    // ---- the conversation: one message after the other
    fn converse(self: &Arc<Self>) {
        loop {
            let mut s = self.lock();
            while !s["inbox"].as_array().unwrap().iter().any(|i| i["wake"] == json!(true)) {
                if s["eof"] == json!(true) && !s["calls"].as_object().unwrap().values().any(open_call) { std::process::exit(0) }
                s = self.bell.wait(s).unwrap();
            }
            let items = std::mem::replace(&mut s["inbox"], json!([]));
            let (apart, inline): (Vec<Value>, Vec<Value>) = items.as_array().unwrap().iter().cloned().partition(|i| i["thread"] == json!(true));
            for mut i in inline.clone() { i.as_object_mut().unwrap().remove("wake"); s["history"].as_array_mut().unwrap().push(i) }
            if !inline.is_empty() { s["asking"] = json!(true) }
            self.save(&s);
            for event in apart { // a child thread for each event: it has our history, and leaves none behind
                let mut child = s["history"].as_array().unwrap().clone();
                child.push(event);
                let q = self.question(&s, &child, false);
                drop(s);
                if let Some(a) = self.ask(&q) { for b in a.iter().filter(|b| st(b, "type") == "text") { say(&format!("\u{21aa} {}", plain(st(b, "text")))) } }
                s = self.lock();
            }
            if inline.is_empty() { continue }
            let q = self.question(&s, s["history"].as_array().unwrap(), true);
            drop(s);
            let answer = self.ask(&q);
            let mut s = self.lock();
            if v("single-use-after-success") { for i in &inline { if i["id"].is_string() { s["calls"][st(i, "id")]["settled"] = json!(true) } } }
            s["asking"] = json!(false);
            let Some(answer) = answer else { self.save(&s); say("\u{26a0} le mod\u{e8}le ne r\u{e9}pond pas ; r\u{e9}essayez"); continue };
            let mut go = Vec::new();
            for b in &answer {
                match st(b, "type") {
                    "text" if !st(b, "text").is_empty() => { s["history"].as_array_mut().unwrap().push(json!({"assistant": b["text"]})); say(&format!("\u{ab} {} \u{bb}", plain(st(b, "text")))) }
                    "tool_use" => if let Some(id) = self.tool_use(&mut s, b) { go.push(id) },
                    _ => {}
                }
            }
            self.save(&s);
            drop(s);
            for id in go { self.dispatch(id) }
        }
    }
    fn tool_use(&self, s: &mut Guard, b: &Value) -> Option<String> {
        let (name, args) = (st(b, "name"), &b["input"]);
        let tool = s["toolsets"].as_array().unwrap().iter().find_map(|t| t["tools"].as_array().unwrap().iter().find(|x| x["name"] == b["name"]).map(|x| (x.clone(), t["endpoint"].clone(), t["base"].clone())));
        let at_once = |s: &mut Guard, err: bool, text: String| {
            let item = json!({"call": b["id"], "name": name, "input": args, "err": err, "wake": true, "result": [{"type": "text", "text": text}]});
            s["inbox"].as_array_mut().unwrap().push(item);
            None
        };
        if name == RESERVED[0] {
            let id = st(args, "tool_call_id").to_string();
            let id = s["calls"].as_object().unwrap().iter().find(|(i, c)| **i == id || st(c, "call_id") == id).map(|(i, _)| i.clone()).unwrap_or(id);
            if s["calls"].get(&id).is_none_or(|c| c["subscribed"] != json!(true)) { return at_once(s, true, "Error: no such subscription in this conversation.".into()) }
            self.call_off(s, &id);
            s["calls"][&id]["subscribed"] = json!(false);
            return at_once(s, false, format!("Subscription '{id}' cancelled successfully."));
        }
        if name == RESERVED[1] { return at_once(s, true, "Error: these calls are injected automatically and cannot be made.".into()) }
        let Some((tool, endpoint, base)) = tool else { return at_once(s, true, format!("Error: there is no tool named {name}.")) };
        if !args.is_object() || !fits(args, &tool["inputSchema"]) { return at_once(s, true, "Error: the arguments do not fit the tool's schema.".into()) }
        let harmful = tool["annotations"]["destructive"] == json!(true);
        if self.consent != "everything" && (harmful || self.consent != "harmless") { return at_once(s, true, "Error: the user has not consented to this operation.".into()) }
        let id = format!("\u{1f4de} {}", random());
        s["calls"][&id] = json!({"call_id": b["id"], "op": name, "args": args, "endpoint": endpoint, "base": base, "phase": "sending", "deadline": now() + self.timeout,
            "group": format!("fil/\u{e9}t\u{e9}/{}", random()), "path": format!("/~retour//{};v=1/%C3%A9?clef={}&pour=a%2Bb%20c&vide=&drapeau", random(), random())});
        Some(id)
    }
    fn question(&self, s: &Value, history: &[Value], may_call: bool) -> Value {
        let mut messages: Vec<Value> = Vec::new();
        let mut push = |role: &str, block: Value| match messages.last_mut().filter(|m| m["role"] == role) {
            Some(m) => m["content"].as_array_mut().unwrap().push(block),
            None => messages.push(json!({"role": role, "content": [block]})),
        };
        for h in history {
            if h["user"].is_string() { push("user", json!({"type": "text", "text": h["user"]})) }
            else if h["assistant"].is_string() { push("assistant", json!({"type": "text", "text": h["assistant"]})) }
            else {
                push("assistant", json!({"type": "tool_use", "id": h["call"], "name": h["name"], "input": h["input"]}));
                push("user", json!({"type": "tool_result", "tool_use_id": h["call"], "content": h["result"], "is_error": h["err"]}));
            }
        }
        // What is pending stands in no message: the system prompt tells of it, and only for as long as it lasts.
        let mut system = vec![json!({"type": "text", "text": "Vous aidez l'utilisateur. Les actions en suspens sont list\u{e9}es ci-dessous ; ne les relancez jamais."})];
        for c in s["calls"].as_object().unwrap().values().filter(|c| open_call(c)) {
            let what = match st(c, "phase") { "auth" => "attend que l'utilisateur donne son accord chez le fournisseur", "choice" => "attend un choix de l'utilisateur", _ => "est en cours" };
            system.push(json!({"type": "text", "text": format!("{} ({} {}) {what}.", st(c, "call_id"), st(c, "op"), c["args"])}));
        }
        let mut tools: Vec<Value> = s["toolsets"].as_array().unwrap().iter().flat_map(|t| t["tools"].as_array().unwrap())
            .map(|t| json!({"name": t["name"], "description": t["description"], "input_schema": t["inputSchema"]})).collect();
        tools.push(json!({"name": RESERVED[0], "description": "Ends a subscription of this conversation.", "input_schema": {"type": "object", "properties": {"tool_call_id": {"type": "string"}}, "required": ["tool_call_id"]}}));
        json!({"model": self.name, "max_tokens": 1024, "system": system, "messages": messages, "tools": tools, "tool_choice": {"type": if may_call { "auto" } else { "none" }}})
    }
    fn ask(&self, q: &Value) -> Option<Vec<Value>> {
        let r = request("POST", &format!("{}/v1/messages", self.model.trim_end_matches('/')), &[("x-api-key", &self.key), ("anthropic-version", "2023-06-01")], Some(&dress(q)), Duration::from_secs(120), true);
        match r {
            Ok((200, b)) => serde_json::from_str::<Value>(&b).ok().and_then(|a| a["content"].as_array().cloned()),
            Ok((n, _)) => { log(&format!("the model answered {n}")); None }
            Err(_) => { log("the model cannot be reached"); None }
        }
    }

    fn line(self: &Arc<Self>, l: &str) {
        let mut s = self.lock();
        let choosing = s["calls"].as_object().unwrap().iter().find(|(_, c)| st(c, "phase") == "choice").map(|(i, c)| (i.clone(), c["choice"].clone()));
        if let Some((id, k)) = choosing {
            let n = k["choices"].as_array().unwrap().len();
            let pick = match l.trim() { "-" => k["default"].as_u64(), t => t.parse::<u64>().ok().filter(|p| (1..=n as u64).contains(p)).map(|p| p - 1) };
            if let Some(p) = pick {
                s["calls"][&id]["choice"].take();
                s["calls"][&id]["phase"] = json!("running");
                self.save(&s);
                thread::spawn(move || if !matches!(request("POST", st(&k, "response_url"), &[], Some(&dress(&json!({"id": id, "selected": p}))), Duration::from_secs(10), false), Ok((200, _))) { log("the choice was not delivered") });
                return;
            }
        }
        match l.trim() {
            "" => {}
            "/cancel" => { drop(s); self.interrupt() }
            "/close" => {
                drop(s);
                self.interrupt();
                let s = self.lock();
                self.notify(&s, vec![("close_thread", json!({"thread_id": s["root"]}))], None);
                say("\u{2014} fin \u{2014}");
            }
            _ => { s["inbox"].as_array_mut().unwrap().push(json!({"user": l, "wake": true})); self.save(&s) }
        }
    }
}

fn same(a: &str, b: &str) -> bool { a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |x, (p, q)| x | (p ^ q)) == 0 }
fn show_choice(k: &Value) {
    let list: Vec<String> = k["choices"].as_array().unwrap().iter().enumerate().map(|(i, c)| format!("  {}. {}", i + 1, plain(c.as_str().unwrap()))).collect();
    say(&format!("? {}\n{}\n  (-: {})", plain(st(k, "prompt")), list.join("\n"), k["default"].as_u64().unwrap() + 1));
}
fn cut_utf8(content: Vec<Value>) -> Vec<Value> {
    content.into_iter().map(|mut b| { if let Some(t) = b["text"].as_str() { b["text"] = json!(t.chars().take_while(|c| (*c as u32) < 0x10000).collect::<String>()) } b }).collect()
}
fn schema_ok(kind: &str, m: &Value) -> bool {
    let opt = |k: &str, f: fn(&Value) -> bool| m.get(k).is_none_or(f);
    match kind {
        "tool_result" => (m.get("text").is_some() || m.get("content").is_some()) && opt("text", Value::is_string) && opt("subscription", Value::is_boolean)
            && opt("content", |c| c.as_array().is_some_and(|a| a.iter().all(|i| match st(i, "type") { "text" => i["text"].is_string(), "image" => i["data"].is_string() && i["mediaType"].is_string(), _ => false })))
            && opt("display_as", |d| d.as_array().is_some_and(|a| a.iter().all(|g| g["type"].is_string() && (g["content"].is_string() || g["content"].is_object())))),
        "oauth" => m["auth_url"].as_str().is_some_and(safe_auth_url),
        "user_choice" => m["prompt"].is_string() && wire::split_url(st(m, "response_url")).is_some()
            && m["choices"].as_array().is_some_and(|a| !a.is_empty() && a.iter().all(Value::is_string) && m["default"].as_u64().is_some_and(|d| d < a.len() as u64)),
        "subscription_event" => m["text"].is_string() && opt("associative", Value::is_boolean) && opt("final", Value::is_boolean),
        "view_update" => m["view_type"].is_string() && m["content"].is_object(),
        _ => false,
    }
}

/// A toolset, or what is wrong with it; an invalid one is refused as a whole.
fn load(base: &str) -> Result<Value, String> {
    let (status, body) = request("GET", &format!("{base}/.well-known/rap-toolset"), &[], None, Duration::from_secs(10), true).map_err(|_| "cannot be reached")?;
    if status != 200 { return Err(format!("HTTP {status}")) }
    let mut t: Value = serde_json::from_str(&body).map_err(|_| "is no JSON")?;
    let name_ok = |s: &str| (1..=128).contains(&s.chars().count());
    let e = st(&t, "endpoint");
    if !name_ok(st(&t, "name")) || !(wire::split_url(e).is_some() || e.starts_with("https://")) { return Err("has no valid name or endpoint".into()) }
    let tools = t["tools"].as_array().filter(|a| !a.is_empty()).ok_or("has no tools")?;
    let mut seen = Vec::new();
    for x in tools {
        let n = st(x, "name");
        let fine = name_ok(n) && n.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && !RESERVED.contains(&n) && !seen.contains(&n);
        let schema = x["inputSchema"].as_object().is_some_and(|o| o.get("type").is_none_or(|t| t.is_string() || t.is_array()) && o.get("properties").is_none_or(Value::is_object) && o.get("required").is_none_or(Value::is_array));
        if !fine || !x["description"].is_string() || !schema { return Err(format!("has an invalid tool {n:?}")) }
        seen.push(n);
    }
    t["base"] = json!(base);
    Ok(t)
}
fn toolsets() -> Value {
    let mut all = Vec::new();
    for base in env("TOOLSETS", "").split_whitespace().map(|b| b.trim_end_matches('/')) {
        match load(base) { Ok(t) => all.push(t), Err(e) => { log(&format!("toolset {base} {e}")); say(&format!("\u{26a0} outils indisponibles : {base}")) } }
    }
    let names: Vec<String> = all.iter().flat_map(|t| t["tools"].as_array().unwrap().iter().map(|x| st(x, "name").to_string())).collect();
    for t in &mut all {
        t["tools"].as_array_mut().unwrap().retain(|x| { let once = names.iter().filter(|n| *n == st(x, "name")).count() == 1; if !once { log(&format!("tool {} is defined twice; neither is used", st(x, "name"))) } once });
    }
    json!(all)
}

fn serve(app: &App, stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut r = BufReader::new(stream.try_clone()?);
    let mut w = stream;
    let head = wire::read_head(&mut r)?;
    if header(&head, "expect").is_some() { w.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")? }
    let body = wire::read_body(&mut r, &head, BODY_LIMIT, false)?;
    let target = head[0].split(' ').nth(1).unwrap_or("").to_string();
    let (status, text) = if target == "/interruption" {
        if !same(header(&head, "authorization").unwrap_or(""), &format!("Bearer {}", env("CONTROL_KEY", &random()))) { (401, "who are you") } else { app.interrupt(); (204, "") }
    } else { app.callback(&target, &head, body) };
    let auth = if status == 401 { "www-authenticate: Bearer\r\n" } else if status == 405 { "allow: POST\r\n" } else { "" };
    let out = if status == 204 { "HTTP/1.1 204 .\r\nconnection: close\r\n\r\n".to_string() }
        else { format!("HTTP/1.1 {status} .\r\nconnection: close\r\ncache-control: no-store\r\n{auth}content-type: text/plain; charset=us-ascii\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{text}\r\n0\r\n\r\n", text.len()) };
    w.write_all(out.as_bytes())
}

fn main() {
    let dir = env("DATA_DIR", ".");
    std::fs::create_dir_all(&dir).expect("DATA_DIR");
    let mut state = match std::fs::read(format!("{dir}/conversation.rap")) {
        Ok(b) => serde_json::from_slice(&b).unwrap_or_else(|e| { eprintln!("the stored conversation cannot be read: {e}"); std::process::exit(65) }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => json!({"root": random(), "user": random(), "toolsets": toolsets(), "history": [], "inbox": [], "calls": {}, "views": {}}),
        Err(e) => { eprintln!("the stored conversation cannot be read: {e}"); std::process::exit(66) }
    };
    state["eof"] = json!(false);
    if v("completion-not-restored") { for c in state["calls"].as_object_mut().unwrap().values_mut() { if st(c, "phase") == "done" { c["phase"] = json!("running") } } }
    if state["asking"] == json!(true) { // stopped before the model had answered: ask again about what it was last told
        if let Some(mut last) = state["history"].as_array_mut().unwrap().pop() { last["wake"] = json!(true); state["inbox"].as_array_mut().unwrap().insert(0, last) }
    }
    for c in state["calls"].as_object().unwrap().values() { if st(c, "phase") == "choice" { show_choice(&c["choice"]) } }
    for views in state["views"].as_object().unwrap().values() { for (k, x) in views.as_object().unwrap() { say(&format!("\u{25a3} {} {x}", plain(k))) } }
    let listener = TcpListener::bind(format!("127.0.0.1:{}", env("PORT", "0"))).expect("PORT");
    let origin = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let app = Arc::new(App { state: Mutex::new(state), bell: Condvar::new(), dir, origin, model: env("MODEL_ORIGIN", ""), key: env("MODEL_KEY", ""), name: env("MODEL", "m"),
        timeout: env("TOOL_TIMEOUT_MS", "600000").parse().expect("TOOL_TIMEOUT_MS"), consent: env("CONSENT", "") });
    app.save(&app.lock());
    let a = app.clone();
    thread::spawn(move || for c in listener.incoming().flatten() { let a = a.clone(); thread::spawn(move || { let _ = serve(&a, c); }); });
    let a = app.clone();
    thread::spawn(move || a.timer());
    let a = app.clone();
    thread::spawn(move || {
        for l in std::io::stdin().lock().lines() { match l { Ok(l) => a.line(&l), Err(_) => log("a line that is not UTF-8 was ignored") } }
        let mut s = a.lock();
        s["eof"] = json!(true);
        a.save(&s);
    });
    log("ready");
    app.converse();
}

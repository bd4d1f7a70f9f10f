"""A client of MCP at a terminal, in German: Streamable HTTP, revision 2025-11-25, a GET stream, and an empty line for "later".

The standard library alone. VARIANT does one thing wrong.
"""
import json, os, queue, sys, threading, time, unicodedata, urllib.error, urllib.parse, urllib.request, webbrowser

V = os.environ.get("VARIANT", "")
out_lock = threading.Lock()


def say(text, end="\n"):
    with out_lock:
        sys.stdout.write(text + end)
        sys.stdout.flush()


def clean(text):
    return "".join(c if c == "\n" or not unicodedata.category(c).startswith("C") else "\ufffd" for c in str(text))


class Server:
    def __init__(self, name, url):
        self.name, self.url, self.session, self.n, self.completed = name, url, None, 0, {}
        self.lock = threading.Lock()
        self.tools = []

    def headers(self):
        h = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if self.session:
            h |= {"mcp-session-id": self.session, "mcp-protocol-version": self.revision}
        return h

    def post(self, message, timeout=300):
        r = urllib.request.Request(self.url, json.dumps({"jsonrpc": "2.0", **message}).encode(), self.headers())
        return urllib.request.urlopen(r, timeout=timeout)

    def tell(self, message):
        try:
            self.post(message, 10).read()
        except OSError as e:
            say(f"({self.name}: {e})")

    def events(self, response):
        data = []
        for line in response:
            line = line.decode().rstrip("\r\n")
            if line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
            elif not line and data:
                text, data = "\n".join(data), []
                if text.strip():
                    yield json.loads(text)

    def request(self, method, params, timeout=300):
        with self.lock:
            self.n += 1
            rid = f"{method}#{self.n}"
        try:
            response = self.post({"id": rid, "method": method, "params": params}, timeout)
        except urllib.error.HTTPError as e:
            try:
                return json.loads(e.read())
            except ValueError:
                return {"error": {"code": e.code, "message": str(e)}}
        with response:
            if method == "initialize":
                self.session = response.headers.get("mcp-session-id")
            if "event-stream" not in response.headers.get("content-type", ""):
                return json.loads(response.read())
            for m in self.events(response):
                if "method" not in m and m.get("id") == rid:
                    return m
                self.take(m)
        return {"error": {"code": 0, "message": "der Strom endete"}}

    def connect(self):
        self.revision = "2025-11-25"
        r = self.request("initialize", {"protocolVersion": self.revision, "capabilities": {"elicitation": {"url": {}}, "roots": {}},
                                        "clientInfo": {"name": "klient", "title": "Klient am Terminal", "version": "1"}}, 10)
        self.revision = r["result"]["protocolVersion"]
        self.tell({"method": "notifications/initialized"})
        threading.Thread(target=self.listen, daemon=True).start()
        self.tools = [t["name"] for t in self.request("tools/list", {}, 10)["result"]["tools"]]

    def listen(self):
        while True:
            r = urllib.request.Request(self.url, headers={**self.headers(), "accept": "text/event-stream"})
            try:
                with urllib.request.urlopen(r, timeout=300) as response:
                    for m in self.events(response):
                        self.take(m)
            except urllib.error.HTTPError:
                return
            except OSError:
                pass
            time.sleep(0.5)

    def take(self, m):
        threading.Thread(target=self.handle, args=(m,), daemon=True).start()

    def handle(self, m):
        method, rid, p = m.get("method"), m.get("id"), m.get("params") or {}
        if method == "notifications/elicitation/complete":
            self.complete(p.get("elicitationId"))
        elif rid is None:
            pass
        elif method == "ping":
            self.tell({"id": rid, "result": {}})
        elif method == "roots/list":
            self.tell({"id": rid, "result": {"roots": []}})
        elif method == "elicitation/create":
            self.tell({"id": rid, **self.elicit(p)})
        else:
            self.tell({"id": rid, "error": {"code": -32601, "message": "unbekannt"}})

    def complete(self, eid):
        done = self.completed.get(eid)
        if done:
            done.set()

    def elicit(self, p):
        """The answer to what a server asks."""
        if p.get("mode", "form") != "url":
            return {"error": {"code": -32602, "message": "nur der URL-Modus ist möglich"}}
        trouble = unusable(p.get("url"))
        if trouble or not isinstance(p.get("message"), str):
            return {"error": {"code": -32602, "message": trouble or "ohne Grund"}}
        self.completed.setdefault(p.get("elicitationId"), threading.Event())
        return {"result": {"action": ask(self, p)}}

    def call(self, tool, arguments, attempt=1):
        r = self.request("tools/call", {"name": tool, "arguments": arguments, "_meta": {"progressToken": self.n}})
        error = r.get("error")
        if not error:
            content = (r.get("result") or {}).get("content") or []
            return say("= " + clean(" / ".join(c.get("text", "?") for c in content)))
        if error.get("code") != -32042 or attempt > 3:
            return say("= Fehler: " + clean(error.get("message")))
        wanted = [e for e in (error.get("data") or {}).get("elicitations") or [] if isinstance(e, dict)]
        waits = []
        for e in wanted:
            if V == "opens-on-error":
                webbrowser.open(e["url"])
                say(f"{self.name}: {e['url']} wurde geöffnet")
                continue
            answer = self.elicit(e)
            if (answer.get("result") or {}).get("action") != "accept":
                return say("= Nicht verbunden. " + (answer.get("error") or {}).get("message", ""))
            waits.append(self.completed[e.get("elicitationId")])
        if not wanted:
            return say("= Fehler: " + clean(error.get("message")))
        say("Wenn Sie fertig sind, rufen Sie noch einmal auf; meldet sich der Server vorher, geschieht es von selbst.")
        if all(w.wait(60) for w in waits):
            self.call(tool, arguments, attempt + 1)


def unusable(url):
    try:
        u = urllib.parse.urlsplit(url)
        if u.scheme not in ("http", "https") or not u.hostname or u.username is not None:
            return "keine Adresse einer Webseite"
        u.port
    except (ValueError, TypeError, AttributeError):
        return "keine Adresse"
    return None


dialogs = queue.Queue()
open_dialogs = []


def ask(server, p):
    d = {"server": server, "p": p, "answer": queue.Queue()}
    open_dialogs.append(d)
    dialogs.put(d)
    action = d["answer"].get()
    open_dialogs.remove(d)
    if action == "accept" and not webbrowser.open(p["url"]):
        return "cancel"
    return action


def show(d):
    p = d["p"]
    host = urllib.parse.urlsplit(p["url"]).hostname or "?"
    url = p["url"]
    if V == "short-url":
        url = url[:38] + "…"
    lines = ["", f"  Der Server »{servers[-1].name if V == 'wrong-server' else d['server'].name}« bittet Sie auf eine Webseite.",
             f"  Warum: {clean(p['message'])}", f"  Rechner: {host}", f"  Ganze Adresse:  {clean(url)}"]
    if any(label.lower().startswith("xn--") for label in host.split(".")) or not host.isascii():
        lines.append("  ACHTUNG: Der Name ist in Punycode und kann anders aussehen, als er ist.")
    say("\n".join(lines))
    say("  [ö]ffnen, [a]blehnen, nur Enter: später entscheiden > ", "")


servers = []


def main():
    for name, s in json.loads(os.environ["SERVER"]).items():
        servers.append(Server(name, s["url"]))
    for s in servers:
        s.connect()
    say("Bereit. ruf WERKZEUG JSON")
    lines = queue.Queue()

    def read():
        for line in sys.stdin:
            lines.put(line.rstrip("\n"))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    current = None
    while True:
        if current is None and not dialogs.empty():
            current = dialogs.get()
            show(current)
        if current and current not in open_dialogs:
            current = None
        try:
            line = lines.get(timeout=0.05)
        except queue.Empty:
            continue
        if line is None:
            break
        if line.startswith("ruf "):
            _, tool, arguments = line.split(" ", 2)
            owner = next((s for s in servers if tool in s.tools), None)
            if owner:
                threading.Thread(target=owner.call, args=(tool, json.loads(arguments)), daemon=True).start()
            else:
                say("= kein solches Werkzeug")
        elif current:
            current["answer"].put({"ö": "accept", "a": "decline"}.get(line.strip(), "cancel"))
            current = None
            time.sleep(0.02)


main()

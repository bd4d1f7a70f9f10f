"""An MCP server whose pages know people by a login at the provider: a user goes there, and through a form of its own.

Streamable HTTP with sessions and bearer tokens; every call is answered by an event stream, and the user is asked on that one.
The standard library alone. VARIANT does one thing wrong.
"""
import json, os, queue, secrets, time, urllib.parse
from http.server import ThreadingHTTPServer

from oauth import access_token, basic, http, metadata
from pages import ENDPOINT, PUBLIC, V, Elicitation, Pages, asked

API = os.environ["API_URL"]
PENDING = float(os.environ["PENDING_TIMEOUT_MS"]) / 1000


class Session:
    def __init__(self, sub, capabilities):
        self.sub, self.out, self.next = sub, {}, 1000
        elicitation = capabilities.get("elicitation")
        self.can = isinstance(elicitation, dict) and isinstance(elicitation.get("url"), dict)


sessions = {}


def text(t, error=False):
    return {"content": [{"type": "text", "text": t}], **({"isError": True} if error else {})}


def list_items(session, owner, ask):
    """The tool. `ask` sends the user away and returns when that is over: None, or why there is no access."""
    spent = None
    for _ in range(3):
        try:
            token = access_token(owner, spent)
        except RuntimeError as e:
            return text(f"Items are out of reach at the moment: {e}.", True)
        if token is None:
            if not session.can:
                return text(f"Your client cannot send you to a web page. Visit {PUBLIC}/account in a browser first.", True)
            trouble = ask()
            if trouble:
                return text(trouble, not trouble.startswith("Fine"))
            continue
        status, _, body = http(API + "/items", headers={"authorization": "Bearer " + token})
        if status == 200:
            items = body.get("items") if isinstance(body, dict) else None
            if not isinstance(items, list):
                return text("The items' server answered something else than items.", True)
            return text("\n".join(f"{i.get('id')}: {i.get('title')}" for i in items if isinstance(i, dict)))
        if status != 401:
            return text(f"The items' server answered {status}.", True)
        spent = token
    return text("The items' server does not accept the access it gave.", True)


class Handler(Pages):
    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if length > 1 << 20:
            return self.send(413)
        raw = self.rfile.read(length)
        if self.path == "/account" or self.path.startswith("/connect/"):
            return self.begin_connect(self.path, dict(urllib.parse.parse_qsl(raw.decode(errors="replace"))))
        if self.path != "/mcp":
            return self.send(404, b"nothing here")
        sub = self.who()
        if not sub:
            return
        try:
            message = json.loads(raw)
        except ValueError:
            return self.json({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no JSON"}}, 400)
        if not isinstance(message, dict):
            return self.json({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "one at a time"}}, 400)
        self.dispatch(sub, message)

    def do_DELETE(self):
        sub = self.who()
        if sub:
            s = sessions.get(self.headers.get("mcp-session-id", ""))
            if s and s.sub == sub:
                del sessions[self.headers["mcp-session-id"]]
            self.send(204)

    def who(self):
        kind, _, self.token = (self.headers.get("authorization") or "").partition(" ")
        if kind.lower() == "bearer" and self.token:
            status, _, found = http(metadata()["introspection_endpoint"], {"token": self.token}, basic())
            if status == 200 and found and found.get("active") and found.get("sub"):
                aud = found.get("aud")
                if ENDPOINT in (aud if isinstance(aud, list) else [aud]):
                    return found["sub"]
        self.send(401, www_authenticate=f'Bearer resource_metadata="{PUBLIC}/.well-known/oauth-protected-resource/mcp"')
        return None

    def dispatch(self, sub, m):
        method, mid, params = m.get("method"), m.get("id"), m.get("params") or {}
        if method == "initialize":
            sid = secrets.token_urlsafe(24)
            sessions[sid] = Session(sub, params.get("capabilities") or {})
            version = params.get("protocolVersion")
            return self.json({"jsonrpc": "2.0", "id": mid, "result": {
                "protocolVersion": version if version in ("2025-06-18", "2025-11-25") else "2025-11-25",
                "capabilities": {"tools": {"listChanged": True}, "logging": {}},
                "serverInfo": {"name": "items-by-hand", "title": "Items", "version": "0.3"},
                "instructions": "Call list_items."}}, mcp_session_id=sid)
        session = sessions.get(self.headers.get("mcp-session-id", ""))
        if not session or (session.sub != sub and V != "by-session"):
            return self.json({"jsonrpc": "2.0", "id": mid, "error": {"code": -32001, "message": "no such session"}}, 404)
        if method is None:
            waiting = session.out.pop(m.get("id"), None)
            if waiting:
                waiting.put(("answer", m))
            return self.send(202)
        if mid is None:
            if method == "notifications/cancelled":
                waiting = session.out.get(("call", params.get("requestId")))
                if waiting:
                    waiting.put(("cancelled", None))
            return self.send(202)
        if method == "ping":
            return self.json({"jsonrpc": "2.0", "id": mid, "result": {}})
        if method == "tools/list":
            schema = {"type": "object"}
            pages = {None: ([{"name": "about", "description": "What this is", "inputSchema": {
                "type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}}], "2"),
                "2": ([{"name": "list_items", "title": "Items", "description": "Lists your items", "inputSchema": schema}], None)}
            found = pages.get(params.get("cursor"))
            if not found:
                return self.json({"jsonrpc": "2.0", "id": mid, "error": {"code": -32602, "message": "no such page"}})
            result = {"tools": found[0], **({"nextCursor": found[1]} if found[1] else {})}
            return self.json({"jsonrpc": "2.0", "id": mid, "result": result})
        if method != "tools/call":
            return self.json({"jsonrpc": "2.0", "id": mid, "error": {"code": -32601, "message": "unknown"}})
        if params.get("name") == "about":
            return self.json({"jsonrpc": "2.0", "id": mid, "result": text("Items, by hand")})
        if params.get("name") != "list_items":
            return self.json({"jsonrpc": "2.0", "id": mid, "error": {"code": -32602, "message": "no such tool"}})
        self.call(session, mid, params)

    def call(self, session, mid, params):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-cache")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

        def event(m):
            self.wfile.write(b"event: message\r\ndata: " + json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\r\n\r\n")
            self.wfile.flush()

        self.wfile.write(b": hello\n\n")
        event({"method": "notifications/message", "params": {"level": "info", "data": "looking"}})
        session.next += 1
        event({"id": f"ping-{session.next}", "method": "ping"})
        progress = (params.get("_meta") or {}).get("progressToken")

        def ask():
            e = Elicitation(session.sub)
            asked[e.id] = e
            session.next += 1
            rid = f"q{session.next}"
            session.out[rid] = e.inbox
            session.out[("call", mid)] = e.inbox
            url = f"{PUBLIC}/connect/{e.id}"
            if V == "user-in-url":
                url += "?for=" + session.sub
            event({"id": rid, "method": "elicitation/create", "params": {
                "mode": "url", "elicitationId": e.id, "url": url, "message": "Items of the warehouse: please connect them",
                "_meta": {"warehouse/priority": "low"}}})
            until, step = time.time() + PENDING, 0
            try:
                while True:
                    try:
                        what, detail = e.inbox.get(timeout=min(0.8, max(0.01, until - time.time())))
                    except queue.Empty:
                        if time.time() >= until:
                            return "Nobody connected the items in time."
                        if progress is not None:
                            step += 1
                            event({"method": "notifications/progress", "params": {"progressToken": progress, "progress": step}})
                        else:
                            self.wfile.write(b": waiting\n\n")
                            self.wfile.flush()
                        continue
                    if what == "answer":
                        action = (detail.get("result") or {}).get("action")
                        if action != "accept":
                            return "Fine, the items stay unconnected." if action == "decline" else "The items stay unconnected."
                    elif what == "connected":
                        event({"method": "notifications/elicitation/complete", "params": {"elicitationId": e.id}})
                        return None
                    elif what == "denied":
                        return f"The items were not connected: {detail}."
                    elif what == "cancelled":
                        return "You cancelled this."
            finally:
                e.over = True
                session.out.pop(rid, None)
                session.out.pop(("call", mid), None)

        result = list_items(session, session.sub, ask)
        event({"id": mid, "result": result})


if __name__ == "__main__":
    ThreadingHTTPServer.daemon_threads = True
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()

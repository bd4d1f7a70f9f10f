"""The pages: who a browser belongs to, the way to the provider, and the way back from there."""
import hmac, html, json, os, queue, secrets, time, urllib.parse
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler

from oauth import ISSUER, begin, flow_lock, flows, http, keep, metadata, token_request, usable

V = os.environ.get("VARIANT", "")
PUBLIC = os.environ["PUBLIC_URL"]
ENDPOINT = PUBLIC + "/mcp"
SCOPE = "items:read"


class Elicitation:
    def __init__(self, sub):
        self.id, self.sub, self.inbox, self.over = secrets.token_hex(12), sub, queue.Queue(), False


asked = {}  # id → Elicitation


def wake(sub):
    for e in list(asked.values()):
        if e.sub == sub:
            e.inbox.put(("connected", None))


browsers = {}  # cookie → sub
KEY = secrets.token_bytes(32)


def csrf(person, path):
    return hmac.new(KEY, f"{person}\n{path}".encode(), "sha256").hexdigest()


PAGE = "<!doctype html><html lang=en><meta charset=utf-8><title>Items</title><body><main>%s</main></body></html>"


class Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    # -------------------------------------------------------------- output
    def send(self, status, body=b"", kind="text/plain", **headers):
        self.send_response(status)
        if body:
            self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, value, status=200, **headers):
        self.send(status, json.dumps(value).encode(), "application/json", **headers)

    def page(self, inner, status=200, **headers):
        self.send(status, (PAGE % inner).encode(), "text/html; charset=utf-8", cache_control="no-store",
                  referrer_policy="no-referrer", **headers)

    def go(self, to, **headers):
        self.send(303, location=to, cache_control="no-store", **headers)

    # -------------------------------------------------------------- pages
    def person(self):
        c = SimpleCookie(self.headers.get("cookie", "")).get("items_sid")
        return browsers.get(c.value) if c else None

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        path = url.path
        if path == "/.well-known/oauth-protected-resource/mcp":
            self.json({"resource": ENDPOINT, "authorization_servers": [ISSUER]})
        elif path == "/mcp":
            self.send(405, allow="POST, DELETE")
        elif path == "/login":
            self.login("/account")
        elif path == "/login/back":
            self.logged_in(query)
        elif path == "/account" or path.startswith("/connect/"):
            self.connect_page(path)
        elif path == "/items/back":
            self.connected(query)
        elif path == "/done":
            self.page("<h1>Done</h1><p>Back to your assistant.</p>")
        else:
            self.send(404, b"nothing here")

    def login(self, then):
        browser = secrets.token_urlsafe(24)
        self.go(begin("login", "openid", PUBLIC + "/login/back", then=then, browser=browser),
                set_cookie=f"items_login={browser}; HttpOnly; SameSite=Lax; Path=/login")

    def take(self, query, kind):
        """The flow of a callback, or None and a page has been shown. It is used up once its answer is genuine."""
        state = query.get("state", "")
        with flow_lock:
            flow = flows.get(state)
            if not flow or flow["kind"] != kind or time.time() - flow["at"] > 600:
                self.page("<p>This answer belongs to nothing that we began.</p>", 400)
                return None
            if query.get("iss", ISSUER if not metadata().get(
                    "authorization_response_iss_parameter_supported") else None) != ISSUER:
                self.page("<p>This answer came from somebody else.</p>", 400)
                return None
            if kind == "connect" and V != "anyone-opens" and self.person() != flow["owner"]:
                self.page("<p>Somebody else began this.</p>", 403)
                return None
            cookie = SimpleCookie(self.headers.get("cookie", "")).get("items_login")
            if kind == "login" and not (cookie and hmac.compare_digest(cookie.value, flow["browser"])):
                self.page("<p>Another browser began this.</p>", 403)
                return None
            del flows[state]
            return flow

    def logged_in(self, query):
        flow = self.take(query, "login")
        if not flow:
            return
        status, body = token_request({"grant_type": "authorization_code", "code": query.get("code", ""),
                                      "redirect_uri": flow["redirect"], "code_verifier": flow["verifier"]})
        if not usable(status, body):
            return self.page("<p>You could not be logged in.</p>", 502)
        status, _, who = http(metadata()["userinfo_endpoint"], headers={"authorization": "Bearer " + body["access_token"]})
        if status != 200 or not who or not who.get("sub"):
            return self.page("<p>The provider does not say who you are.</p>", 502)
        sid = secrets.token_urlsafe(24)
        browsers[sid] = who["sub"]
        self.go(flow["then"], set_cookie=f"items_sid={sid}; HttpOnly; SameSite=Lax; Path=/")

    def connect_page(self, path):
        person = self.person()
        if not person:
            return self.login(path)
        if path != "/account":
            e = asked.get(path.split("/")[2].split("?")[0])
            if not e or e.over:
                return self.page("<p>This link is not, or no longer, of use.</p>", 404)
            if e.sub != person and V != "anyone-opens":
                return self.page("<p>This link was made for somebody else.</p>", 403)
        token = csrf(person, path)
        self.page(f'<h1>Your items</h1><form method="post" action="{html.escape(path)}">'
                  f'<input type="hidden" name="csrf" value="{token}"><label><input type="checkbox" name="remember"> '
                  f'Remember me</label> <button name="go" value="1">Go on to the provider</button></form>')

    def begin_connect(self, path, form):
        person = self.person()
        if not person or not hmac.compare_digest(form.get("csrf", ""), csrf(person, path)):
            return self.page("<p>Begin again, please.</p>", 403)
        eid = None if path == "/account" else path.split("/")[2]
        e = asked.get(eid)
        if eid and (not e or e.over):
            return self.page("<p>This link is no longer of use.</p>", 404)
        owner = e.sub if e and V == "anyone-opens" else person
        self.go(begin("connect", SCOPE, PUBLIC + "/items/back", owner=owner, eid=eid))

    def connected(self, query):
        flow = self.take(query, "connect")
        if not flow:
            return
        e = asked.get(flow["eid"]) if flow["eid"] else None
        if flow["eid"] and (not e or e.over):
            return self.page("<p>Nobody waits for this any longer.</p>", 410)
        if "error" in query:
            if e:
                e.inbox.put(("denied", query["error"]))
            return self.page(f"<h1>Not connected</h1><p>{html.escape(query.get('error_description', ''))}</p>")
        status, body = token_request({"grant_type": "authorization_code", "code": query.get("code", ""),
                                      "redirect_uri": flow["redirect"], "code_verifier": flow["verifier"]})
        granted = str(body.get("scope", SCOPE)).split() if isinstance(body, dict) else []
        if not usable(status, body) or SCOPE not in granted:
            if e:
                e.inbox.put(("denied", "the provider granted nothing that could be used"))
            return self.page("<h1>Not connected</h1><p>The provider would not do it.</p>", 502)
        keep(flow["owner"], body)
        wake(flow["owner"])
        self.go("/done")

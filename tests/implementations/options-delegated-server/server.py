"""An MCP server that has its client authorize it (SEP-1028), from the documents alone, in ways that are lawful and
seldom seen. FLAW names something that it does wrong."""
import base64, hashlib, hmac, json, os, queue, secrets, ssl, sys, threading, time
from http.client import HTTPSConnection, HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

ENV, FLAW = os.environ, os.environ.get("FLAW", "")
ISSUER, API, REDIRECT = ENV["OAUTH_ISSUER"], ENV["API_URL"], ENV["REDIRECT_URI"]
CLIENT, SECRET = ENV["OAUTH_CLIENT_ID"], ENV["OAUTH_CLIENT_SECRET"]
RESOURCE = ENV["PUBLIC_URL"] + "/mcp"
base = urlsplit(REDIRECT)
# The first is for mobile clients, the second for web clients, the third for any port of the loopback interface.
OPTIONS = ["com.example.items://oauth/callback", "https://callback.example.com/{session}",
           f"http://{base.hostname}:{{port}}{base.path}"]
STORE = os.path.join(ENV.get("DATA_DIR") or "/nowhere", "tokens")
sessions, turns, lock = {}, {}, threading.RLock()
tokens = json.load(open(STORE)) if os.path.exists(STORE) else {}
fixed_state, fixed_verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)


def http(method, url, body=None, **headers):
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    connection = (HTTPSConnection if secure else HTTPConnection)(
        parts.netloc, timeout=10, **({"context": ssl.create_default_context()} if secure else {}))
    connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body, headers)
    answer = connection.getresponse()
    text = answer.read()
    try:
        return answer.status, json.loads(text)
    except ValueError:
        return answer.status, {}


class Declined(Exception):
    pass


class Session:
    def __init__(self, user, capable, experimental):
        self.id, self.user, self.capable = secrets.token_hex(16), user, capable
        self.waiting, self.pushed, self.listening, self.state = {}, queue.Queue(), False, None

    def ask(self, send, url, message):
        """The request goes on the GET stream where there is one, else on the stream of the call."""
        number = f"auth/{secrets.token_hex(4)} \u00e4"
        box = self.waiting[number] = queue.Queue()
        params = {"redirect_uri_options": OPTIONS, "message": message, "url": url, "_meta": {"example.com/why": [1]}}
        if FLAW == "no-options":
            del params["redirect_uri_options"]
        if FLAW == "no-message":
            params["message"] = ""
        request = {"method": "auth/request", "params": params, "id": number, "jsonrpc": "2.0"}
        (self.pushed.put if self.listening else send)(request)
        try:
            answer = box.get(timeout=None if FLAW == "waits-for-ever" else int(ENV.get("PENDING", "8000")) / 1000)
        except queue.Empty:
            raise Declined("Nobody answered.")
        finally:
            self.waiting.pop(number, None)
        if "error" in answer:
            if FLAW == "hangs-when-unsupported":
                time.sleep(3600)
            raise Declined("The client cannot authorize.")
        return answer.get("result") or {}


def grant(**form):
    """POST /token, with the credentials in the Authorization header."""
    login = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
    status, body = http("POST", metadata()["token_endpoint"], urlencode(form), **{
        "content-type": "application/x-www-form-urlencoded", "authorization": "Basic " + login, "ACCEPT": "application/json"})
    if status != 200:
        raise Declined(f"The token endpoint answered {body.get('error', status)}.")
    if FLAW == "logs-token":
        print("got", body, file=sys.stderr)
    if FLAW != "takes-any-token":
        if not isinstance(body.get("access_token"), str) or not body["access_token"] or str(body.get("token_type")).lower() != "bearer":
            raise Declined("That is no token.")
    body["until"] = time.time() + body.get("expires_in", 3600)
    return body


def metadata():
    return http("GET", ISSUER + "/.well-known/oauth-authorization-server")[1]


def authorize(session, send, key):
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(64)
    if FLAW == "static-state":
        state = fixed_state
    if FLAW == "session-state":
        state = session.state = session.state or state
    if FLAW == "short-state":
        state = state[:6]
    if FLAW == "static-verifier":
        verifier = fixed_verifier
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = {"prompt": "consent", "scope": "items:read", "client_id": CLIENT, "state": state, "response_type": "code",
             "redirect_uri": REDIRECT, "code_challenge_method": "S256", "code_challenge": challenge}
    if FLAW == "pkce-plain":
        query.update(code_challenge=verifier, code_challenge_method="plain")
    if FLAW == "no-pkce":
        query.pop("code_challenge"), query.pop("code_challenge_method")
    if FLAW == "secret-in-url":
        query["client_secret"] = SECRET
    url = metadata()["authorization_endpoint"] + "?" + urlencode(query)
    started = time.time()
    result = session.ask(send, url, "Items braucht Ihr Konto \u2013 \u201eItems\u201c")
    if "url" not in result:
        raise Declined("The user said no.")
    returned = urlsplit(result["url"])
    found = dict(parse_qsl(returned.query))
    if FLAW != "ignores-base" and not registered(returned):
        raise Declined("That is no place of ours.")
    known = hmac.compare_digest(found.get("state", "").encode(), state.encode())
    if FLAW == "state-optional" and "state" not in found or FLAW == "state-prefix" and state.startswith(found.get("state", "-")[:8]):
        known = True
    if FLAW == "state-ignored-case" and found.get("state", "").lower() == state.lower():
        known = True
    if FLAW == "any-known-state":
        known = known or any(found.get("state") == one for one in issued)
    issued.append(state)
    if not known and FLAW != "state-ignored":
        raise Declined("That callback was not asked for.")
    if found.get("iss") != ISSUER and FLAW != "issuer-ignored" and not (FLAW == "issuer-prefix" and found.get("iss", "").startswith(ISSUER)):
        if not ("iss" not in found and FLAW == "issuer-optional"):
            raise Declined("That callback is of another server.")
    if "error" in found and not ("code" in found and FLAW == "code-beside-error"):
        if FLAW == "denied-is-silent":
            return None
        raise Declined(f"The provider refused: {found['error']}")
    place = REDIRECT if FLAW == "redeems-with-first" else result["url"].split("?")[0]
    time.sleep(1)
    return grant(grant_type="authorization_code", code=found.get("code", ""), redirect_uri=place, code_verifier=verifier)


issued = []


def registered(parts):
    if FLAW == "base-path-ignored":
        return parts.hostname == base.hostname
    if FLAW == "base-path-prefix":
        return parts.hostname == base.hostname and parts.path.startswith(base.path)
    if FLAW == "base-host-ignored":
        return parts.path == base.path
    if FLAW == "base-host-prefix":
        return parts.netloc.startswith(base.hostname) and parts.path == base.path
    return (parts.scheme, parts.hostname, parts.path) == ("http", base.hostname, base.path) and not parts.username


def keep(key, token):
    """Kept on disk for users, for the next start."""
    with lock:
        tokens.update({key: token}) if token else tokens.pop(key, None)
        with open(STORE + ".new", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            json.dump(tokens, file)
        os.replace(STORE + ".new", STORE)


def listed(session, send):
    key = "everybody" if FLAW == "shared-tokens" else session.id if not session.user or FLAW == "by-session" else session.user
    with lock:
        turn = turns.setdefault(key, threading.RLock())
    with turn:
        return served(session, send, key)


def served(session, send, key):
    token = tokens.get(key)
    if token is None:
        if not session.capable and FLAW != "asks-anybody":
            raise Declined("Please use a client that can authorize.")
        token = authorize(session, send, key)
        if token is None:
            return "No items."
        keep(key, token)
    # Refreshed a minute early; a 401 is answered by one refresh, too.
    for attempt in range(2):
        if token["until"] - time.time() < 60 or attempt:
            try:
                fresh = grant(grant_type="refresh_token", refresh_token=token.get("refresh_token", ""))
            except Declined:
                keep(key, None)
                return served(session, send, key)
            token = {**token, **fresh} if FLAW != "keeps-old-refresh" else {**fresh, "refresh_token": token["refresh_token"]}
            keep(key, token)
        status, body = http("GET", API + "/items", **{"aUTHORIZATION": "Bearer " + token["access_token"]})
        if status == 200:
            text = json.dumps(body["items"] if FLAW != "copies-answer" else body)
            return text + (" via " + token["access_token"] if FLAW == "token-in-result" else "")
    raise Declined(f"The API answered {status}.")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *parts):
        if FLAW == "logs-requests" and self.command == "POST":
            print(self.seen, file=sys.stderr)

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-LENGTH", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def user(self):
        """Whose token it is, by introspection."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        login = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        body = http("POST", metadata()["introspection_endpoint"], urlencode({"token": token}), **{
            "authorization": "Basic " + login, "content-type": "application/x-www-form-urlencoded"})[1]
        audience = body.get("aud")
        ours = RESOURCE in (audience if isinstance(audience, list) else [audience])
        return body.get("sub") if body.get("active") and ours else None

    def event(self, message):
        """An event with an id, in chunks that break in the middle of things, JSON over several lines."""
        lines = json.dumps(message, ensure_ascii=False, indent=1).split("\n")
        data = ("id: " + secrets.token_hex(3) + "\nevent: message\n" + "".join(f"data: {line}\n" for line in lines) + "\n").encode()
        for part in (data[:17], data[17:]):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.flush()

    def stream(self):
        self.send_response(200)
        self.send_header("Content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"b\r\n: welcome\n\n\r\n")

    def session(self):
        kept = sessions.get(self.headers.get("mcp-session-id"))
        user = self.user() if ENV.get("PROTECTED") else None
        if ENV.get("PROTECTED") and user is None:
            self.answer(401, WWW_Authenticate="Bearer")
        elif kept is None or kept.user != user and FLAW != "session-for-anybody":
            self.answer(404)
        else:
            return kept

    def do_GET(self):
        kept = self.session()
        if not kept:
            return
        self.stream()
        kept.listening = True
        try:
            while True:
                try:
                    self.event(kept.pushed.get(timeout=2))
                except queue.Empty:
                    self.wfile.write(b"3\r\n:\n\n\r\n")
        except OSError:
            kept.listening = False

    def do_DELETE(self):
        self.answer(405, Allow="GET, POST")

    def do_POST(self):
        self.seen = self.rfile.read(int(self.headers["content-length"])).decode()
        message = json.loads(self.seen)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            user = self.user() if ENV.get("PROTECTED") else None
            if ENV.get("PROTECTED") and user is None:
                return self.answer(401, WWW_Authenticate="Bearer")
            able = message["params"]["capabilities"]
            kept = Session(user, "delegated_authorization" in able, "experimental" in able)
            sessions[kept.id] = kept
            result = {"capabilities": {"tools": {}, "logging": {}}, "protocolVersion": "2025-06-18",
                      "serverInfo": {"name": "items", "version": "1", "title": "Items"}}
            return self.answer(200, json.dumps({"id": number, "result": result, "jsonrpc": "2.0"}).encode(),
                               content_TYPE="application/json", MCP_session_ID=kept.id)
        kept = self.session()
        if not kept:
            return
        if method is None:
            box = kept.waiting.get(number)
            if box:
                box.put(message)
            return self.answer(202)
        if number is None:
            return self.answer(202)
        reply = lambda result: self.answer(200, json.dumps({"jsonrpc": "2.0", "result": result, "id": number}).encode(),
                                           content_type="application/json;charset=utf-8")
        if method == "ping":
            return reply({})
        if method == "tools/list":
            cursor = message.get("params", {}).get("cursor")
            schema = {"type": "object", "additionalProperties": True}
            tools = [{"name": "list_items", "inputSchema": schema}] if cursor else [{"name": "noop", "inputSchema": schema}]
            return reply({"tools": tools} if cursor else {"tools": tools, "nextCursor": "2"})
        if method != "tools/call":
            return self.answer(200, json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "?"}}).encode(),
                               content_type="application/json")
        self.stream()
        send = self.event
        send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "debug", "data": ["working"]}})
        try:
            result = {"content": [{"type": "text", "text": listed(kept, send)}]}
        except Declined as refused:
            result = {"isError": FLAW != "failure-looks-fine", "content": [{"type": "text", "text": str(refused) if FLAW != "failure-looks-fine" else "Done."}]}
        except Exception as broken:
            result = {"isError": True, "content": [{"type": "text", "text": "Something broke: " + type(broken).__name__}]}
        send({"jsonrpc": "2.0", "id": number, "result": result})
        self.wfile.write(b"0\r\n\r\n")


ThreadingHTTPServer(("127.0.0.1", int(ENV["PORT"])), Handler).serve_forever()

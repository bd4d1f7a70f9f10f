"""An MCP client that follows challenges in tool results (SEP-1489), from the documents alone, in ways that are lawful and
seldom seen. FLAW names something that it does wrong."""
import base64, hashlib, hmac, json, os, re, secrets, socket, ssl, sys, threading, time, urllib.parse as U, uuid, webbrowser
from http.client import HTTPConnection, HTTPSConnection
from http.server import BaseHTTPRequestHandler, HTTPServer

FLAW, MODERN = os.environ.get("FLAW", ""), "2026-07-28"
say = lambda *words: print(*words, flush=True)


class Broken(Exception):
    pass


def http(method, url, body=None, headers={}, chunked=False):
    parts = U.urlsplit(url)
    if parts.scheme != "https" and FLAW != "plain-http":
        raise Broken("no TLS: " + url)
    link = HTTPSConnection(parts.netloc, timeout=20, context=ssl.create_default_context()) if parts.scheme == "https" else HTTPConnection(parts.netloc, timeout=20)
    path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
    link.request(method, path, iter([body[:9], body[9:]]) if chunked else body, headers, encode_chunked=chunked)
    answer = link.getresponse()
    if answer.status in (301, 302, 307, 308) and FLAW == "follows-redirects":
        return http(method, U.urljoin(url, answer.headers["location"]), body, headers)
    return answer


def fetched(url, headers={}):
    answer = http("GET", url, headers={"accept": "application/json", **headers})
    text = answer.read(1 << 20)
    if answer.status != 200:
        raise Broken(f"{url} answered {answer.status}")
    found = json.loads(text)
    if not isinstance(found, dict):
        raise Broken("that is no metadata")
    return found


TOKEN, TEXT = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", r'"((?:[^"\\]|\\.)*)"'


def challenges(value):
    """RFC 9110 §11.6.1: a list of challenges, each a scheme with a token68 or parameters."""
    found, at = [], 0
    while at < len(value):
        blank = re.compile(r"[\s,]+").match(value, at)
        if blank:
            at = blank.end()
            continue
        parameter = re.compile(rf"({TOKEN})\s*=\s*(?:{TEXT}|({TOKEN}))\s*(?=,|$)").match(value, at)
        if parameter and found:
            name, quoted, plain = parameter.groups()
            found[-1][1][name.lower()] = plain if plain is not None else re.sub(r"\\(.)", r"\1", quoted)
            at = parameter.end()
            continue
        scheme = re.compile(rf"({TOKEN})(?:\s+[\w.~+/-]+=*\s*(?=,|$)|\s+|(?=,|$))").match(value, at)
        if not scheme:
            raise Broken("no challenge: " + value)
        found.append((scheme.group(1).lower(), {}))
        at = scheme.end()
    return found


def bearer(meta):
    if FLAW == "arrays-only" and isinstance(meta, str):
        return None
    values = [meta] if isinstance(meta, str) else meta if isinstance(meta, list) else []
    if FLAW == "first-element":
        values = values[:1]
    for value in values:
        if FLAW == "naive-split":
            if value.startswith("Bearer "):
                return dict(part.strip().replace('"', "").split("=", 1) for part in value[7:].split(",") if "=" in part)
            continue
        for scheme, parameters in challenges(value) if isinstance(value, str) else []:
            if scheme == "bearer":
                return parameters
    return None


class Listener(HTTPServer):
    address_family = socket.AF_INET6

    def __init__(self):
        super().__init__(("::1", 0), Callback)
        self.path, self.found, self.state = "/done%20here/" + secrets.token_hex(4), None, secrets.token_urlsafe(20)
        if FLAW == "static-state":
            self.state = "xyzzy-xyzzy-xyzzy"
        self.uri = f"http://[::1]:{self.server_port}{self.path}?from=browser"

    def wait(self, seconds):
        end = time.time() + seconds
        self.timeout = 0.2
        while self.found is None and time.time() < end:
            self.handle_request()
        self.server_close()
        return self.found


class Callback(BaseHTTPRequestHandler):
    def log_message(self, *_):
        if FLAW == "logs-callback":
            print("callback", self.path, file=sys.stderr)

    def do_GET(self):
        parts = U.urlsplit(self.path)
        found = dict(U.parse_qsl(parts.query))
        right = parts.path == self.server.path and (hmac.compare_digest(found.get("state", "").encode(), self.server.state.encode()) or FLAW == "state-ignored" or FLAW == "state-optional" and "state" not in found)
        if right and ("code" in found or "error" in found):
            self.server.found = found
            self.send_response(303)
            self.send_header("location", "/thanks")
        else:
            self.send_response(404 if parts.path != self.server.path else 400)
        self.send_header("content-length", "0")
        self.end_headers()


class Server:
    """One MCP server, and what is known of it."""

    def __init__(self, url):
        self.url, self.session, self.revision, self.token, self.refresh, self.asked = url, None, None, None, None, set()

    def headers(self, method, name=None):
        found = {"ACCEPT": "text/event-stream , application/json;q=0.8", "content-TYPE": "application/json; charset=utf-8"}
        if self.session:
            found["MCP-SESSION-ID"] = self.session
        if self.revision:
            found["mcp-protocol-version"] = self.revision
        if self.revision == MODERN:
            found["mcp-method"] = method
            if name:
                found["mcp-name"] = name
        token = self.token or (FLAW == "token-everywhere" and next((one.token for one in servers if one.token), None))
        if token:
            found["AUTHORIZATION"] = "bearer " + token if FLAW == "lower-bearer" else "Bearer " + token
        return found

    def send(self, method, params=None, notification=False):
        params, number = dict(params or {}), f"{uuid.uuid4()}:é"
        if self.revision == MODERN:
            params["_meta"] = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {},
                               "io.modelcontextprotocol/clientInfo": {"name": "odd", "version": "0"}}
        elif method == "tools/call":
            params["_meta"] = {"progressToken": "p/" + number[:8]}
        message = {"params": params, "jsonrpc": "2.0", "method": method, **({} if notification else {"id": number})}
        if FLAW == "token-in-meta" and self.token and method == "tools/call":
            message["params"]["_meta"]["token"] = self.token
        answer = http("POST", self.url, json.dumps(message).encode(), self.headers(method, params.get("name")), chunked=True)
        self.session = answer.headers.get("mcp-session-id") or self.session
        if answer.status >= 400 or notification:
            answer.read()
            return answer.status, {}, answer.headers.get_all("www-authenticate") or []
        if "event-stream" not in answer.headers.get("content-type", ""):
            return answer.status, json.loads(answer.read()), []
        data = []
        for line in answer:
            line = line.decode().lstrip("\ufeff").rstrip("\r\n")
            if line.startswith("data:"):
                data.append(line[5:])
            elif not line and data:
                found, data = "\n".join(data), []
                event = json.loads(found) if found.strip() else {}
                if event.get("id") == number and "method" not in event:
                    return 200, event, []
        raise Broken("the stream ended")

    def connect(self):
        self.session = self.revision = None
        if os.environ.get("MODERN"):
            self.revision = MODERN
            status, body, _ = self.send("server/discover")
            if status == 200 and "result" in body:
                return
            self.revision = None
        status, body, www = self.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {"roots": {"listChanged": True}, "x": {}},
                                                     "clientInfo": {"version": "0", "name": "odd"}})
        if status == 401:
            return www
        self.revision = body["result"]["protocolVersion"]
        self.send("notifications/initialized", notification=True)
        self.send("tools/list", {})

    def call(self, tool, arguments, left=2):
        if not self.revision:
            self.connect()
        status, body, www = self.send("tools/call", {"name": tool, "arguments": arguments})
        if status == 404 and self.session:
            self.connect()
            status, body, www = self.send("tools/call", {"name": tool, "arguments": arguments})
        result = body.get("result") or {}
        words = [part.get("text", "") for part in result.get("content", [])]
        wanted = (result.get("_meta") or {}).get("mcp/www_authenticate")
        if status not in (401, 403) and (wanted is None or result.get("isError") is not True and FLAW != "flag-ignored"):
            say("answer:", *words, body.get("error", ""))
            return
        need = bearer(wanted if wanted is not None else www)
        if need is None or FLAW != "hides-content":
            say("The server says:", *(words if FLAW != "hides-content" else []), status)
        if need is None:
            return
        if left == 0 and FLAW != "for-ever":
            say("Still refused; giving up.")
            return
        time.sleep(1)
        try:
            gone, self.token = self.token, None if FLAW != "shows-old-token" else self.token
            more = set((need.get("scope") or "").split()) - self.asked
            if gone and self.refresh and not more and self.renew():
                pass
            else:
                self.sign_in(need)
        except Broken as why:
            say("Not signed in:", why)
            if FLAW != "retries-anyway":
                return
        if FLAW == "changed-arguments":
            arguments = {}
        self.session = None
        self.connect()
        self.call(tool, arguments, left - 1)

    def described(self, need):
        """The metadata of the resource, checked, and that of its authorization server."""
        parts = U.urlsplit(self.url)
        headers = {"authorization": "Bearer " + self.token} if FLAW == "shows-old-token" and self.token else {}
        root = f"{parts.scheme}://{parts.netloc}/.well-known/oauth-protected-resource"
        try:
            resource = fetched(need.get("resource_metadata") or root + parts.path, headers)
        except Broken:
            if need.get("resource_metadata"):
                raise
            resource = fetched(root, headers)
        named = resource.get("resource", "")
        fits = named == self.url or self.url.startswith(named.rstrip("/") + "/") and U.urlsplit(named).netloc == parts.netloc
        if FLAW == "resource-origin":
            fits = U.urlsplit(named).netloc == parts.netloc
        if FLAW == "resource-prefix":
            fits = self.url.startswith(named)
        if not fits and FLAW != "resource-ignored":
            raise Broken("that metadata is of " + named)
        issuer = resource["authorization_servers"][-1]
        at = U.urlsplit(issuer)
        path = at.path.rstrip("/")
        root = f"{at.scheme}://{at.netloc}"
        for place in (f"{root}/.well-known/oauth-authorization-server{path}", f"{root}/.well-known/openid-configuration{path}", f"{issuer.rstrip('/')}/.well-known/openid-configuration"):
            try:
                server = fetched(place)
                break
            except (Broken, ValueError) as why:
                last = why
        else:
            raise Broken(last)
        if server.get("issuer") != issuer and FLAW != "issuer-ignored":
            raise Broken("that metadata is of another issuer")
        if "S256" not in server.get("code_challenge_methods_supported", []) and FLAW != "pkce-unverified":
            raise Broken("that server knows no PKCE")
        return named, resource, server

    def sign_in(self, need):
        named, resource, server = self.described(need)
        listener = Listener()
        kept = {}
        status = http("POST", server["registration_endpoint"], json.dumps({
            "client_name": "odd", "redirect_uris": [listener.uri], "token_endpoint_auth_method": "none", "application_type": "native",
            "grant_types": ["refresh_token", "authorization_code"]}).encode(), {"content-type": "application/json"})
        kept = json.loads(status.read())
        if "client_id" not in kept:
            raise Broken(f"not registered: {kept}")
        verifier = secrets.token_urlsafe(70)
        hashed = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        scopes = (need.get("scope") or " ".join(resource.get("scopes_supported", []))).split()
        if FLAW == "all-scopes":
            scopes = resource.get("scopes_supported", [])
        self.asked |= set(scopes)
        query = {"ui_locales": "de", "resource": named, "state": listener.state, "code_challenge": hashed, "code_challenge_method": "S256",
                 "redirect_uri": listener.uri, "client_id": kept["client_id"], "scope": " ".join(sorted(self.asked)), "response_type": "code"}
        if FLAW == "pkce-plain":
            query.update(code_challenge=verifier, code_challenge_method="plain")
        if FLAW == "no-resource":
            del query["resource"]
        end = server["authorization_endpoint"]
        if U.urlsplit(end).scheme != "https":
            raise Broken("that is no place to sign in")
        webbrowser.open(end + ("&" if "?" in end else "?") + U.urlencode(query, quote_via=U.quote))
        found = listener.wait(15)
        if not found:
            raise Broken("nobody came back")
        stated = found.get("iss")
        expected = server["issuer"] if stated is not None or server.get("authorization_response_iss_parameter_supported") else None
        if stated != expected and FLAW != "iss-ignored" and not (FLAW == "iss-optional" and stated is None):
            raise Broken("that answer is of another issuer")
        if "error" in found:
            raise Broken("refused: " + found["error"])
        form = {"grant_type": "authorization_code", "code": found["code"], "code_verifier": verifier, "redirect_uri": listener.uri,
                "client_id": kept["client_id"], "resource": named}
        if FLAW == "no-resource-at-token":
            del form["resource"]
        self.registered = kept["client_id"], server["token_endpoint"], named
        self.grant(form)

    def grant(self, form):
        answer = http("POST", self.registered[1], U.urlencode(form), {"content-type": "application/x-www-form-urlencoded"})
        body = json.loads(answer.read())
        if answer.status != 200 or not isinstance(body.get("access_token"), str) or str(body.get("token_type")).lower() != "bearer":
            raise Broken(f"no token: {body.get('error')}")
        self.token, self.refresh = body["access_token"], body.get("refresh_token", self.refresh)
        if FLAW == "stores-token":
            open(os.environ["DATA"] + "/state.json", "w").write(json.dumps(body))
        if FLAW == "shows-token":
            say("signed in, token", self.token)

    def renew(self):
        try:
            self.grant({"refresh_token": self.refresh, "grant_type": "refresh_token", "client_id": self.registered[0], "resource": self.registered[2]})
            return True
        except Broken:
            self.refresh = None
            return False


servers = [Server(url) for url in sys.argv[1:]]
for line in sys.stdin:
    _, tool, arguments = line.rstrip("\n").split(" ", 2)
    try:
        servers[1 if tool == "list_notes" and len(servers) > 1 else 0].call(tool, json.loads(arguments))
    except Exception as broken:
        say("failed:", type(broken).__name__, broken)

"""An ADK agent application in Python's standard library, in the dialect of calls, as its authors might have written it.

Unlike the reference: tokens in sqlite, JavaScript's member names, a request beside a thought, placeholders before requests,
one request after the other, every answer used up by whatever is wrong with it, pages of HTML for errors, and no haste.
"""

import base64, hashlib, json, os, secrets, sqlite3, ssl, sys, threading, time, urllib.error
import urllib.parse as up, urllib.request as ur
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

E, VARIANT, APP = os.environ, os.environ.get("VARIANT", ""), "orders_desk"
CA = ssl.create_default_context(cafile=E["CA_FILE"])


class Stay(ur.HTTPRedirectHandler):
    """A request with a secret goes nowhere else."""

    def redirect_request(self, *_):
        return None


web = ur.build_opener(Stay, ur.HTTPSHandler(context=CA))
WAITING = {"status": "waiting", "note": "The user has been asked to sign in."}
TOOLS = {"list_items": ("orders", "items:read"), "add_item": ("orders-write", "items:write"), "clock": None}
db = sqlite3.connect(os.path.join(E["DATA_DIR"], "agent.db"), check_same_thread=False)
db.executescript("create table if not exists kept(kind text, name text, body text, primary key(kind, name));")
db_lock, guard, locks = threading.RLock(), threading.Lock(), {}


def lock(*name):
    with guard:
        return locks.setdefault(name, threading.RLock())


def load(kind, *name):
    with db_lock:
        row = db.execute("select body from kept where kind=? and name=?", (kind, json.dumps(name))).fetchone()
    return row and json.loads(row[0])


def save(value, kind, *name):
    with db_lock, db:
        db.execute("insert or replace into kept values(?,?,?)", (kind, json.dumps(name), json.dumps(value)))


def remove(kind, *name):
    """Whether it was there: only one of two callers takes it."""
    with db_lock, db:
        return db.execute("delete from kept where kind=? and name=?", (kind, json.dumps(name))).rowcount > 0


def fields(value):
    return value if isinstance(value, dict) else {}


class Refused(Exception):
    pass


class Page(Exception):
    def __init__(self, status, text):
        self.status, self.text = status, text


def token_request(form):
    basic = base64.b64encode(("%s:%s" % (up.quote_plus(E["CLIENT_ID"]), up.quote_plus(E["CLIENT_SECRET"]))).encode()).decode()
    request = ur.Request(E["TOKEN_ENDPOINT"], up.urlencode(form).encode(), {"authorization": "Basic " + basic})
    try:
        with web.open(request, timeout=4) as res:
            t = fields(json.load(res))
    except urllib.error.HTTPError as e:
        raise Refused("the authorization server answered %d" % e.code)
    except Exception:
        raise Refused("the authorization server could not be understood")
    token = t.get("access_token")
    if not isinstance(token, str) or not token or str(t.get("token_type")).lower() != "bearer":
        raise Refused("the authorization server gave no usable token")
    life = t.get("expires_in")
    until = time.time() + life if isinstance(life, (int, float)) else None
    return {"access": token, "refresh": t.get("refresh_token"), "until": until}


def credential(user, key):
    """The credential of a user, refreshed more than a minute ahead."""
    with lock("credential", user, key):
        c = load("credential", user, key)
        if not c or c["until"] is None or c["until"] - time.time() > 75:
            return c
        try:
            n = token_request({"grant_type": "refresh_token", "refresh_token": c["refresh"] or ""})
            n["refresh"] = n["refresh"] or c["refresh"]
            save(n, "credential", user, key)
            return n
        except Refused:
            remove("credential", user, key)


def ask(session, call):
    key, scope = TOOLS[call["name"]]
    state, verifier, id = secrets.token_urlsafe(18), secrets.token_urlsafe(48), "request/" + secrets.token_hex(4)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {"client_id": E["CLIENT_ID"], "response_type": "code", "redirect_uri": E["REDIRECT_URL"], "scope": scope,
             "state": state, "code_challenge": challenge, "code_challenge_method": "S256", "prompt": "consent"}
    uri = E["AUTHORIZATION_ENDPOINT"] + "?" + up.urlencode(query)
    save({"user": session["user"], "session": session["id"], "state": state, "verifier": verifier, "call": call}, "pending", id)
    endpoints = {"authorizationUrl": E["AUTHORIZATION_ENDPOINT"], "tokenUrl": E["TOKEN_ENDPOINT"], "scopes": {scope: ""}}
    config = {"authScheme": {"type": "oauth2", "flows": {"authorizationCode": endpoints}}, "credentialKey": key,
              "rawAuthCredential": {"authType": "oauth2", "oauth2": {"clientId": E["CLIENT_ID"]}},
              "exchangedAuthCredential": {"authType": "oauth2", "oauth2": {"authUri": uri}}}
    args = {"function_call_id": call["id"], "auth_config": config}
    return {"content": {"role": "user", "parts": [{"text": "Please sign in.", "thought": True}, {
        "functionCall": {"id": id, "name": "adk_request_credential", "args": args}}]}, "longRunningToolIds": [id]}


def redeem(p, answer):
    """Trades the code of a callback that is the right one. Raises Refused."""
    exchanged = fields(fields(answer).get("exchangedAuthCredential", fields(answer).get("exchanged_auth_credential")))
    oauth = fields(exchanged.get("oauth2"))
    uri = oauth.get("authResponseUri", oauth.get("auth_response_uri"))
    if not isinstance(uri, str) or uri.split("?")[0] != E["REDIRECT_URL"]:
        raise Refused("the answer brings no callback to this application")
    query = up.parse_qs(up.urlsplit(uri).query, keep_blank_values=True)
    get = lambda name: query[name][0] if len(query.get(name, [])) == 1 else ""
    right = p["state"] in uri if VARIANT == "state-anywhere" else secrets.compare_digest(get("state").encode(), p["state"].encode())
    if not right or get("iss") != E["ISSUER"]:
        raise Refused("the callback belongs to another sign-in")
    if get("error") or not get("code"):
        raise Refused("the user did not sign in")
    form = {"grant_type": "authorization_code", "code": get("code"), "redirect_uri": E["REDIRECT_URL"], "code_verifier": p["verifier"]}
    return token_request(form)


def run_tool(name, token):
    if TOOLS[name] is None:
        return {"now": time.strftime("%H:%M:%S")}
    body = json.dumps({"title": "Tea"}).encode() if name == "add_item" else None
    headers = {"authorization": "Bearer " + token, "content-type": "application/json"}
    try:
        with web.open(ur.Request(E["RESOURCE_URL"] + "/items", body, headers), timeout=5) as res:
            return {"items": [i.get("title") for i in fields(json.load(res)).get("items", [])]}
    except urllib.error.HTTPError as e:
        if e.code == 401:
            raise PermissionError()
        return {"error": "the API answered %d" % e.code}
    except Exception:
        return {"error": "the API could not be reached"}


def attempt(session, call):
    """The result of a call; None if its user is needed first."""
    if TOOLS.get(call["name"], "none") == "none":
        return {"error": "no such tool"}
    user, key = session["user"], (TOOLS[call["name"]] or [None])[0]
    c = credential(user, key) if key else {"access": None}
    try:
        return c and run_tool(call["name"], c["access"])
    except PermissionError:
        remove("credential", user, key)


def ask_model(session):
    tools = [{"functionDeclarations": [{"name": n, "parameters": {"type": "OBJECT", "properties": {}}} for n in TOOLS]}]
    body = json.dumps({"contents": session["contents"], "tools": tools}).encode()
    url = E["MODEL"] + "/v1beta/models/gemini-x:generateContent"
    with ur.urlopen(ur.Request(url, body, {"content-type": "application/json", "x-goog-api-key": "k"}), timeout=20) as res:
        return json.load(res)["candidates"][0]["content"].get("parts", [])


def part(call, result):
    return {"functionResponse": {"id": call["id"], "name": call["name"], "response": result}}


def said(*parts):
    return {"content": {"role": "user", "parts": list(parts)}}


def go_on(session, emit):
    """Asks for the next credential that a call waits for; where none does, the model has the word."""
    while True:
        while session["waiting"]:
            call = session["waiting"].pop(0)
            result = attempt(session, call)
            if result is None:
                return emit(ask(session, call))
            settle(session, call, result, emit)
        parts = ask_model(session)
        session["contents"].append({"role": "model", "parts": parts})
        emit({"content": {"role": "model", "parts": parts}, "longRunningToolIds": []})
        calls = [p["functionCall"] for p in parts if "functionCall" in p]
        if not calls:
            return
        results = [attempt(session, c) for c in calls]
        answers = [part(c, WAITING if r is None else r) for c, r in zip(calls, results)]
        session["contents"].append({"role": "user", "parts": answers})
        emit({"actions": {"stateDelta": {"turn": secrets.token_hex(2)}}})
        emit(said(*answers))
        session["waiting"] = [c for c, r in zip(calls, results) if r is None]
        if session["waiting"]:
            return emit(ask(session, session["waiting"].pop(0)))


def settle(session, call, result, emit):
    """Puts the real result where one stood in for it."""
    emit(said({"text": "Here it is."}, part(call, result)))
    for content in session["contents"]:
        for each in content["parts"]:
            if each.get("functionResponse", {}).get("id") == call["id"]:
                each["functionResponse"]["response"] = result


def resume(session, responses, emit):
    for f in responses:
        p = load("pending", f.get("id"))
        mine = p and (p["user"], p["session"]) == (session["user"], session["id"])
        if f.get("name") != "adk_request_credential" or not mine or not remove("pending", f.get("id")):
            raise Page(404, "nothing waits for this answer")
        try:
            try:
                c = redeem(p, f.get("response"))
            except Refused:
                if VARIANT != "exchanges-again":
                    raise
                c = redeem(p, f.get("response"))
            save(c, "credential", session["user"], TOOLS[p["call"]["name"]][0])
            session["waiting"].insert(0, p["call"])
        except Refused as e:
            failure = {"items": []} if VARIANT == "makes-up-results" else {"error": "authorization failed: %s" % e}
            settle(session, p["call"], failure, emit)
    go_on(session, emit)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, form, *args):
        print(self.command, args[1] if len(args) > 1 else "", file=sys.stderr, flush=True)

    def reply(self, status, text, kind="application/json"):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def handle_one(self):
        try:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            self.reply(200, json.dumps(self.route(fields(json.loads(raw or b"{}"))), indent=1))
        except ValueError:
            self.reply(400, "<h1>400</h1>", "text/html")
        except Page as p:
            self.reply(p.status, "<!doctype html><h1>%d</h1><p>%s" % (p.status, p.text), "text/html")
        except Exception as e:
            print("failed:", type(e).__name__, file=sys.stderr, flush=True)
            self.reply(500, "<h1>500</h1>", "text/html")

    do_GET = do_POST = handle_one

    def route(self, body):
        path = [up.unquote(s) for s in up.urlsplit(self.path).path.strip("/").split("/")]
        if path == ["list-apps"]:
            return [APP]
        if path == ["run"]:
            return self.run(body)
        if len(path) not in (5, 6) or path[:3] != ["apps", APP, "users"] or path[4] != "sessions":
            raise Page(404, "no such page")
        user, id = path[3], (path[5:] or ["s~" + secrets.token_hex(8)])[0]
        s = load("session", user, id)
        if self.command == "POST":
            if s:
                raise Page(409, "there is one")
            s = {"user": user, "id": id, "events": [], "contents": [], "waiting": [], "at": time.time()}
            save(s, "session", user, id)
        if not s:
            raise Page(404, "no such session")
        return {"id": id, "appName": APP, "userId": user, "state": {}, "events": s["events"], "lastUpdateTime": s["at"]}

    def run(self, body):
        user, id, parts = body.get("userId"), body.get("sessionId"), fields(body.get("newMessage")).get("parts")
        if not isinstance(parts, list):
            raise Page(422, "not a run")
        with lock("session", user, id):
            session = load("session", user, id)
            if not session:
                raise Page(404, "no such session")
            events = []

            def emit(event):
                event.update(id=secrets.token_hex(4), author=APP, invocationId=invocation, timestamp=time.time())
                events.append(event)

            invocation = "i-" + secrets.token_hex(6)
            responses = [f for f in (fields(p).get("functionResponse") for p in parts) if isinstance(f, dict)]
            time.sleep(0.3)
            if responses:
                resume(session, responses, emit)
            else:
                session["contents"].append({"role": "user", "parts": parts})
                go_on(session, emit)
            session["events"] += events
            save(session, "session", user, id)
            return events


ThreadingHTTPServer.request_queue_size = 64
ThreadingHTTPServer(("127.0.0.1", int(E["PORT"])), Handler).serve_forever()

#!/usr/bin/env python3
"""A RAP tool of the standard library alone: a spool of sealed files, endpoints by configuration, HTTP/1.0."""

import base64
import hashlib
import hmac
import html
import http.client
import json
import os
import secrets
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

ENV = os.environ
PUBLIC = ENV["PUBLIC_URL"].rstrip("/")
REDIRECT = PUBLIC + "/return"
SPOOL = ENV["DATA_DIR"]
PENDING = int(ENV["PENDING_TIMEOUT_MS"]) / 1000
UPSTREAM = 4
KEY = hashlib.sha256(b"spool key of the test run").digest()
TLS = ssl.create_default_context()
TOOLSET = {
    "name": "items-by-spool",
    "endpoint": PUBLIC + "/rap/call?v=1",
    "tools": [
        {
            "name": "list_items",
            "description": "Lists the items of the user",
            "inputSchema": {
                "type": "object",
                "properties": {"limit": {"type": "integer", "minimum": 1}},
                "additionalProperties": False,
            },
            "annotations": {"requiresAuth": "items", "readOnly": True, "x-spool-delay": 1},
            "displayScript": "\"items\"",
        }
    ],
}


# --- sealed files ---------------------------------------------------------------------------------------------------


def stream(nonce, size):
    blocks = (hmac.digest(KEY, nonce + n.to_bytes(4, "big"), "sha256") for n in range(size // 32 + 1))
    return b"".join(blocks)[:size]


def seal(value):
    plain = json.dumps(value).encode()
    nonce = secrets.token_bytes(16)
    body = nonce + bytes(a ^ b for a, b in zip(plain, stream(nonce, len(plain))))
    return hmac.digest(KEY, b"tag" + body, "sha256") + body


def unseal(data):
    tag, body = data[:32], data[32:]
    if not hmac.compare_digest(tag, hmac.digest(KEY, b"tag" + body, "sha256")):
        raise ValueError("not a file of ours")
    nonce, text = body[:16], body[16:]
    return json.loads(bytes(a ^ b for a, b in zip(text, stream(nonce, len(text)))))


def path(kind, name):
    digest = hmac.digest(KEY, name.encode("utf-8", "surrogatepass"), "sha256").hex()
    return os.path.join(SPOOL, f"{kind}-{digest}")


def write(kind, name, value):
    target = path(kind, name)
    temporary = f"{target}.{secrets.token_hex(4)}.tmp"
    with open(temporary, "wb") as file:
        file.write(seal(value))
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, target)


def read(kind, name):
    try:
        with open(path(kind, name), "rb") as file:
            return unseal(file.read())
    except (FileNotFoundError, ValueError):
        return None


def remove(kind, name):
    try:
        os.remove(path(kind, name))
        return True
    except FileNotFoundError:
        return False


# --- HTTP as a client, without redirects ----------------------------------------------------------------------------


def send(method, url, headers=(), body=None, timeout=UPSTREAM):
    parts = urlsplit(url)
    after = url.split("://", 1)[1]
    slash = min((i for i in (after.find("/"), after.find("?")) if i >= 0), default=len(after))
    target = after[slash:].split("#")[0]
    if not target.startswith("/"):
        target = "/" + target
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=timeout, context=TLS)
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)
    deadline = threading.Timer(timeout, lambda: connection.sock and connection.sock.close())
    deadline.daemon = True
    try:
        deadline.start()
        connection.request(method, target, body, dict(headers) | {"Connection": "close"})
        response = connection.getresponse()
        return response.status, response.read(1 << 20)
    except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
        raise ConnectionError(type(error).__name__) from None
    finally:
        deadline.cancel()
        connection.close()


def deliver(job, message):
    body = {"group_id": job["group_id"], "id": job["id"]} | message
    if isinstance(job.get("call_id"), str):
        body["call_id"] = job["call_id"]
    data = json.dumps(body, ensure_ascii=False).encode()
    for attempt in range(6):
        if attempt:
            time.sleep(0.3 * 2 ** (attempt - 1))
        try:
            status, _ = send("POST", job["callback_url"], {"Content-Type": "application/json; charset=utf-8"}, data)
        except ConnectionError:
            continue
        if status < 500:
            return


def finish(job, message):
    """The only way a call ends: whoever removes the job's claim delivers."""
    if remove("job", job["key"]):
        remove("state", job.get("state") or "-")
        deliver(job, {"type": "tool_result"} | message)


def fail(job, words):
    finish(job, {"text": "Error: " + words, "content": [{"type": "text", "text": "Error: " + words}]})


# --- tokens ---------------------------------------------------------------------------------------------------------

locks = {}
guard = threading.Lock()


def lock_of(user):
    with guard:
        return locks.setdefault(user, threading.Lock())


class Refused(Exception):
    """The provider answered, and said no."""


def token_request(fields):
    form = fields | {"client_id": ENV["OAUTH_CLIENT_ID"], "client_secret": ENV["OAUTH_CLIENT_SECRET"]}
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    try:
        status, body = send("POST", ENV["TOKEN_URL"], headers, urlencode(form))
    except ConnectionError:
        raise ConnectionError("the provider cannot be reached") from None
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    if status in (400, 401):
        raise Refused("the provider refused the authorization")
    if status != 200 or not isinstance(answer, dict):
        raise ConnectionError("the provider is out of order")
    token = answer.get("access_token")
    if not isinstance(token, str) or not token or str(answer.get("token_type", "")).lower() != "bearer":
        raise Refused("the provider sent no usable token")
    try:
        until = time.time() + float(answer["expires_in"])
    except (KeyError, TypeError, ValueError):
        until = None
    refresh = answer.get("refresh_token")
    return {"access": token, "until": until, "refresh": refresh if isinstance(refresh, str) else None}


def usable(user, worn=None):
    """A token for the user, refreshed where it has expired or is the worn one; None where there is none."""
    with lock_of(user):
        tokens = read("user", user)
        if tokens is None:
            return None
        fresh = tokens["access"] != worn and (tokens["until"] is None or tokens["until"] > time.time() + 1)
        if fresh:
            return tokens["access"]
        if tokens["refresh"] is None:
            remove("user", user)
            return None
        try:
            new = token_request({"grant_type": "refresh_token", "refresh_token": tokens["refresh"]})
        except Refused:
            remove("user", user)
            return None
        new["refresh"] = new["refresh"] or tokens["refresh"]
        write("user", user, new)
        return new["access"]


# --- a call ---------------------------------------------------------------------------------------------------------


def fetch(token):
    headers = {"Authorization": "Bearer " + token, "Accept": "application/json"}
    status, body = send("GET", ENV["RESOURCE_URL"] + "/items", headers)
    if status == 401:
        return 401, None
    if status == 403:
        return 403, None
    if status != 200:
        raise ConnectionError("the API is out of order")
    try:
        return 200, json.loads(body)["items"]
    except (ValueError, KeyError, TypeError):
        raise ConnectionError("the API answered nonsense") from None


def work(job):
    """Performs a call of which nothing is known but that it was acknowledged."""
    try:
        token = usable(job["user_id"])
        if token is not None:
            status, items = fetch(token)
            if status == 401:
                token = usable(job["user_id"], worn=token)
                status, items = fetch(token) if token is not None else (401, None)
            if status == 403:
                return fail(job, "the granted permissions do not suffice.")
            if status == 200:
                return finish(job, show(job, items))
            with lock_of(job["user_id"]):
                kept = read("user", job["user_id"])
                if kept and kept["access"] == token:
                    remove("user", job["user_id"])
        ask(job)
    except ConnectionError as error:
        fail(job, f"{error}. Please try again later.")
    except Exception:
        fail(job, "internal failure.")


def ask(job):
    if not ENV["AUTHORIZE_URL"].startswith("https://"):
        return fail(job, "the provider is not configured securely.")
    state = secrets.token_urlsafe(32)
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    job |= {"state": state, "verifier": verifier, "deadline": time.time() + PENDING}
    write("job", job["key"], job)
    write("state", state, {"job": job["key"]})
    query = {
        "scope": "items:read",
        "state": state,
        "redirect_uri": REDIRECT,
        "client_id": ENV["OAUTH_CLIENT_ID"],
        "code_challenge_method": "S256",
        "code_challenge": challenge,
        "response_type": "code",
    }
    expire(job)
    deliver(job, {"type": "oauth", "auth_url": ENV["AUTHORIZE_URL"] + "?" + urlencode(query)})


def expire(job):
    def late():
        if remove("state", job["state"]):
            fail(job, "nobody authorized in time. Please try again.")

    timer = threading.Timer(max(0, job["deadline"] - time.time()), late)
    timer.daemon = True
    timer.start()


def show(job, items):
    shown = items[: job["arguments"].get("limit", len(items))]
    parts = [{"type": "text", "text": f"{len(shown)} of {len(items)} items"}]
    return {"content": parts + [{"type": "text", "text": f"- {item['title']}"} for item in shown]}


def resume(job, token):
    try:
        status, items = fetch(token)
        if status == 200:
            finish(job, show(job, items))
        else:
            fail(job, "the API does not accept the authorization.")
    except ConnectionError as error:
        fail(job, f"{error}. Please try again later.")
    except Exception:
        fail(job, "internal failure.")


def problem(call):
    if call.get("operation") != "list_items":
        return "there is no such operation."
    arguments = call.get("arguments")
    limit = arguments.get("limit", 1) if isinstance(arguments, dict) else None
    if not isinstance(arguments, dict) or set(arguments) - {"limit"}:
        return "the arguments do not fit the schema."
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        return "limit has to be a positive integer."
    if not isinstance(call.get("user_id"), str) or not call["user_id"]:
        return "this tool serves known users only: user_id is missing."
    return None


def accept(raw):
    """Spools a call; returns what is to be done with it after the acknowledgement."""
    try:
        call = json.loads(raw)
        strings = all(isinstance(call.get(name), str) and call[name] for name in ("id", "group_id", "callback_url"))
    except (ValueError, AttributeError, RecursionError):
        return None
    if not strings or not call["callback_url"].startswith(("http://", "https://")):
        return None
    names = ("id", "group_id", "callback_url", "call_id", "user_id", "arguments")
    job = {name: call.get(name) for name in names} | {"key": secrets.token_hex(16)}
    write("job", job["key"], job)
    wrong = problem(call)
    return (fail, job, wrong) if wrong else (work, job)


# --- the server -----------------------------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    server_version = "spool"
    sys_version = ""

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", kind="text/plain", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        raw = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), 1 << 20))
        where = self.path.split("?")[0]
        if where in ("/close_thread", "/cancel_tool_call"):
            return self.answer(200)
        if where != "/rap/call":
            return self.answer(404)
        todo = accept(raw)
        time.sleep(0.4)
        self.answer(200)
        if todo:
            threading.Thread(target=todo[0], args=todo[1:], daemon=True).start()

    def do_GET(self):
        where, _, query = self.path.partition("?")
        if where == "/.well-known/rap-toolset":
            return self.answer(200, json.dumps(TOOLSET).encode(), "application/json")
        if where == "/return":
            page = self.returned(parse_qs(query, keep_blank_values=True))
            return self.answer(303, Location=f"/page/{page}", Cache_Control="no-store", Referrer_Policy="no-referrer")
        if where in ("/page/done", "/page/denied", "/page/failed", "/page/stale"):
            text = f"<!doctype html><title>Items</title><p>The authorization: {html.escape(where[6:])}.</p>"
            return self.answer(200, text.encode(), "text/html; charset=utf-8")
        self.answer(404)

    def returned(self, query):
        if any(len(values) > 1 for values in query.values()):
            return "stale"
        state = query.get("state", [""])[0]
        found = read("state", state) if state else None
        job = read("job", found["job"]) if found else None
        if job is None:
            return "stale"
        if query.get("iss", [ENV["OAUTH_ISSUER"]])[0] != ENV["OAUTH_ISSUER"]:
            return "stale"
        if not remove("state", state):
            return "stale"
        if "error" in query or not query.get("code", [""])[0]:
            said = query.get("error", [""])[0]
            words = "denied by the user" if said == "access_denied" else "refused by the provider"
            threading.Thread(target=fail, args=(job, f"authorization was {words}."), daemon=True).start()
            return "denied"
        fields = {
            "grant_type": "authorization_code",
            "code": query["code"][0],
            "redirect_uri": REDIRECT,
            "code_verifier": job["verifier"],
        }
        try:
            tokens = token_request(fields)
        except (Refused, ConnectionError) as error:
            words = f"{error}. Please try again."
            threading.Thread(target=fail, args=(job, words), daemon=True).start()
            return "failed"
        with lock_of(job["user_id"]):
            write("user", job["user_id"], tokens)
        threading.Thread(target=resume, args=(job, tokens["access"]), daemon=True).start()
        return "done"


class Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, *_):
        pass


def recover():
    for name in os.listdir(SPOOL):
        if not name.startswith("job-") or name.endswith(".tmp"):
            continue
        try:
            with open(os.path.join(SPOOL, name), "rb") as file:
                job = unseal(file.read())
        except (OSError, ValueError):
            continue
        if "state" not in job:
            threading.Thread(target=work, args=(job,), daemon=True).start()
        elif read("state", job["state"]):
            expire(job)
        else:
            words = "the authorization was interrupted. Please try again."
            threading.Thread(target=fail, args=(job, words), daemon=True).start()


recover()
Server(("127.0.0.1", int(ENV["PORT"])), Handler).serve_forever()

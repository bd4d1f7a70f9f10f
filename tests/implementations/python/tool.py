#!/usr/bin/env python3
"""A RAP toolset that knows nothing but the URL of its resource server.

The provider is found through the 401 challenge of the resource (RFC 9728, RFC 8414), the client is
registered dynamically (RFC 7591) and requests are pushed (RFC 9126). Standard library only.

Environment: PORT, DATA_DIR, RESOURCE_URL; optional PUBLIC_URL, TOKEN_KEY (else DATA_DIR/key/master),
PENDING_TIMEOUT_MS (default 600000), UPSTREAM_TIMEOUT_MS (default 2000), SSL_CERT_FILE or
REQUESTS_CA_BUNDLE. Redirect URI: {PUBLIC_URL}/callback. Tokens: DATA_DIR/store/tool.sqlite3.

All calls of one user that need the same scope share one authorization. Anonymous calls share none.
"""
import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import secrets
import socket
import sqlite3
import ssl
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(os.environ.get("PORT", "0"))
DATA_DIR = os.environ.get("DATA_DIR", "data")
PUBLIC_URL = os.environ.get("PUBLIC_URL", f"http://127.0.0.1:{PORT}")
REDIRECT_URI = PUBLIC_URL + "/callback"
ITEMS_URL = os.environ.get("RESOURCE_URL", "").rstrip("/") + "/items"
PENDING = float(os.environ.get("PENDING_TIMEOUT_MS", "600000")) / 1000
UPSTREAM = float(os.environ.get("UPSTREAM_TIMEOUT_MS", "2000")) / 1000
FORM = "application/x-www-form-urlencoded"

TLS = ssl.create_default_context()
if os.environ.get("REQUESTS_CA_BUNDLE"):
    TLS.load_verify_locations(os.environ["REQUESTS_CA_BUNDLE"])


class Failure(Exception):
    """Its text may be shown to the model."""


# ---- encrypted records --------------------------------------------------------------------------


def master_key():
    if os.environ.get("TOKEN_KEY"):
        return hashlib.scrypt(os.environ["TOKEN_KEY"].encode(), salt=b"rap-tool", n=16384, r=8, p=1)
    path = os.path.join(DATA_DIR, "key", "master")
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    with open(path, "rb") as file:
        return file.read()


class Records:
    """kind + name -> JSON value. HMAC-SHA256 in counter mode, then HMAC over context and text."""

    def __init__(self):
        master = master_key()
        self.keys = [hmac.digest(master, use, "sha256") for use in (b"stream", b"tag", b"name")]
        os.makedirs(os.path.join(DATA_DIR, "store"), mode=0o700, exist_ok=True)
        path = os.path.join(DATA_DIR, "store", "tool.sqlite3")
        self.db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        os.chmod(path, 0o600)
        self.lock = threading.Lock()
        self.db.execute("PRAGMA secure_delete = ON")
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS record (kind TEXT, name TEXT, value BLOB, PRIMARY KEY (kind, name))"
        )

    def _stream(self, nonce, data):
        blocks = range((len(data) + 31) // 32)
        pad = b"".join(hmac.digest(self.keys[0], nonce + n.to_bytes(8, "big"), "sha256") for n in blocks)
        return bytes(a ^ b for a, b in zip(data, pad))

    def _tag(self, context, body):
        return hmac.digest(self.keys[1], len(context).to_bytes(4, "big") + context + body, "sha256")

    def _name(self, kind, name):
        return hmac.new(self.keys[2], json.dumps([kind, name]).encode(), "sha256").hexdigest()

    def _open(self, kind, hidden, value):
        body, tag = value[:-32], value[-32:]
        if not hmac.compare_digest(tag, self._tag(f"{kind}/{hidden}".encode(), body)):
            return None
        return json.loads(self._stream(body[:16], body[16:]))

    def put(self, kind, name, value):
        hidden, nonce = self._name(kind, name), secrets.token_bytes(16)
        body = nonce + self._stream(nonce, json.dumps(value).encode())
        row = (kind, hidden, body + self._tag(f"{kind}/{hidden}".encode(), body))
        with self.lock:
            self.db.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?)", row)

    def get(self, kind, name):
        hidden = self._name(kind, name)
        query = "SELECT value FROM record WHERE kind = ? AND name = ?"
        with self.lock:
            row = self.db.execute(query, (kind, hidden)).fetchone()
        return self._open(kind, hidden, row[0]) if row else None

    def drop(self, kind, name):
        with self.lock:
            self.db.execute("DELETE FROM record WHERE kind = ? AND name = ?", (kind, self._name(kind, name)))

    def all(self, kind):
        with self.lock:
            rows = self.db.execute("SELECT name, value FROM record WHERE kind = ?", (kind,)).fetchall()
        values = [self._open(kind, name, value) for name, value in rows]
        return [value for value in values if value is not None]


# ---- HTTP client --------------------------------------------------------------------------------


def send(method, url, headers=None, body=None, limit=UPSTREAM):
    """One request without redirects. The whole exchange takes at most about `limit` seconds."""
    parts = urllib.parse.urlsplit(url)
    headers = dict(headers or {})
    if parts.username is not None:
        pair = urllib.parse.unquote(f"{parts.username}:{parts.password or ''}")
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=limit, context=TLS)
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=limit)

    def cut():
        try:
            connection.sock.shutdown(socket.SHUT_RDWR)
        except (AttributeError, OSError):
            pass

    watchdog = threading.Timer(limit, cut)
    watchdog.daemon = True
    watchdog.start()
    try:
        target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        target = "".join(c if 32 < ord(c) < 127 else urllib.parse.quote(c) for c in target)
        connection.request(method, target, body, {"Connection": "close", **headers})
        response = connection.getresponse()
        return response.status, response.headers, response.read(4_000_000)
    finally:
        watchdog.cancel()
        connection.close()


def upstream(method, url, headers=None, body=None):
    try:
        status, fields, data = send(method, url, {"Accept": "application/json", **(headers or {})}, body)
    except (OSError, http.client.HTTPException, ValueError):
        raise Failure("The item service did not answer. Please try again later.") from None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    return status, fields, value if isinstance(value, dict) else {}


# ---- provider -----------------------------------------------------------------------------------

records = Records()
discovery_lock = threading.Lock()
known = {"until": 0.0, "metadata": None}


def well_known(url, name):
    parts = urllib.parse.urlsplit(url)
    path = parts.path.rstrip("/")
    base = f"{parts.scheme}://{parts.netloc}"
    return [f"{base}/.well-known/{name}{path}", f"{base}{path}/.well-known/{name}"]


def discover():
    """Resource -> 401 challenge -> protected resource metadata -> authorization server metadata."""
    with discovery_lock:
        if known["until"] > time.time():
            return known["metadata"]
        status, fields, _ = upstream("GET", ITEMS_URL)
        challenges = " ".join(fields.get_all("WWW-Authenticate") or [])
        found = re.search(r'\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,]+))', challenges, re.I)
        if status != 401 or not found:
            raise Failure("The item service did not say how to authorize.")
        _, _, resource = upstream("GET", found[1] or found[2])
        name = str(resource.get("resource", "")).rstrip("/")
        servers = resource.get("authorization_servers")
        covered = name == ITEMS_URL or ITEMS_URL.startswith(name + "/")
        if not name or not covered or not isinstance(servers, list) or not servers:
            raise Failure("The description of the item service is not usable.")
        issuer = str(servers[0])
        for url in dict.fromkeys(well_known(issuer, "oauth-authorization-server")):
            status, _, metadata = upstream("GET", url)
            if status == 200 and metadata.get("issuer") == issuer:
                break
        else:
            raise Failure("The authorization service could not be identified.")
        for kind in ("authorization", "token", "registration", "pushed_authorization_request"):
            if not str(metadata.get(kind + "_endpoint", "")).startswith("https://"):
                raise Failure("The authorization service lacks a feature that this tool needs.")
        known.update(until=time.time() + 300, metadata=metadata)
        return metadata


registration_lock = threading.Lock()


def client_of(metadata, unwanted=None):
    """Our registration at this provider. `unwanted` is one that the provider no longer knows."""
    name = [metadata["issuer"], REDIRECT_URI]
    with registration_lock:
        client = records.get("client", name)
        if client and client != unwanted and not 0 < client["expires"] < time.time():
            return client
        offered = metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        request = {
            "client_name": "items (python)",
            "redirect_uris": [REDIRECT_URI],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none" if "none" in offered else "client_secret_basic",
            "scope": "items:read items:write",
        }
        headers = {"Content-Type": "application/json"}
        status, _, reply = upstream("POST", metadata["registration_endpoint"], headers, json.dumps(request))
        if status not in (200, 201) or not isinstance(reply.get("client_id"), str):
            raise Failure("The authorization service did not register this tool.")
        client = {
            "id": reply["client_id"],
            "secret": reply.get("client_secret"),
            "method": reply.get("token_endpoint_auth_method", request["token_endpoint_auth_method"]),
            "expires": reply.get("client_secret_expires_at") or 0,
        }
        records.put("client", name, client)
        return client


def as_client(url, client, fields):
    """POSTs a form, authenticated as the client."""
    headers, fields = {"Content-Type": FORM}, dict(fields)
    if client["secret"] and client["method"] == "client_secret_basic":
        pair = f"{urllib.parse.quote_plus(client['id'])}:{urllib.parse.quote_plus(client['secret'])}"
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    else:
        fields["client_id"] = client["id"]
        if client["secret"] and client["method"] == "client_secret_post":
            fields["client_secret"] = client["secret"]
    return upstream("POST", url, headers, urllib.parse.urlencode(fields))


def push(metadata, fields):
    """Returns the client and the request_uri."""
    client = client_of(metadata)
    for attempt in range(2):
        request = {**fields, "client_id": client["id"]}
        endpoint = metadata["pushed_authorization_request_endpoint"]
        status, _, reply = as_client(endpoint, client, request)
        if status in (200, 201) and isinstance(reply.get("request_uri"), str):
            return client, reply["request_uri"], float(reply.get("expires_in") or 60)
        if attempt or reply.get("error") not in ("invalid_client", "unauthorized_client"):
            raise Failure("The authorization service did not accept the request.")
        client = client_of(metadata, unwanted=client)
    raise AssertionError


def redeem(endpoint, client, fields):
    """A grant, or None if the code or refresh token (or the client) is not accepted any more."""
    status, _, reply = as_client(endpoint, client, fields)
    if status == 400 or reply.get("error") == "invalid_client":
        return None
    token, kind = reply.get("access_token"), str(reply.get("token_type", ""))
    if status != 200 or not isinstance(token, str) or not token or kind.lower() != "bearer":
        raise Failure("The authorization service did not issue a token.")
    try:
        life = float(reply.get("expires_in") or 0)
    except (TypeError, ValueError):
        life = 0.0
    return {
        "access": token,
        "refresh": reply.get("refresh_token") or fields.get("refresh_token"),
        "scope": reply.get("scope"),
        "expires": time.time() + life if life > 0 else None,
        "client": client,
        "endpoint": endpoint,
    }


# ---- grants -------------------------------------------------------------------------------------

grant_locks = {}
grant_locks_guard = threading.Lock()


def grant_lock(user, scope):
    with grant_locks_guard:
        return grant_locks.setdefault((user, scope), threading.Lock())


def stored_grant(user, scope, rejected=None):
    """The grant of this user, refreshed by one thread at a time when needed."""
    if user is None:
        return None
    with grant_lock(user, scope):
        grant = records.get("grant", [user, scope])
        if grant is None:
            return None
        fresh = grant["expires"] is None or grant["expires"] > time.time() + 1
        if fresh and grant["access"] != rejected:
            return grant
        renewed = None
        if grant["refresh"]:
            fields = {"grant_type": "refresh_token", "refresh_token": grant["refresh"]}
            renewed = redeem(grant["endpoint"], grant["client"], fields)
        if renewed is None:
            records.drop("grant", [user, scope])
        else:
            records.put("grant", [user, scope], renewed)
        return renewed


def forget(user, scope, grant):
    if user is None:
        return
    with grant_lock(user, scope):
        stored = records.get("grant", [user, scope])
        if stored and stored["access"] == grant["access"]:
            records.drop("grant", [user, scope])


# ---- operations ---------------------------------------------------------------------------------

OPERATIONS = {
    "list_items": {
        "scope": "items:read",
        "description": "List all items.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
        "annotations": {"requiresAuth": "acme", "readOnly": True},
    },
    "create_item": {
        "scope": "items:write",
        "description": "Create an item.",
        "inputSchema": {
            "type": "object",
            "properties": {"title": {"type": "string", "minLength": 1}},
            "required": ["title"],
            "additionalProperties": False,
        },
        "annotations": {"requiresAuth": "acme", "readOnly": False},
    },
}


def perform(call, grant):
    """The result text, or None if the API does not take the token."""
    headers = {"Authorization": "Bearer " + grant["access"]}
    if call["operation"] == "list_items":
        status, fields, data = upstream("GET", ITEMS_URL, headers)
    else:
        headers["Content-Type"] = "application/json"
        status, fields, data = upstream("POST", ITEMS_URL, headers, json.dumps(call["arguments"]))
    if status == 401:
        return None
    if status == 403 and "insufficient_scope" in (fields.get("WWW-Authenticate") or ""):
        return None
    try:
        if not 200 <= status < 300:
            raise ValueError
        if call["operation"] == "list_items":
            lines = [f"{item['id']} - {item['title']}" for item in data["items"]]
            text = "\n".join(lines) or "No items."
        else:
            text = f"Created {data['id']} - {data['title']}"
    except (ValueError, KeyError, TypeError):
        raise Failure("The item service could not carry out the operation.") from None
    for secret in (grant["access"], grant["refresh"]):
        text = text.replace(secret, "[hidden]") if secret else text
    return text


# ---- messages -----------------------------------------------------------------------------------


def deliver(call, kind, fields):
    message = {"type": kind, "group_id": call["group_id"], "id": call["id"], **fields}
    if call["call_id"] is not None:
        message["call_id"] = call["call_id"]
    body, wait = json.dumps(message).encode(), 0.25
    for _ in range(8):
        if kind == "oauth" and call["key"] not in waiting:
            return
        try:
            status, _, _ = send("POST", call["callback_url"], {"Content-Type": "application/json"}, body, 10)
            if status < 500:
                return
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(wait)
        wait *= 2


def finish(call, text):
    with flows_lock:
        if "text" in call:
            return
        call["text"] = text
        waiting.discard(call["key"])
    records.put("call", call["key"], call)
    hand(call)


def hand(call):
    sender = senders.pop(call["key"], None)
    if sender:
        sender.join(0.5)  # do not overtake the oauth message that is still on its way
    deliver(call, "tool_result", {"text": call["text"]})
    with flows_lock:
        calls.pop(call["key"], None)
    records.drop("call", call["key"])


def in_background(function, *arguments):
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


# ---- flows: one for each user and scope, or for each anonymous call -----------------------------

calls = {}  # key -> unfinished call
flows = {}  # flow key -> { key, user, scope, calls, attempts: {state -> attempt}, latest }
waiting = set()  # keys of calls that wait for their user
senders = {}  # call key -> thread that delivers its oauth message
flows_lock = threading.RLock()
starting = {}  # flow key -> lock, so that two calls do not start the same flow twice


def work(call):
    try:
        if call["fault"]:
            raise Failure(call["fault"])
        user, scope = call["user"], OPERATIONS[call["operation"]]["scope"]
        grant = stored_grant(user, scope)
        text = perform(call, grant) if grant else None
        if grant and text is None:
            grant = stored_grant(user, scope, rejected=grant["access"])
            text = perform(call, grant) if grant else None
        if text is not None:
            return finish(call, text)
        if grant:
            forget(user, scope, grant)
        ask_user(call, user, scope)
    except Failure as failure:
        finish(call, f"Error: {failure}")
    except Exception:
        print("a call failed unexpectedly", file=sys.stderr, flush=True)
        finish(call, "Error: The call failed.")


def ask_user(call, user, scope):
    key = json.dumps([user, scope] if user is not None else [None, call["key"]])
    with flows_lock:
        guard = starting.setdefault(key, threading.Lock())
    with guard:
        with flows_lock:
            flow = flows.get(key)
        if flow is None or flow["latest"]["until"] < time.time():
            attempt = start_attempt(scope)
            with flows_lock:
                fresh = {"key": key, "user": user, "scope": scope, "calls": [], "attempts": {}}
                flow = flows.setdefault(key, fresh)
                flow["attempts"][attempt["state"]] = attempt
                flow["latest"] = attempt
        with flows_lock:
            joined = flows.get(key) is flow
            if joined:
                call["deadline"] = time.time() + PENDING
                flow["calls"].append(call["key"])
                waiting.add(call["key"])
                records.put("call", call["key"], call)
                records.put("flow", key, flow)
                auth_url = flow["latest"]["auth_url"]
                senders[call["key"]] = in_background(deliver, call, "oauth", {"auth_url": auth_url})
                watch(call)
    if not joined:  # completed in this very moment
        work(call)


def start_attempt(scope):
    metadata = discover()
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    fields = {
        "response_type": "code",
        "redirect_uri": REDIRECT_URI,
        "scope": scope,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    client, request_uri, life = push(metadata, fields)
    endpoint = metadata["authorization_endpoint"]
    query = urllib.parse.urlencode({"client_id": client["id"], "request_uri": request_uri})
    return {
        "state": state,
        "verifier": verifier,
        "auth_url": endpoint + ("&" if "?" in endpoint else "?") + query,
        "until": time.time() + life - 1,
        "client": client,
        "issuer": metadata["issuer"],
        "iss_required": metadata.get("authorization_response_iss_parameter_supported") is True,
        "endpoint": metadata["token_endpoint"],
    }


def watch(call):
    timer = threading.Timer(max(call["deadline"] - time.time(), 0), leave, (call, TOO_LATE))
    timer.daemon = True
    timer.start()


TOO_LATE = "Error: The authorization was not completed in time. Please try again."
CANCELLED = "Error: The call was cancelled."


def leave(call, text):
    """Takes one call out of its flow and ends it. The last one to leave ends the flow."""
    with flows_lock:
        if call["key"] not in waiting:
            return
        waiting.discard(call["key"])
        for flow in list(flows.values()):
            if call["key"] in flow["calls"]:
                flow["calls"].remove(call["key"])
                if flow["calls"]:
                    records.put("flow", flow["key"], flow)
                else:
                    end_flow(flow)
    finish(call, text)


def end_flow(flow):
    flows.pop(flow["key"], None)
    starting.pop(flow["key"], None)
    records.drop("flow", flow["key"])


def claim(query):
    """The flow and attempt that a redirect belongs to; taking it makes every state of it unusable."""
    if any(len(values) != 1 for values in query.values()):
        return None
    value = {name: values[0] for name, values in query.items()}
    if not value.get("state") or bool(value.get("code")) == bool(value.get("error")):
        return None
    with flows_lock:
        for flow in flows.values():
            attempt = flow["attempts"].get(value["state"])
            if attempt is None:
                continue
            if (attempt["iss_required"] or "iss" in value) and value.get("iss") != attempt["issuer"]:
                return None
            end_flow(flow)
            joined = [calls[key] for key in flow["calls"] if key in calls]
            waiting.difference_update(flow["calls"])
            for call in joined:
                call["deadline"] = None
                records.put("call", call["key"], call)
            return flow, attempt, joined, value
    return None


def complete(flow, attempt, joined, value):
    user, scope = flow["user"], flow["scope"]
    try:
        if value.get("error") == "access_denied":
            raise Failure("The authorization was denied by the user. Please try again and grant it.")
        if value.get("error"):
            raise Failure("The authorization service did not authorize this tool.")
        fields = {
            "grant_type": "authorization_code",
            "code": value["code"],
            "redirect_uri": REDIRECT_URI,
            "code_verifier": attempt["verifier"],
        }
        grant = redeem(attempt["endpoint"], attempt["client"], fields)
        if grant is None:
            raise Failure("The authorization was not accepted. Please try again.")
        if grant["scope"] is not None and scope not in str(grant["scope"]).split():
            raise Failure("The permission that this operation needs was not granted.")
        if user is not None:
            with grant_lock(user, scope):
                records.put("grant", [user, scope], grant)
    except Failure as failure:
        for call in joined:
            in_background(finish, call, f"Error: {failure}")
        return
    except Exception:
        print("an authorization failed unexpectedly", file=sys.stderr, flush=True)
        for call in joined:
            in_background(finish, call, "Error: The authorization failed.")
        return
    for call in joined:
        in_background(retry, call, user, scope, grant, value["code"])


def retry(call, user, scope, grant, code):
    try:
        text = perform(call, grant)
        if text is None:
            forget(user, scope, grant)
            raise Failure("The item service did not accept the authorization.")
        finish(call, text.replace(code, "[hidden]"))
    except Failure as failure:
        finish(call, f"Error: {failure}")
    except Exception:
        finish(call, "Error: The call failed.")


# ---- HTTP server --------------------------------------------------------------------------------


def fault_of(message):
    operation, arguments = message.get("operation"), message.get("arguments")
    optional = (message.get("user_id"), message.get("call_id"))
    if any(value is not None and not isinstance(value, str) for value in optional):
        return "The invocation is malformed."
    if not isinstance(operation, str) or operation not in OPERATIONS:
        return "The operation does not exist."
    schema = OPERATIONS[operation]["inputSchema"]
    fits = isinstance(arguments, dict) and set(arguments) == set(schema.get("required", []))
    if not fits or not all(isinstance(value, str) and value for value in arguments.values()):
        return "The arguments do not match the schema of the operation."
    return None


def take(message):
    fault = fault_of(message)
    call_id, user = message.get("call_id"), message.get("user_id")
    call = {
        "key": secrets.token_hex(16),
        "group_id": message["group_id"],
        "id": message["id"],
        "call_id": call_id if isinstance(call_id, str) else None,
        "callback_url": message["callback_url"],
        "user": user if isinstance(user, str) and user else None,
        "operation": None if fault else message["operation"],
        "arguments": None if fault else message["arguments"],
        "fault": fault,
        "deadline": None,
    }
    same = ("group_id", "id", "callback_url", "user", "operation")
    with flows_lock:
        if any(all(other[name] == call[name] for name in same) for other in calls.values()):
            return  # the same invocation, delivered twice
        calls[call["key"]] = call
    records.put("call", call["key"], call)
    work(call)


def cancel(message, one):
    with flows_lock:
        unfinished = list(calls.values())
    for call in unfinished:
        if call["group_id"] == message.get("thread_id"):
            if not one or call["id"] == message.get("tool_call_id"):
                in_background(leave, call, CANCELLED)


def answerable(message):
    if not isinstance(message, dict):
        return False
    if not all(isinstance(message.get(name), str) for name in ("id", "group_id", "callback_url")):
        return False
    try:
        parts = urllib.parse.urlsplit(message["callback_url"])
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


TOOLSET = {
    "name": "items-python",
    "description": "Items. A call whose authorization is not completed within "
    f"{PENDING:g} seconds ends with an error; any other call ends within seconds.",
    "endpoint": PUBLIC_URL + "/tools/invoke",
    "tools": [
        {"name": name, **{key: value for key, value in tool.items() if key != "scope"}}
        for name, tool in OPERATIONS.items()
    ],
}


class Handler(BaseHTTPRequestHandler):
    timeout = 20
    server_version = "items"
    sys_version = ""

    def log_message(self, *_):
        """Request lines carry codes and states, so nothing is logged."""

    def reply(self, status, body, kind="application/json"):
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def page(self, status, text):
        html = f"<!doctype html><meta charset=utf-8><title>Items</title><p>{text}"
        self.reply(status, html, "text/html; charset=utf-8")

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/.well-known/rap-toolset":
            return self.reply(200, json.dumps(TOOLSET))
        if path != "/callback":
            return self.reply(404, "{}")
        try:
            claimed = claim(urllib.parse.parse_qs(query, keep_blank_values=True, max_num_fields=50))
        except ValueError:
            claimed = None
        if claimed is None:
            return self.page(400, "This link is not valid (any more).")
        in_background(complete, *claimed)
        return self.page(200, "Thank you. The tool continues; you can close this page.")

    def body(self, limit=1_000_000):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            length = int(self.headers.get("Content-Length", ""))
            return self.rfile.read(length) if 0 <= length <= limit else b""
        data = b""
        while size := int(self.rfile.readline(100).split(b";")[0], 16):
            if len(data) + size > limit:
                return b""
            data += self.rfile.read(size)
            self.rfile.readline(100)
        return data

    def do_POST(self):
        try:
            message = json.loads(self.body())
        except (ValueError, RecursionError):
            message = None
        if self.path == "/tools/invoke":
            if not answerable(message):
                return self.reply(400, "{}")
            in_background(take, message)
            return self.reply(200, "{}")
        if self.path not in ("/close_thread", "/cancel_tool_call"):
            return self.reply(404, "{}")
        if isinstance(message, dict):
            cancel(message, one=self.path == "/cancel_tool_call")
        return self.reply(200, "{}")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        print("a connection ended early", file=sys.stderr, flush=True)


def resume():
    """Goes on with the calls that an earlier process left behind."""
    left = records.all("call")
    calls.update({call["key"]: call for call in left})
    flows.update({flow["key"]: flow for flow in records.all("flow")})
    for flow in list(flows.values()):
        flow["calls"] = [key for key in flow["calls"] if key in calls]
        waiting.update(flow["calls"])
        if not flow["calls"]:
            end_flow(flow)
    for call in left:
        if "text" in call:
            in_background(hand, call)
        elif call["key"] in waiting:
            watch(call)
        else:
            in_background(finish, call, "Error: The tool was restarted. Please try again.")


if __name__ == "__main__":
    server = Server(("127.0.0.1", PORT), Handler)
    resume()
    print(f"ready http://127.0.0.1:{PORT}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass

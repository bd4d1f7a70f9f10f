"""
An MCP server over standard input and output whose tool has its client authorize it (SEP-1028). The standard library
alone, written from the documents.

Unlike others where they leave a choice: it offers no redirect URIs beside its own; ids of its requests are texts; a
failed call is an error of JSON-RPC; tokens live as long as the process; the secret is sent in the body.

Environment: OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, REDIRECT_URI, RESOURCE_URL, PENDING_SECONDS, and
VARIANT for one that is wrong: "ignores-state", "asks-anybody".
"""

import base64
import hashlib
import json
import os
import queue
import secrets
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

ENV = os.environ
VARIANT = ENV.get("VARIANT", "")
TIMEOUT = 3


class Failure(Exception):
    """Why a call ends, in words for its user."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def fetch(url, data=None, headers=None):
    """The status and the JSON of an answer; None where there is none that can be read."""
    body = urllib.parse.urlencode(data).encode() if data is not None else None
    request = urllib.request.Request(url, data=body, headers=headers or {})
    try:
        with OPENER.open(request, timeout=TIMEOUT) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        try:
            return error.code, json.loads(error.read())
        except (ValueError, OSError):
            return error.code, None
    except (OSError, ValueError):
        return 0, None


class Client:
    """The MCP client at the other end."""

    def __init__(self):
        self.capabilities = {}
        self.waiting = {}
        self.lock = threading.Lock()

    def send(self, message):
        with self.lock:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            sys.stdout.flush()

    def ask(self, method, params):
        identifier = "ask-" + secrets.token_hex(4)
        answers = self.waiting[identifier] = queue.Queue()
        self.send({"id": identifier, "method": method, "params": params})
        try:
            return answers.get(timeout=float(ENV.get("PENDING_SECONDS", "300")))
        except queue.Empty:
            raise Failure("Nobody authorized it in time.") from None
        finally:
            del self.waiting[identifier]


CLIENT = Client()
TOKENS = {}
TOKEN_LOCK = threading.Lock()


def metadata():
    status, found = fetch(ENV["OAUTH_ISSUER"] + "/.well-known/oauth-authorization-server")
    if status != 200 or not isinstance(found, dict) or found.get("issuer") != ENV["OAUTH_ISSUER"]:
        raise Failure("The authorization server does not answer.")
    return found


def authorize():
    declared = isinstance(CLIENT.capabilities.get("delegated_authorization"), dict)
    if not declared and VARIANT != "asks-anybody":
        raise Failure("This needs a client with delegated_authorization.")
    provider = metadata()
    state, verifier = secrets.token_hex(24), secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "client_id": ENV["OAUTH_CLIENT_ID"],
        "response_type": "code",
        "scope": "items:read",
        "redirect_uri": ENV["REDIRECT_URI"],
        "state": state,
        "code_challenge_method": "S256",
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    }
    url = provider["authorization_endpoint"] + "?" + urllib.parse.urlencode(query)
    answer = CLIENT.ask("auth/request", {"message": "Zugriff auf die Liste?", "url": url})
    if "error" in answer:
        raise Failure("The client cannot ask for an authorization.")
    callback = (answer.get("result") or {}).get("url")
    if not callback:
        raise Failure("The authorization was declined.")
    return redeem(provider, state, verifier, callback)


def redeem(provider, state, verifier, callback):
    base, _, search = callback.partition("?")
    given = urllib.parse.parse_qs(search, keep_blank_values=True)
    if base != ENV["REDIRECT_URI"]:
        raise Failure("The callback came to another place.")
    if given.get("state") != [state] and VARIANT != "ignores-state":
        raise Failure("The callback belongs to something else.")
    promised = provider.get("authorization_response_iss_parameter_supported")
    if given.get("iss") != ([provider["issuer"]] if promised else None):
        raise Failure("The callback comes from somebody else.")
    if "error" in given:
        denied = given["error"] == ["access_denied"]
        raise Failure("The authorization was denied." if denied else "The authorization failed.")
    if len(given.get("code", [])) != 1:
        raise Failure("The callback brings nothing.")
    form = {
        "grant_type": "authorization_code",
        "code": given["code"][0],
        "redirect_uri": base,
        "code_verifier": verifier,
        "client_id": ENV["OAUTH_CLIENT_ID"],
        "client_secret": ENV["OAUTH_CLIENT_SECRET"],
    }
    status, tokens = fetch(provider["token_endpoint"], form)
    token = tokens.get("access_token") if status == 200 and isinstance(tokens, dict) else None
    if not isinstance(token, str) or not token or str(tokens.get("token_type")).lower() != "bearer":
        raise Failure("The authorization server gave no token.")
    return token


def read_items(token):
    """The items, or None where the token is refused."""
    status, found = fetch(ENV["RESOURCE_URL"] + "/items", headers={"Authorization": "Bearer " + token})
    if status == 401:
        return None
    if status != 200 or not isinstance(found, dict):
        raise Failure("The service failed.")
    return "\n".join(item["title"] for item in found["items"])


def list_items():
    with TOKEN_LOCK:
        known = TOKENS.get("access")
    items = read_items(known) if known else None
    if items is None:
        token = authorize()
        with TOKEN_LOCK:
            TOKENS["access"] = token
        items = read_items(token)
    if items is None:
        raise Failure("The service does not take the token.")
    return {"content": [{"type": "text", "text": items}]}


def call(identifier):
    try:
        CLIENT.send({"id": identifier, "result": list_items()})
    except Failure as failure:
        CLIENT.send({"id": identifier, "error": {"code": 1, "message": str(failure)}})
    except Exception:  # whatever it is, the call ends, and nothing of it gets out
        CLIENT.send({"id": identifier, "error": {"code": 2, "message": "It did not work."}})


TOOL = {"name": "list_items", "description": "Lists items.", "inputSchema": {"type": "object"}}


def handle(message):
    identifier, method = message.get("id"), message.get("method")
    if method is None:
        waiting = CLIENT.waiting.get(identifier)
        if waiting:
            waiting.put(message)
    elif method == "initialize":
        CLIENT.capabilities = message["params"].get("capabilities") or {}
        result = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "items", "version": "1"},
        }
        CLIENT.send({"id": identifier, "result": result})
    elif method == "tools/list":
        CLIENT.send({"id": identifier, "result": {"tools": [TOOL]}})
    elif method == "tools/call":
        threading.Thread(target=call, args=(identifier,), daemon=True).start()
    elif identifier is not None:
        CLIENT.send({"id": identifier, "error": {"code": -32601, "message": "unknown"}})


for line in sys.stdin:
    if line.strip():
        handle(json.loads(line))

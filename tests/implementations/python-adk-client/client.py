"""A client application of ADK at a terminal, with nothing but the standard library.

A line of the input is a message. Credential requests of either dialect are noticed; the browser is started by the
command in BROWSER, and comes back to a loopback port of its own for each request (RFC 8252). In the dialect of
responses the code is redeemed here, with PKCE. VARIANT makes one mistake.
"""

import base64
import hashlib
import http.server
import json
import os
import queue
import secrets
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

AGENT = os.environ["AGENT_URL"]
APP = os.environ["AGENT_APP"]
VARIANT = os.environ.get("VARIANT", "")
NAME = "adk_request_credential"
tls = ssl.create_default_context(cafile=os.environ.get("SSL_CERT_FILE"))
printing = threading.Lock()
pasted = queue.Queue()
at_the_prompt = threading.Lock()


def tell(text):
    with printing:
        print(text, flush=True)


def post(url, body, kind="application/json"):
    data = json.dumps(body).encode() if kind == "application/json" else urllib.parse.urlencode(body).encode()
    request = urllib.request.Request(url, data, {"content-type": kind})
    context = tls if url.startswith("https:") else None
    with urllib.request.urlopen(request, timeout=60, context=context) as response:
        return json.load(response)


def member(value, camel, snake):
    return value.get(camel, value.get(snake))


def turn(session, parts):
    """Sends a message, tells what the agent says, and starts what it asks for."""
    body = {"appName": APP, "userId": "ann", "sessionId": session, "newMessage": {"role": "user", "parts": parts}}
    try:
        events = post(AGENT + "/run", body)
    except (urllib.error.URLError, ValueError) as error:
        if VARIANT != "silent-failure":
            tell(f"Sorry, the agent failed ({error}).")
        return
    if VARIANT == "ignores-events":
        return
    for event in events:
        for part in (event.get("content") or {}).get("parts") or []:
            if part.get("text") and not event.get("partial"):
                tell(part["text"])
            ask = request_in(event, part)
            if ask:
                threading.Thread(target=consent, args=(session, *ask), daemon=True).start()


def request_in(event, part):
    """(id, AuthConfig, whether the URL has to be made here) of a credential request."""
    running = member(event, "longRunningToolIds", "long_running_tool_ids") or []
    call = member(part, "functionCall", "function_call")
    if call and call["name"] == NAME and call["id"] in running:
        return call["id"], member(call["args"], "authConfig", "auth_config"), False
    response = member(part, "functionResponse", "function_response")
    if response and response["name"] == NAME and response["id"] in running:
        return response["id"], response["response"], True
    return None


def consent(session, request_id, config, own):
    """Sends the user to the provider, waits for the browser, and answers."""
    if VARIANT == "asks-nobody":
        turn(session, [{"functionResponse": {"id": request_id, "name": NAME, "response": config}}])
        return
    landing = Landing()
    verifier = secrets.token_urlsafe(48)
    uri = made_uri(config, verifier) if own else config["exchangedAuthCredential"]["oauth2"]["authUri"]
    parsed = urllib.parse.urlsplit(uri)
    loopback = parsed.scheme == "http" and parsed.hostname in ("127.0.0.1", "localhost")
    if VARIANT != "opens-anything" and parsed.scheme != "https" and not loopback:
        tell("I was asked to open something that is not safe, and did not.")
        return
    query = urllib.parse.parse_qs(parsed.query, keep_blank_values=True)
    redirect = (query.get("redirect_uri") or [""])[0] or landing.url
    pairs = [(k, v) for k, v in urllib.parse.parse_qsl(parsed.query) if k != "redirect_uri"]
    url = parsed._replace(query=urllib.parse.urlencode([*pairs, ("redirect_uri", redirect)])).geturl()
    if VARIANT == "appends-redirect":
        url = f"{uri}&redirect_uri={urllib.parse.quote(landing.url, safe='')}"
    state = (query.get("state") or [""])[0]
    if VARIANT == "pasted":
        # One address after the other: at a prompt nobody says which one is pasted.
        with at_the_prompt:
            start_browser(url)
            tell("Paste the address that your browser shows now.")
            callback = pasted.get()
    else:
        start_browser(url)
        callback = landing.wait(None if VARIANT == "any-state" else state)
    if VARIANT == "prints-callback":
        print(callback, file=sys.stderr, flush=True)
    answer = json.loads(json.dumps(config))
    if own:
        credential = redeemed(config, callback, redirect, verifier)
        if credential:
            answer["exchanged_auth_credential"] = credential
    else:
        oauth2 = answer["exchangedAuthCredential"]["oauth2"]
        oauth2.update(authResponseUri=callback, redirectUri=redirect)
    turn(session, [{"functionResponse": {"id": request_id, "name": NAME, "response": answer}}])


def start_browser(url):
    tell("Opening your browser to sign in.")
    subprocess.run([os.environ["BROWSER"], url], check=False)


def made_uri(config, verifier):
    flow = config["auth_scheme"]["flows"]["authorization_code"]
    client = config["raw_auth_credential"]["oauth2"]
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return flow["authorization_url"] + "?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": client["client_id"], "scope": " ".join(flow["scopes"]),
        "state": secrets.token_urlsafe(24), "code_challenge": challenge, "code_challenge_method": "S256",
        **({"redirect_uri": client["redirect_uri"]} if client.get("redirect_uri") else {}),
    })


def redeemed(config, callback, redirect, verifier):
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(callback).query))
    if "code" not in query:
        return None
    client = config["raw_auth_credential"]["oauth2"]["client_id"]
    tokens = post(config["auth_scheme"]["flows"]["authorization_code"]["token_url"], {
        "grant_type": "authorization_code", "code": query["code"], "redirect_uri": redirect,
        "client_id": client, "code_verifier": verifier,
    }, "application/x-www-form-urlencoded")
    return {"auth_type": "o_auth2", "oauth2": {"client_id": client, "access_token": tokens["access_token"]}}


class Landing:
    """A loopback port for one callback."""

    def __init__(self):
        landing = self
        self.arrived, self.taken = [], threading.Condition()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("content-type", "text/plain")
                self.end_headers()
                self.wfile.write(b"Thank you. Go back to the terminal.")
                with landing.taken:
                    landing.arrived.append(landing.origin + self.path)
                    landing.taken.notify_all()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.url = self.origin + "/back"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait(self, state):
        """The first callback with that state; any, where none is given."""
        with self.taken:
            while True:
                for url in self.arrived:
                    found = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query).get("state", [""])[0]
                    if state is None or found == state:
                        return url
                self.taken.wait()


def main():
    session = post(f"{AGENT}/apps/{APP}/users/ann/sessions", {})["id"]
    for line in sys.stdin:
        if VARIANT == "never-calls":
            continue
        if line.startswith("http://127.0.0.1:") and VARIANT == "pasted":
            pasted.put(line.strip())
            continue
        threading.Thread(target=turn, args=(session, [{"text": line.strip()}]), daemon=True).start()


main()

"""An MCP client that does delegated authorization (SEP-1028), with nothing but the standard library: client.py URL [VARIANT]."""

import http.server
import json
import os
import queue
import subprocess
import sys
import threading
import urllib.parse
import urllib.request

URL, VARIANT = sys.argv[1], (sys.argv[2:] or [""])[0]
lines, session = queue.Queue(), {}


def post(message):
    """Sends one message; yields what comes back, as JSON or as events."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **session}
    request = urllib.request.Request(URL, json.dumps({"jsonrpc": "2.0", **message}).encode(), headers)
    with urllib.request.urlopen(request) as response:
        if "Mcp-Session-Id" in response.headers:
            session["Mcp-Session-Id"] = response.headers["Mcp-Session-Id"]
        if "event-stream" not in response.headers.get("Content-Type", ""):
            body = response.read()
            if body:
                yield json.loads(body)
            return
        data = ""
        for line in response:
            text = line.decode().rstrip("\r\n")
            if text.startswith("data:"):
                data += text[5:]
            elif text == "" and data.strip():
                yield json.loads(data)
                data = ""


def request(number, method, params):
    for message in post({"id": number, "method": method, "params": params}):
        if "method" not in message:
            return message
        if message["method"] == "auth/request":
            threading.Thread(target=answer, args=(message,)).start()


def answer(message):
    try:
        reply = {"result": authorize(message["params"])}
    except ValueError as error:
        reply = {"error": {"code": -32602, "message": str(error)}}
    list(post({"id": message["id"], **reply}))


def authorize(params):
    url = urllib.parse.urlsplit(params["url"])
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("this is no web page")
    print(f"{params['message']}\n{url.hostname} ? [o/n]", flush=True)
    if lines.get() != "o":
        return {}
    query = urllib.parse.parse_qsl(url.query, keep_blank_values=VARIANT != "drops-empty-parameters")
    asked = dict(query)
    options = [*params.get("redirect_uri_options", []), asked["redirect_uri"]]
    option = next(each for each in options if each.startswith("http://127.0.0.1:"))
    path = urllib.parse.urlsplit(option.replace("{port}", "0")).path
    came = queue.Queue()

    class Callback(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            place, _, rest = self.path.partition("?")
            found = dict(urllib.parse.parse_qsl(rest))
            known = place.startswith(path) if VARIANT == "path-begins-alike" else place == path
            good = known and found.get("state") == asked.get("state") and ("code" in found or "error" in found)
            self.send_response(200 if good else 404)
            self.end_headers()
            if good:
                came.put(self.path)

    port = 0 if "{port}" in option else urllib.parse.urlsplit(option).port
    with http.server.HTTPServer(("127.0.0.1", port), Callback) as server:
        redirect = option.replace("{port}", str(server.server_port))
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        changed = urllib.parse.urlencode([(name, redirect if name == "redirect_uri" else value) for name, value in query])
        subprocess.run([os.environ["BROWSER"], urllib.parse.urlunsplit(url._replace(query=changed))], check=True)
        callback = came.get()
        server.shutdown()
    return {"url": redirect[: -len(path)] + callback}


capabilities = {"delegated_authorization": {}}
info = {"name": "python-delegated-client", "version": "1"}
request(1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info})
list(post({"method": "notifications/initialized"}))


def call(number, tool, arguments):
    print(json.dumps(request(number, "tools/call", {"name": tool, "arguments": arguments})), flush=True)


for number, line in enumerate(sys.stdin, 2):
    if line.startswith("call "):
        _, name, given = line.split(" ", 2)
        threading.Thread(target=call, args=(number, name, json.loads(given)), daemon=True).start()
    else:
        lines.put(line.strip())

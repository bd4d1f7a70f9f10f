"""A runtime as one is written in an afternoon: it shows the link, and gets nearly everything else wrong.

It sends the arguments as the text that the model wrote, invokes again after an oauth message "in case the user
has signed in by now", prints the link, looks at nothing but the id of a callback, and lets errors end requests.
"""

import json
import os
import threading
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

env = os.environ
tools, endpoints = [], {}
conversations, shown, calls = {}, {}, {}


def http(url, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **headers}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text else None


for base in env["TOOLSETS"].split(","):
    toolset = http(base + "/.well-known/rap-toolset")
    for tool in toolset["tools"]:
        function = {"name": tool["name"], "parameters": tool["inputSchema"]}
        tools.append({"type": "function", "function": function})
        endpoints[tool["name"]] = toolset["endpoint"]


def think(conversation):
    body = {"model": env["MODEL_NAME"], "messages": conversations[conversation], "tools": tools}
    key = {"authorization": "Bearer " + env["MODEL_API_KEY"]}
    message = http(env["MODEL_BASE_URL"] + "/chat/completions", body, key)["choices"][0]["message"]
    conversations[conversation].append(message)
    if message.get("content"):
        shown.setdefault(conversation, []).append(message["content"])
    for call in message.get("tool_calls") or []:
        invocation = {
            "operation": call["function"]["name"],
            "arguments": call["function"]["arguments"],
            "id": str(uuid.uuid4()),
            "callback_url": env["PUBLIC_URL"] + "/callback",
            "group_id": conversation,
        }
        calls[invocation["id"]] = (conversation, call["id"], invocation)
        http(endpoints[invocation["operation"]], invocation)


def callback(message):
    conversation, call, invocation = calls[message["id"]]
    if message["type"] == "oauth":
        shown.setdefault(conversation, []).append("Please log in: " + message["auth_url"])
        print("oauth", message["auth_url"], flush=True)
        again = lambda: http(endpoints[invocation["operation"]], invocation)
        threading.Timer(0.3, again).start()
    elif message["type"] == "tool_result":
        text = message.get("text") or json.dumps(message.get("content"))
        result = {"role": "tool", "tool_call_id": call, "content": text}
        conversations[conversation].append(result)
        think(conversation)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(json.dumps(shown.get(self.path.split("/")[-1], [])).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        message = json.loads(body)
        if self.path == "/message":
            said = {"role": "user", "content": message["text"]}
            conversations.setdefault(message["conversation"], []).append(said)
            self.answer()
            return think(message["conversation"])
        callback(message)
        self.answer()

    def answer(self, body=b""):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(env["PORT"])), Handler).serve_forever()

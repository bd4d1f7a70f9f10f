"""A client of the Model Context Protocol at a terminal, with nothing but the standard library.

Written from the specification (revision 2025-11-25: Lifecycle, Transports, Tools, Elicitation). One server over
Streamable HTTP. A line of input is a command:

    TOOL {"argument": "value"}     calls a tool
    yes, no, later                 answer the question that is open

usage: client.py NAME URL
"""

import json
import queue
import sys
import threading
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import webbrowser

REVISION = "2025-11-25"
URL_ELICITATION_REQUIRED = -32042
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Screen:
    """Questions, one at a time, and what is told between them."""

    def __init__(self):
        self.lock = threading.RLock()
        self.open = []

    def tell(self, text):
        with self.lock:
            print(text, flush=True)

    def ask(self, text):
        """Waits for the answer to a question: accept, decline, cancel."""
        answer = queue.Queue()
        with self.lock:
            self.open.append((text, answer))
            if len(self.open) == 1:
                self.show()
        return answer.get()

    def show(self):
        print(self.open[0][0] + "\nGo there? (yes/no/later) ", end="", flush=True)

    def answer(self, word):
        actions = {"yes": "accept", "no": "decline", "later": "cancel"}
        with self.lock:
            if word not in actions or not self.open:
                return False
            self.open.pop(0)[1].put(actions[word])
            if self.open:
                self.show()
            return True


class Refused(Exception):
    """A request of the server that is answered by an error."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class RpcError(Exception):
    def __init__(self, error):
        super().__init__(error.get("message", "the call failed"))
        self.code = error.get("code")
        self.data = error.get("data") or {}


class Connection:
    def __init__(self, name, url, screen):
        self.name = name
        self.url = url
        self.screen = screen
        self.session = None
        self.ids = 0
        self.lock = threading.Lock()
        self.completed = {}

    # the wire

    def headers(self):
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        if self.session:
            headers["Mcp-Session-Id"] = self.session
            headers["MCP-Protocol-Version"] = REVISION
        return headers

    def post(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        request = urllib.request.Request(self.url, body, self.headers(), method="POST")
        return OPENER.open(request, timeout=900)

    def request(self, method, params):
        """Sends a request, serves what the server asks meanwhile, and gives the result."""
        with self.lock:
            self.ids += 1
            own = self.ids
        with self.post({"id": own, "method": method, "params": params}) as response:
            self.session = response.headers.get("Mcp-Session-Id", self.session)
            for message in messages(response):
                if message.get("id") == own and "method" not in message:
                    if "error" in message:
                        raise RpcError(message["error"])
                    return message["result"]
                self.serve(message)
        raise RpcError({"message": "the stream ended without an answer"})

    def listen(self):
        """The stream of what the server says beside its answers; not every server has one."""
        request = urllib.request.Request(self.url, headers=self.headers(), method="GET")
        try:
            with OPENER.open(request, timeout=3600) as response:
                for message in messages(response):
                    self.serve(message)
        except (urllib.error.URLError, OSError):
            pass

    # what the server wants

    def serve(self, message):
        if "method" not in message:
            return
        if "id" in message:
            threading.Thread(target=self.reply, args=(message,), daemon=True).start()
        elif message["method"] == "notifications/elicitation/complete":
            done = self.completed.get(message.get("params", {}).get("elicitationId"))
            if done:
                done.set()

    def reply(self, message):
        try:
            if message["method"] == "ping":
                answer = {"result": {}}
            elif message["method"] == "elicitation/create":
                answer = {"result": {"action": self.elicit(message.get("params", {}))}}
            else:
                raise Refused(-32601, "there is no such method")
        except Refused as refused:
            answer = {"error": {"code": refused.code, "message": str(refused)}}
        self.post({"id": message["id"], **answer}).close()

    def elicit(self, params):
        if params.get("mode", "form") != "url":
            raise Refused(-32602, "only URL mode was declared")
        url = str(params.get("url"))
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Refused(-32602, "that is no web page")
        lines = [
            "",
            "*** %s would like you to visit a page ***" % self.name,
            plain(str(params.get("message"))),
            "at " + parts.hostname + ":",
            url,
        ]
        if "xn--" in parts.hostname or not parts.hostname.isascii():
            lines.append("CAUTION, this name is spelled with letters of another alphabet.")
        action = self.screen.ask("\n".join(lines))
        if action == "accept":
            webbrowser.open(url)
        return action

    # what the user wants

    def connect(self):
        self.request(
            "initialize",
            {
                "protocolVersion": REVISION,
                "capabilities": {"elicitation": {"url": {}}},
                "clientInfo": {"name": "plain-python-client", "version": "1"},
            },
        )
        self.post({"method": "notifications/initialized"}).close()
        threading.Thread(target=self.listen, daemon=True).start()

    def call(self, tool, arguments, times=1):
        try:
            result = self.request("tools/call", {"name": tool, "arguments": arguments})
            self.screen.tell("%s said %s" % (tool, json.dumps(result)))
        except RpcError as error:
            if error.code == URL_ELICITATION_REQUIRED and times < 3:
                if self.fulfil(error.data.get("elicitations", [])):
                    return self.call(tool, arguments, times + 1)
            self.screen.tell("%s failed: %s" % (tool, error))
        except (urllib.error.URLError, OSError) as error:
            self.screen.tell("%s failed: %s" % (tool, error))

    def fulfil(self, elicitations):
        waiting = []
        for params in elicitations:
            done = self.completed.setdefault(params.get("elicitationId"), threading.Event())
            try:
                if self.elicit(params) != "accept":
                    return False
            except Refused:
                return False
            waiting.append(done)
        for done in waiting:
            done.wait()
        return True


def messages(response):
    """The messages of an answer, which is one JSON text or a stream of server-sent events."""
    if "text/event-stream" not in response.headers.get("Content-Type", ""):
        text = response.read()
        if text:
            yield json.loads(text)
        return
    data = []
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            text = "\n".join(data)
            data = []
            if text:
                yield json.loads(text)


def plain(text):
    return "".join(" " if unicodedata.category(each)[0] == "C" else each for each in text)


def main():
    name, url = sys.argv[1:3]
    screen = Screen()
    connection = Connection(name, url, screen)
    connection.connect()
    for line in sys.stdin:
        line = line.strip()
        if not line or screen.answer(line):
            continue
        tool, _, arguments = line.partition(" ")
        try:
            parsed = json.loads(arguments or "{}")
        except ValueError:
            screen.tell('Type: TOOL {"argument": "value"}')
            continue
        threading.Thread(target=connection.call, args=(tool, parsed), daemon=True).start()


if __name__ == "__main__":
    main()

"""Speaks the adapter protocol for the planner, and is its host: it listens for callbacks, and repairs nothing."""

import json
import os
import socket
import sys
import threading
from email.utils import formatdate
from urllib.parse import parse_qs, urlsplit

from manager import Manager
from planner import Planner

PROTOCOL = 2
CAPABILITIES = ["callback", "advance_clock", "restart", "dump"]


class Unsupported(Exception):
    """The command is not known here."""


class Adapter:
    def __init__(self, planner=Planner, manager=Manager):
        self.make_planner, self.make_manager = planner, manager
        self.lock = threading.Lock()

    def emit(self, event, **fields):
        with self.lock:
            sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
            sys.stdout.flush()

    def log(self, text):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

    # ------------------------------------------------------------ commands
    def hello(self, _):
        return {"protocol": PROTOCOL, "name": "reference planner", "capabilities": CAPABILITIES}

    def configure(self, command):
        self.settings = command["settings"]

    def start(self, _):
        self.begin()
        listener = socket.create_server(("127.0.0.1", int(self.settings["port"])), backlog=64)
        threading.Thread(target=self.listen, args=(listener,), daemon=True).start()

    def begin(self):
        self.manager = self.make_manager(self.settings, self.log)
        self.planner = self.make_planner(self.settings, self.manager, self.emit, self.log)

    def restart(self, _):
        self.begin()

    def message(self, command):
        conversation, user = command["conversation"], command["user"]
        self.later(conversation, lambda: self.planner.run(conversation, user, command["text"]))

    def resume(self, command):
        conversation, user, handle = command["conversation"], command["user"], command["handle"]
        self.later(
            conversation, lambda: self.planner.resume(conversation, user, handle, command["input"])
        )

    def later(self, conversation, run):
        def outcome():
            try:
                event, fields = run()
            except Exception as error:
                event, fields = "run_failed", {"kind": type(error).__name__, "message": str(error)}
            self.emit(event, conversation=conversation, **fields)

        threading.Thread(target=outcome, daemon=True).start()

    def callback(self, command):
        self.took(command["url"])

    def took(self, url):
        flow = parse_qs(urlsplit(url).query).get("state", [""])[0]
        try:
            user = self.manager.handle_callback(url)
        except Exception as error:
            why = {"kind": type(error).__name__, "message": str(error)}
            self.emit("callback", outcome="refused", state=flow, **why)
            return 400, "Nothing was connected. Close this window and try again."
        self.emit("callback", outcome="stored", state=flow, user=user)
        return 200, "Connected. Close this window."

    def advance_clock(self, command):
        # A clock does not go back where what goes by it is started anew.
        self.manager.ahead += command["ms"] / 1000
        self.settings["ahead"] = self.manager.ahead

    def dump(self, _):
        tables = {
            "pause": self.planner.pauses,
            "token": self.manager.tokens,
            "flow": self.manager.flows,
        }
        entries = [
            {"kind": kind, "path": f"{kind}s/{name}", "text": text}
            for kind, table in tables.items()
            for name, text in table.all()
        ]
        return {"entries": entries}

    def shutdown(self, _):
        return None

    # ------------------------------------------------------------ the host
    def listen(self, listener):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            connection.settimeout(15)
            head = b""
            while b"\r\n\r\n" not in head and len(head) < 65536:
                piece = connection.recv(65536)
                if not piece:
                    return
                head += piece
            target = head.split(b" ", 2)[1].decode("latin-1")
            if target.split("?")[0] == "/oauth/callback":
                status, text = self.took(self.settings["host.url"] + target)
            else:
                status, text = 404, "There is nothing here."
            page = text.encode()
            connection.sendall(
                f"HTTP/1.1 {status} OK\r\ndate: {formatdate(usegmt=True)}\r\n"
                "content-type: text/plain\r\nconnection: close\r\n"
                f"content-length: {len(page)}\r\n\r\n".encode()
                + page
            )

    # ------------------------------------------------------------ the protocol
    def answer(self, command):
        handler = getattr(self, command["command"], None)
        try:
            if command["command"] not in COMMANDS or handler is None:
                raise Unsupported
            self.emit("settled", id=command["id"], **(handler(command) or {}))
        except Unsupported:
            self.emit("unsupported", id=command["id"])
        except Exception as error:
            self.emit("failed", id=command["id"], message=f"{type(error).__name__}: {error}")

    def read(self):
        for line in sys.stdin:
            command = json.loads(line)
            self.answer(command)
            if command["command"] == "shutdown":
                break
        # Threads that wait for a model or a provider end with it.
        os._exit(0)


COMMANDS = {
    *("hello", "configure", "start", "message", "resume", "callback"),
    *("advance_clock", "restart", "dump", "shutdown"),
}

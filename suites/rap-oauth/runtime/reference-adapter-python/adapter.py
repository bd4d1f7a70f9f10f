#!/usr/bin/env python3
"""Adapts the reference runtime to the adapter protocol, with nothing but Python's standard library.

Usage: adapter.py COMMAND [ARGUMENT ...], where the command starts the runtime. Standard output is for the
protocol; what the runtime prints goes to standard error.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

PROTOCOL = 1


class Unsupported(Exception):
    """The command is not known here."""


class Adapter:
    def __init__(self, command):
        self.command = command
        self.settings = {}
        self.process = None
        self.watched = set()
        self.lock = threading.Lock()

    def emit(self, event, **fields):
        with self.lock:
            sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
            sys.stdout.flush()

    # ---------------------------------------------------------------- commands
    def hello(self, _):
        return {"protocol": PROTOCOL, "name": "reference runtime, adapted", "version": "1"}

    def configure(self, command):
        self.settings = command["settings"]

    def start(self, _):
        settings = self.settings
        env = {
            **os.environ,
            "PORT": settings["port"],
            "PUBLIC_URL": settings["runtime.url"],
            "TOOLSETS": settings["toolset.url"] + "," + settings["toolset2.url"],
            "MODEL_BASE_URL": settings["model.url"],
            "MODEL_API_KEY": settings["model.key"],
            "MODEL_NAME": settings["model.name"],
            "DATA_DIR": settings["data.dir"],
            "CALL_TIMEOUT_MS": settings["user.timeoutMs"],
        }
        self.process = subprocess.Popen(self.command, env=env, stdout=sys.stderr)
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the runtime ended with code {self.process.returncode}")
            try:
                self.http("GET", "/conversations/adapter/events")
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        raise RuntimeError("the runtime does not answer")

    def message(self, command):
        conversation = command["conversation"]
        if conversation not in self.watched:
            self.watched.add(conversation)
            threading.Thread(target=self.watch, args=(conversation,), daemon=True).start()
        body = {"text": command["text"], "user_id": command["user"]}
        self.http("POST", f"/conversations/{conversation}/messages", body)

    def cancel(self, command):
        self.http("POST", f"/conversations/{command['conversation']}/cancel", {})

    def dump(self, _):
        entries = []
        for folder, _, files in os.walk(self.settings["data.dir"]):
            for name in files:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    entries.append({"path": path, "text": file.read().decode("latin-1")})
        return {"entries": entries}

    def restart(self, command):
        self.stop()
        self.start(command)

    def shutdown(self, _):
        self.stop()

    # ---------------------------------------------------------------- the runtime
    def stop(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(10)

    def http(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.settings["runtime.url"] + path,
            data=data,
            method=method,
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def watch(self, conversation):
        """Follows the events of a conversation, and goes on after a restart."""
        after = 0
        while True:
            url = f"{self.settings['runtime.url']}/conversations/{conversation}/stream?after={after}"
            try:
                with urllib.request.urlopen(url) as stream:
                    for line in stream:
                        if line.startswith(b"data:"):
                            event = json.loads(line[5:])
                            after = max(after, event["seq"])
                            self.report(conversation, event)
            except (OSError, ValueError, http.client.HTTPException):
                pass  # not there yet, or being restarted
            time.sleep(0.05)

    def report(self, conversation, event):
        if event["type"] == "authorization_required":
            self.emit("pending", conversation=conversation, call=event["id"])
        self.emit("surfaced", conversation=conversation, text=json.dumps(event))

    # ---------------------------------------------------------------- the protocol
    def handle(self, command):
        identifier = command.get("id")
        try:
            known = {"hello", "configure", "start", "message", "cancel", "dump", "restart", "shutdown"}
            if command.get("command") not in known:
                raise Unsupported()
            result = getattr(self, command["command"])(command)
            self.emit("settled", id=identifier, **(result or {}))
        except Unsupported:
            self.emit("unsupported", id=identifier)
        except Exception as error:  # whatever it is, the harness is to know
            self.emit("failed", id=identifier, message=f"{type(error).__name__}: {error}")

    def run(self):
        for line in sys.stdin:
            if line.strip():
                command = json.loads(line)
                self.handle(command)
                if command.get("command") == "shutdown":
                    return
        self.stop()


if __name__ == "__main__":
    Adapter(sys.argv[1:]).run()

"""Adapters that adapt nothing: they answer every command, and nothing ever comes of it, or always the same."""

import json
import secrets
import sys

kind = sys.argv[1]
settings = {}


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def pause(command):
    state = secrets.token_urlsafe(32)
    endpoint, client = settings["provider.authorizationEndpoint"], settings["provider.clientId"]
    url = f"{endpoint}?response_type=code&client_id={client}&state={state}&redirect_uri={settings['callback.url']}"
    payload = {"pause_type": "oauth", "provider": "items", "display_name": "Items", "scopes": []}
    payload |= {"auth_url": url, "state": state}
    say(
        "paused",
        conversation=command["conversation"],
        handle=secrets.token_hex(16),
        reason="external_event",
        payload=payload,
    )


for line in sys.stdin:
    command = json.loads(line)
    name, more = command["command"], {}
    if name == "hello":
        more = {"protocol": 2, "capabilities": ["restart", "dump"]}
    if name == "configure":
        settings = command["settings"]
    if name == "message" and kind == "dies":
        sys.exit(1)
    say("settled", id=command["id"], **more)
    if name == "shutdown":
        break
    if name in ("message", "resume"):
        if kind == "pauses":
            pause(command)
        elif kind == "fails":
            say("run_failed", conversation=command["conversation"], kind="KeyError", message="no")
        elif kind == "ends":
            say("finished", conversation=command["conversation"], text="Done.")

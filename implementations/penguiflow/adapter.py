"""Adapts PenguiFlow's ReactPlanner with ToolNode's OAuth: hands on what it does, and repairs nothing."""

import asyncio
import hashlib
import json
import sys
import time
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import aiohttp
import penguiflow
from penguiflow import ModelRegistry, Node
from penguiflow.catalog import build_catalog, tool
from penguiflow.planner import PlannerPause, ReactPlanner, ToolContext
from penguiflow.tools import ExternalToolConfig, ToolNode
from penguiflow.tools.auth import InMemoryTokenStore, OAuthManager, OAuthProviderConfig
from pydantic import create_model


def say(event, **fields):
    print(json.dumps({"event": event, **fields}, default=str), flush=True)


class Files(type(Path())):
    """A folder as state store and token store; as the package's own, it forgets a pause that it has loaded."""

    def path(self, *key):
        return self / hashlib.sha256(repr(key).encode()).hexdigest()

    async def save_planner_state(self, token, payload):
        self.path(token).write_text(json.dumps({"kind": "pause", "value": payload}, default=str))

    async def load_planner_state(self, token):
        return (await self.get(token), await self.delete(token))[0]

    async def store(self, user_id, provider, token, expires_at):
        self.path(user_id, provider).write_text(json.dumps({"kind": "token", "value": token}))

    async def get(self, *key):
        return json.loads(self.path(*key).read_text())["value"] if self.path(*key).exists() else None

    async def delete(self, *key):
        self.path(*key).unlink(missing_ok=True)


Args, Out = create_model("Args", search=(str, "")), create_model("Out", text=(str, ...))


class Adapter:
    async def hello(self, _):
        return {"protocol": 2, "version": penguiflow.__version__, "capabilities": ["restart", "dump", "advance_clock"]}

    async def configure(self, command):
        self.settings, self.running = command["settings"], set()

    async def start(self, command):
        await self.restart(command)
        await asyncio.start_server(self.serve, "127.0.0.1", int(self.settings["port"]))

    async def restart(self, _):
        given = self.settings
        self.files = Files(given["data.dir"]) if given["state"] == "durable" else None
        providers = [self.provider(each) for each in ("provider", "provider2")]
        self.manager = OAuthManager({each.name: each for each in providers}, self.files or InMemoryTokenStore())
        registry = ModelRegistry()
        nodes = [self.tool(f"{name}_list", name, registry) for name in [*self.manager.providers, "mails"]]
        model = {"model": "openai/model-1", "api_base": given["model.url"], "api_key": given["model.key"]}
        own = {"catalog": build_catalog(nodes, registry), "state_store": self.files, "use_native_llm": True}
        self.planner = ReactPlanner(model, tool_call_mode="native", **own)

    def provider(self, of):
        given, name = self.settings, self.settings[f"{of}.name"]
        own = {"client_id": given[f"{of}.clientId"], "client_secret": given[f"{of}.clientSecret"]}
        own |= {"auth_url": given["provider.authorizationEndpoint"], "redirect_uri": given["callback.url"]}
        own |= {"token_url": given["provider.tokenEndpoint"], "scopes": given["scopes"].split()}
        return OAuthProviderConfig(name=name, display_name=name.title(), **own)

    def tool(self, name, provider, registry):
        api, kind = self.settings["resource.url"], {"transport": "http", "auth_type": "oauth2_user"}
        node = ToolNode(ExternalToolConfig(name=provider, connection=api, **kind), registry, self.manager)

        @tool(desc=f"Lists the {provider} of the user.", side_effects="external")
        async def run(args: Args, ctx: ToolContext) -> Out:
            headers = await node._resolve_auth(ctx)
            say("tool_run", conversation=ctx.tool_context["session_id"], tool=name)
            async with aiohttp.ClientSession() as http, http.get(f"{api}/items", headers=headers) as answer:
                answer.raise_for_status()
                return Out(text=await answer.text())

        registry.register(name, Args, Out)
        return Node(run, name=name)

    async def message(self, command):
        self.later(command, lambda context: self.planner.run(command["text"], tool_context=context))

    async def resume(self, command):
        handle, word = command["handle"], command["input"]
        self.later(command, lambda context: self.planner.resume(handle, word, tool_context=context))

    def later(self, command, begin):
        conversation, user = command["conversation"], command["user"]
        context = {"session_id": conversation, "trace_id": conversation, **({"user_id": user} if user else {})}

        async def outcome():
            try:
                result = await begin(context)
            except Exception as error:
                return say("run_failed", conversation=conversation, kind=type(error).__name__, message=str(error))
            if not isinstance(result, PlannerPause):
                return say("finished", conversation=conversation, text=json.dumps(result.payload, default=str))
            pause = {"reason": result.reason, "payload": result.payload, "handle": result.resume_token}
            say("paused", conversation=conversation, **pause)

        self.running.add(asyncio.ensure_future(outcome()))

    async def advance_clock(self, command):
        now, time.time = time.time, lambda: now() + command["ms"] / 1000

    async def dump(self, _):
        kept = [(path.name, path.read_text()) for path in self.files.iterdir()] if self.files else []
        return {"entries": [{"path": p, "kind": json.loads(t)["kind"], "text": t} for p, t in kept]}

    async def serve(self, reader, writer):
        given = dict(parse_qsl(urlsplit((await reader.readline()).split()[1].decode()).query))
        try:
            # The manager has no way for an error: a callback without a code is only reported.
            user, _ = await self.manager.handle_callback(given["code"], given["state"])
            came = {"outcome": "stored", "user": user}
        except Exception as error:
            came = {"outcome": "refused", "kind": type(error).__name__, "message": str(error)}
        say("callback", state=given.get("state", ""), **came)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nDone")
        writer.close()


async def main(adapter):
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        if command["command"] == "shutdown":
            return say("settled", id=command["id"])
        try:
            handler = getattr(adapter, command["command"], None)
            more = (handler and await handler(command)) or {}
            say("settled" if handler else "unsupported", id=command["id"], **more)
        except Exception as error:
            say("failed", id=command["id"], message=f"{type(error).__name__}: {error}")


asyncio.run(main(Adapter()))

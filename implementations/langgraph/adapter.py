"""Adapts a LangGraph agent whose tools interrupt it for a consent: hands on what it does, and repairs nothing."""

import asyncio
import base64
import hashlib
import json
import secrets
import ssl
import sys
from importlib.metadata import version
from urllib.parse import parse_qsl, urlencode, urlsplit

import aiosqlite
import httpx
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import ToolException, tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command, interrupt


def say(event, **fields):
    print(json.dumps({"event": event, **fields}, default=str), flush=True)


class Manager:
    """The application's own: LangGraph has nothing for OAuth. Flows and tokens in memory, by state and by user."""

    def __init__(self, settings, http):
        self.settings, self.http, self.flows, self.tokens, self.clients = settings, http, {}, {}, {}
        for of in ("provider", "provider2"):
            self.clients[settings[f"{of}.name"]] = settings[f"{of}.clientId"], settings[f"{of}.clientSecret"]

    def request(self, name, user):
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
        self.flows[state] = (name, user, verifier)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
        query = {"response_type": "code", "client_id": self.clients[name][0], "state": state}
        query |= {"redirect_uri": self.settings["callback.url"], "scope": self.settings["scopes"]}
        query |= {"code_challenge": challenge.decode(), "code_challenge_method": "S256"}
        url = f"{self.settings['provider.authorizationEndpoint']}?{urlencode(query)}"
        return {"pause_type": "oauth", "provider": name, "auth_url": url, "state": state}

    async def redeem(self, given):
        name, user, verifier = self.flows.pop(given["state"])
        form = {"grant_type": "authorization_code", "code": given["code"], "code_verifier": verifier}
        form |= {"redirect_uri": self.settings["callback.url"]}
        endpoint, auth = self.settings["provider.tokenEndpoint"], self.clients[name]
        answer = (await self.http.post(endpoint, data=form, auth=auth)).raise_for_status()
        self.tokens[user, name] = answer.json()["access_token"]
        return user


class Adapter:
    async def hello(self, _):
        return {"protocol": 2, "version": version("langgraph"), "capabilities": ["callback", "restart"]}

    async def configure(self, command):
        self.settings, self.running, self.denied = command["settings"], set(), "oauth_denied"

    async def start(self, command):
        trusted = ssl.create_default_context(cafile=self.settings["ca.file"] or None)
        self.http = httpx.AsyncClient(verify=trusted)
        self.manager = Manager(self.settings, self.http)
        await self.restart(command)

    async def restart(self, _):
        given = self.settings
        saver = InMemorySaver()
        if given["state"] == "durable":
            saver = AsyncSqliteSaver(await aiosqlite.connect(f"{given['data.dir']}/checkpoints.sqlite"))
        tools = [self.tool(name) for name in self.manager.clients]
        model = ChatOpenAI(model=given["model.name"], base_url=given["model.url"], api_key=given["model.key"])
        bound = model.bind_tools(tools)

        async def ask(state: MessagesState):
            return {"messages": [await bound.ainvoke(state["messages"])]}

        graph = StateGraph(MessagesState).add_node("model", ask).add_node("tools", ToolNode(tools, handle_tool_errors=True))
        graph.add_edge(START, "model").add_conditional_edges("model", tools_condition).add_edge("tools", "model")
        self.graph = graph.compile(checkpointer=saver)

    def tool(self, provider):
        @tool(f"{provider}_list", description=f"Lists the {provider} of the user.")
        async def run(config: RunnableConfig, search: str = "") -> str:
            user, thread = config["configurable"]["user_id"], config["configurable"]["thread_id"]
            if not user:
                raise ToolException("nobody to act for")
            # The node runs again from its beginning when the thread is resumed.
            while (token := self.manager.tokens.get((user, provider))) is None:
                if interrupt(self.manager.request(provider, user)) == self.denied:
                    raise ToolException("the user has denied it")
            say("tool_run", conversation=thread, tool=f"{provider}_list")
            headers = {"authorization": f"Bearer {token}"}
            answer = await self.http.get(f"{self.settings['resource.url']}/items", headers=headers)
            return answer.raise_for_status().text

        return run

    async def message(self, command):
        self.later(command, command["conversation"], {"messages": [("user", command["text"])]})

    async def resume(self, command):
        thread = {"configurable": {"thread_id": command["handle"]}}
        # Where several tools of a step have interrupted it, each has to be given its word by its id.
        waiting = [each.id for each in (await self.graph.aget_state(thread)).interrupts]
        word = {each: command["input"] for each in waiting} if len(waiting) > 1 else command["input"]
        self.later(command, command["handle"], Command(resume=word))

    def later(self, command, thread, given):
        conversation = command["conversation"]
        config = {"configurable": {"thread_id": thread, "user_id": command["user"]}}

        async def outcome():
            try:
                state = await self.graph.ainvoke(given, config)
            except Exception as error:
                return say("run_failed", conversation=conversation, kind=type(error).__name__, message=str(error))
            if waiting := state.get("__interrupt__"):
                return say("paused", conversation=conversation, handle=thread, payload=waiting[0].value)
            say("finished", conversation=conversation, text=str(state["messages"][-1].content))

        self.running.add(asyncio.ensure_future(outcome()))

    async def callback(self, command):
        given = dict(parse_qsl(urlsplit(command["url"]).query))
        try:
            came = {"outcome": "stored", "user": await self.manager.redeem(given)}
        except Exception as error:
            came = {"outcome": "refused", "kind": type(error).__name__, "message": "not redeemed"}
        say("callback", state=given.get("state", ""), **came)


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

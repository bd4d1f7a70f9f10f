"""The planner: asks its model, runs tools for users, pauses where a user has to consent, and goes on when it is resumed."""

import json
import secrets
from urllib.parse import urlencode

import http_calls
from kept import Kept

MOST_TURNS = 12


class ToolAuthError(Exception):
    """A tool cannot act for anybody."""


class Run:
    """What a pause keeps of a conversation: its messages, and for whom it acts. No token is among them."""

    def __init__(self, conversation, user, messages):
        self.conversation, self.user, self.messages = conversation, user, messages
        self.used = None

    def kept(self):
        return {"conversation": self.conversation, "user": self.user, "messages": self.messages}


class Planner:
    def __init__(self, settings, manager, emit, log):
        self.settings, self.manager, self.emit, self.log = settings, manager, emit, log
        folder = f"{settings['data.dir']}/pauses" if settings["state"] == "durable" else None
        self.pauses = Kept(folder)
        self.tools = {
            "items_list": settings["provider.name"],
            "notes_list": settings["provider2.name"],
            "mails_list": "mails",
        }

    # ------------------------------------------------------------ the two ways in
    def run(self, conversation, user, text):
        return self.go_on(Run(conversation, user, [{"role": "user", "content": text}]))

    def resume(self, conversation, user, handle, text):
        run = self.take(handle, user)
        return self.go_on(self.heard(run, text))

    def take(self, handle, user):
        """The run that has paused under this handle, for its own user, once."""
        kept = self.pauses.take(handle, lambda kept: kept["user"] == user)
        if kept is None:
            raise LookupError("no pause of this user is kept under this handle")
        return Run(kept["conversation"], kept["user"], kept["messages"])

    def heard(self, run, text):
        run.messages.append({"role": "user", "content": f"The pause is over: {text}"})
        return run

    # ------------------------------------------------------------ turns
    def go_on(self, run):
        for _ in range(MOST_TURNS):
            reply = self.ask_model(run)
            run.messages.append(reply)
            calls = reply.get("tool_calls") or []
            if not calls:
                return self.ends(run, reply.get("content") or "")
            request = self.step(run, calls)
            if request is not None:
                return self.pause(run, request)
        raise RuntimeError("the model asks for tools again and again")

    def ends(self, run, text):
        return "finished", {"text": text}

    def step(self, run, calls):
        """Runs the tools of one turn; gives the first request for a consent that one of them needs."""
        first = None
        for call in calls:
            request, text = self.call_tool(run, call["function"])
            first = first or request
            run.messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
        return first

    def call_tool(self, run, function):
        name = function["name"]
        try:
            request, text = self.act(run, name, json.loads(function["arguments"] or "{}"))
        except (OSError, http_calls.http.client.HTTPException, ValueError, KeyError, ToolAuthError) as error:
            return None, f"{type(error).__name__}: {error}"
        return request, "The user is asked for their consent first." if request else text

    def act(self, run, name, arguments):
        """The request for a consent, or the words of the API."""
        provider = self.tools[name]
        if not run.user:
            return self.anonymous(run, provider)
        token = self.find_token(run, provider)
        if token is None:
            return self.ask_user(run, provider), None
        run.used = token
        self.emit("tool_run", conversation=run.conversation, user=run.user, tool=name)
        answer = self.call_api(arguments, token)
        if answer.status == 401:
            return self.refused(run, provider, token)
        if answer.status != 200:
            raise ValueError(self.describe_failure(answer.status, token))
        return None, self.describe(answer.body.decode("utf-8", "replace"), token)

    def anonymous(self, run, provider):
        raise ToolAuthError("user_id required")

    def find_token(self, run, provider):
        return self.manager.get_token(run.user, provider)

    def refused(self, run, provider, token):
        self.manager.drop_token(run.user, provider, token)
        return self.ask_user(run, provider), None

    def call_api(self, arguments, token):
        query = urlencode({key: str(value) for key, value in arguments.items()})
        headers = {"accept": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        url = f"{self.settings['resource.url']}/items" + (f"?{query}" if query else "")
        return http_calls.request("GET", url, headers)

    def describe(self, text, token):
        return text

    def describe_failure(self, status, token):
        return f"the API answered {status}"

    # ------------------------------------------------------------ pausing
    def ask_user(self, run, provider):
        request = self.manager.get_auth_request(provider, run.user)
        return {"pause_type": "oauth", "provider": provider, **request}

    def pause(self, run, request):
        handle = self.new_handle(run, request)
        self.keep(run, handle)
        self.log(f"paused for {request.get('provider')}")
        return "paused", {
            "user": run.user,
            "handle": handle,
            "reason": "external_event",
            "payload": request,
        }

    def new_handle(self, run, request):
        return secrets.token_hex(16)

    def keep(self, run, handle):
        self.pauses.put(handle, run.kept())

    # ------------------------------------------------------------ the model
    def ask_model(self, run):
        offered = [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": f"Lists the {provider} of the user.",
                    "parameters": {"type": "object", "properties": {"search": {"type": "string"}}},
                },
            }
            for name, provider in self.tools.items()
        ]
        body = {"model": self.settings["model.name"], "messages": self.told(run), "tools": offered}
        headers = {
            "authorization": f"Bearer {self.settings['model.key']}",
            "content-type": "application/json",
        }
        url = f"{self.settings['model.url']}/chat/completions"
        answer = http_calls.request("POST", url, headers, json.dumps(body))
        if answer.status != 200:
            raise RuntimeError(f"the model answered {answer.status}")
        return json.loads(answer.body)["choices"][0]["message"]

    def told(self, run):
        return [{"role": "system", "content": "You are helpful."}, *run.messages]

"""Lawful variations of this planner, one at a time: `varied.py` runs it with the one that ODDITY names."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import uuid
from urllib.parse import urlencode

import http_calls
from kept import Kept
from manager import Manager
from planner import Planner, Run, ToolAuthError


class MoreMembers(Planner):
    def pause(self, run, request):
        self.log("a consent is needed")
        return super().pause(run, {**request, "expires_in": 600, "help": {"de": "Bitte zustimmen"}})


class LongHandles(Planner):
    def new_handle(self, run, request):
        return f"pf1.{secrets.token_urlsafe(180)}.{secrets.token_urlsafe(32)}"


class UuidHandles(Planner):
    def new_handle(self, run, request):
        return str(uuid.uuid4()).upper()


class ScopesAsText(Manager):
    def get_auth_request(self, name, user):
        request = super().get_auth_request(name, user)
        return {**request, "scopes": " ".join(request["scopes"])}


class ContinuesTheCall(Planner):
    """Runs what has paused when it is resumed, instead of asking the model first."""

    def resume(self, conversation, user, handle, text):
        run = self.take(handle, user)
        if text != "oauth_completed":
            return self.go_on(self.heard(run, text))
        while run.messages[-1]["role"] == "tool":
            run.messages.pop()
        request = self.step(run, run.messages[-1]["tool_calls"])
        return self.pause(run, request) if request else self.go_on(run)


class AsksTwice(Planner):
    """Calls the API twice for each call of the tool."""

    def call_api(self, arguments, token):
        super().call_api(arguments, token)
        return super().call_api(arguments, token)


class AsksForApproval(Planner):
    """Pauses once more, for something else, before a run goes on for a user who has consented."""

    def run(self, conversation, user, text):
        run = Run(conversation, user, [{"role": "user", "content": text}])
        return self.go_on(run) if not user or self.lacks_token(run) else self.asks_for_approval(run)

    def resume(self, conversation, user, handle, text):
        run = self.take(handle, user)
        approved = any("approval" in str(each["content"]) for each in run.messages)
        if approved or text != "oauth_completed" or self.lacks_token(run):
            return self.go_on(self.heard(run, text))
        return self.asks_for_approval(run)

    def asks_for_approval(self, run):
        run.messages.append({"role": "user", "content": "The approval of the manager is asked for."})
        event, fields = self.pause(run, {"question": "May it run?"})
        return event, {**fields, "reason": "approval_required"}

    def lacks_token(self, run):
        return all(self.find_token(run, each) is None for each in self.tools.values())


class WaitsWithoutError(Planner):
    """Says of a call that waits that it has no error."""

    def call_tool(self, run, function):
        request, text = super().call_tool(run, function)
        return request, json.dumps({"status": "waiting", "error": None, "failed": False}) if request else text


class EndsInsteadOfSecondPause(Planner):
    def heard(self, run, text):
        run.resumed = True
        return super().heard(run, text)

    def pause(self, run, request):
        if getattr(run, "resumed", False) and not run.used:
            return self.ends(run, "I still cannot do that for you: nobody has consented.")
        return super().pause(run, request)


class RefusesInWords(Planner):
    def resume(self, conversation, user, handle, text):
        try:
            return super().resume(conversation, user, handle, text)
        except LookupError:
            return "finished", {"text": "There is nothing to resume."}


class UserOfRecord(Planner):
    """Whoever resumes, the run goes on for its own user."""

    def take(self, handle, user):
        kept = self.pauses.take(handle)
        if kept is None:
            raise LookupError("no pause is kept under this handle")
        return Run(kept["conversation"], kept["user"], kept["messages"])


class NobodyIsFatal(Planner):
    def run(self, conversation, user, text):
        run = Run(conversation, user, [{"role": "user", "content": text}])
        if not user and self.ask_model(run).get("tool_calls"):
            raise PermissionError("tool_context names no user")
        return self.go_on(run)


class NobodyIsRefusedAtOnce(Planner):
    def run(self, conversation, user, text):
        if not user:
            raise ToolAuthError("user_id required")
        return super().run(conversation, user, text)


class ConversationBelongsToItsUser(Planner):
    """Lets nobody speak in a conversation but the user who has begun it."""

    def run(self, conversation, user, text):
        owner = self.__dict__.setdefault("owners", {}).setdefault(conversation, user)
        if user and owner != user:
            raise PermissionError("this session belongs to another user")
        return super().run(conversation, user, text)


class ResultsToldTwice(Planner):
    """Gives a result as text, and once more as structured content."""

    def describe(self, text, token):
        return json.dumps({"content": [{"type": "text", "text": text}], "structuredContent": {"body": text}})


class FailureEndsTheRun(Planner):
    """Tells the model nothing of an API that has failed."""

    def describe_failure(self, status, token):
        raise RuntimeError(super().describe_failure(status, token))


class DenialEndsTheRun(Planner):
    def resume(self, conversation, user, handle, text):
        if text != "oauth_denied":
            return super().resume(conversation, user, handle, text)
        return self.ends(self.take(handle, user), "You have denied it, so I left it.")


class SecretInBody(Manager):
    def token_request(self, provider, fields):
        own = {"client_id": provider.client_id, "client_secret": provider.client_secret}
        headers = {"content-type": "application/x-www-form-urlencoded"}
        endpoint = self.settings["provider.tokenEndpoint"]
        return http_calls.request("POST", endpoint, headers, urlencode({**fields, **own}))


class RefusedTokenTold(Planner):
    """Drops a refused token, and tells the model; the next call of the tool asks the user."""

    def refused(self, run, provider, token):
        self.manager.drop_token(run.user, provider, token)
        raise ValueError("the API answered 401, and access has to be granted once more")


class SealedHandles(Planner):
    """Keeps a pause in its handle, where nobody can read or alter it, and of used ones no more than a hash."""

    def __init__(self, settings, *parts):
        super().__init__(settings, *parts)
        self.key = settings["model.key"].encode()
        folder = f"{settings['data.dir']}/used" if settings["state"] == "durable" else None
        self.used = Kept(folder)

    def sealed(self, nonce, data):
        stream = hashlib.shake_256(self.key + nonce).digest(len(data))
        return bytes(a ^ b for a, b in zip(data, stream))

    def tag(self, data):
        return hmac.new(self.key, data, hashlib.sha256).digest()

    def new_handle(self, run, request):
        nonce = secrets.token_bytes(16)
        data = nonce + self.sealed(nonce, json.dumps(run.kept()).encode())
        return base64.urlsafe_b64encode(self.tag(data) + data).decode().rstrip("=")

    def keep(self, run, handle):
        self.used.put(handle, "open")

    def take(self, handle, user):
        try:
            whole = base64.urlsafe_b64decode(handle + "=" * (-len(handle) % 4))
        except ValueError:
            raise LookupError("this is no handle") from None
        tag, data = whole[:32], whole[32:]
        if not hmac.compare_digest(tag, self.tag(data)):
            raise LookupError("this handle was not given here")
        kept = json.loads(self.sealed(data[:16], data[16:]))
        if kept["user"] != user or self.used.take(handle) is None:
            raise LookupError("no pause of this user waits under this handle")
        return Run(kept["conversation"], kept["user"], kept["messages"])


class OneRunAtATime(Planner):
    """Takes the runs of all conversations one after the other."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.alone = threading.Lock()

    def go_on(self, run):
        with self.alone:
            return super().go_on(run)


def planner(kind):
    return {"planner": kind}


oddities = {
    "more-members": planner(MoreMembers),
    "long-handles": planner(LongHandles),
    "uuid-handles": planner(UuidHandles),
    "scopes-as-text": {"manager": ScopesAsText},
    "continues-the-call": planner(ContinuesTheCall),
    "api-asked-twice": planner(AsksTwice),
    "approval-between": planner(AsksForApproval),
    "waits-without-error": planner(WaitsWithoutError),
    "ends-instead-of-second-pause": planner(EndsInsteadOfSecondPause),
    "refuses-in-words": planner(RefusesInWords),
    "user-of-record": planner(UserOfRecord),
    "nobody-is-fatal": planner(NobodyIsFatal),
    "nobody-is-refused-at-once": planner(NobodyIsRefusedAtOnce),
    "conversation-belongs-to-its-user": planner(ConversationBelongsToItsUser),
    "results-told-twice": planner(ResultsToldTwice),
    "failure-ends-the-run": planner(FailureEndsTheRun),
    "denial-ends-the-run": planner(DenialEndsTheRun),
    "refused-token-told": planner(RefusedTokenTold),
    "one-run-at-a-time": planner(OneRunAtATime),
    "sealed-handles": planner(SealedHandles),
    "secret-in-body": {"manager": SecretInBody},
}

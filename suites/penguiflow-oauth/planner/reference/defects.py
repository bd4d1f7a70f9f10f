"""Deliberate defects of this planner, one at a time: `varied.py` runs it with the one that DEFECT names."""

import hashlib
import json
import random
import secrets
import threading

from kept import Kept
from manager import Manager
from planner import Planner, Run


class NeverPauses(Planner):
    def ask_user(self, run, provider):
        raise ValueError("there is no token")


class ApiFirst(Planner):
    def ask_user(self, run, provider):
        self.call_api({}, "none")
        return super().ask_user(run, provider)


class ReasonOther(Planner):
    def pause(self, run, request):
        event, fields = super().pause(run, request)
        return event, {**fields, "reason": "await_input"}


class ProviderIsOauth(Planner):
    def pause(self, run, request):
        return super().pause(run, {**request, "provider": "oauth"})


class ProviderIsFirst(Planner):
    def pause(self, run, request):
        return super().pause(run, {**request, "provider": self.settings["provider.name"]})


class SecondPauseBare(Planner):
    """Says less when a run pauses once more."""

    def pause(self, run, request):
        if not any(str(each["content"]).startswith("The pause is over") for each in run.messages):
            return super().pause(run, request)
        return super().pause(run, {key: request[key] for key in ("pause_type", "auth_url", "state")})


class ProviderMissing(Planner):
    def pause(self, run, request):
        return super().pause(run, {key: value for key, value in request.items() if key != "provider"})


class DisplayNameMissing(Planner):
    def pause(self, run, request):
        return super().pause(
            run, {key: value for key, value in request.items() if key != "display_name"}
        )


class StateMissing(Planner):
    def pause(self, run, request):
        return super().pause(run, {key: value for key, value in request.items() if key != "state"})


class AnonymousPauses(Planner):
    def anonymous(self, run, provider):
        return self.ask_user(run, provider), None


class AnonymousCall(Planner):
    def anonymous(self, run, provider):
        self.call_api({}, None)
        return super().anonymous(run, provider)


class TokensOfConversation(Planner):
    """Keeps what each conversation was given, and looks nowhere else."""

    def find_token(self, run, provider):
        return super().find_token(run, provider) if hasattr(run, "resumed") else None

    def heard(self, run, text):
        run.resumed = True
        return super().heard(run, text)


class RefusedTokenIsTheEnd(Planner):
    def refused(self, run, provider, token):
        raise ValueError("the API answered 401")


class RefusedTokenStays(Planner):
    """Keeps the first token of a user for good, also where the API has refused it and another was issued."""

    def find_token(self, run, provider):
        token = super().find_token(run, provider)
        if token is None:
            return None
        return self.__dict__.setdefault("known", {}).setdefault((run.user, provider), token)


class TokenOfAnotherAfterRefusal(Planner):
    """Tries whatever other token of the provider it knows where the API refuses one."""

    def find_token(self, run, provider):
        token = super().find_token(run, provider)
        if token is not None:
            self.__dict__.setdefault("known", {})[run.user] = token
        return token

    def refused(self, run, provider, token):
        others = [each for user, each in self.known.items() if user != run.user]
        for other in others[-1:]:
            answer = self.call_api({}, other)
            if answer.status == 200:
                return None, self.describe(answer.body.decode("utf-8", "replace"), other)
        return super().refused(run, provider, token)


class SecondCallFails(Planner):
    def call_tool(self, run, function):
        request, text = super().call_tool(run, function)
        if request is None:
            return request, text
        if getattr(run, "waits", False):
            return None, "Error: another call of this step has paused"
        run.waits = True
        return request, text


class SecondResumptionFails(Planner):
    """Cannot go on with a run that was resumed before."""

    def heard(self, run, text):
        if any(str(each["content"]).startswith("The pause is over") for each in run.messages):
            raise RuntimeError("the step was carried out already")
        return super().heard(run, text)


class SecondCallForgotten(Planner):
    """Remembers which tools have paused once, and takes what they get next for done."""

    def call_tool(self, run, function):
        request, text = super().call_tool(run, function)
        if request is None or len(run.messages) < 3:
            return request, text
        return None, f'{{"done": "{function["name"]}"}}'


class TokensOfUserAlone(Manager):
    """Forgets for which provider a token is."""

    def get_token(self, user, provider):
        return super().get_token(user, self.settings["provider.name"])

    def drop_token(self, user, provider, token):
        super().drop_token(user, self.settings["provider.name"], token)

    def store_token(self, user, provider, token, expires_at):
        super().store_token(user, self.settings["provider.name"], token, expires_at)


class TokensInAnyCase(Manager):
    """Looks tokens up as a table without regard to case does."""

    def get_token(self, user, provider):
        return super().get_token(user.lower(), provider)

    def drop_token(self, user, provider, token):
        super().drop_token(user.lower(), provider, token)

    def store_token(self, user, provider, token, expires_at):
        super().store_token(user.lower(), provider, token, expires_at)


class RemembersForAll(Planner):
    """Begins every conversation with what a tool has brought last, for whomever."""

    def describe(self, text, token):
        self.memory = super().describe(text, token)
        return self.memory

    def told(self, run):
        system, *messages = super().told(run)
        memory = self.__dict__.get("memory")
        known = {"role": "assistant", "content": f"I have found before: {memory}"}
        return [system, *([known] if memory else []), *messages]


class PausesOfOneName(Planner):
    """Keeps one pause for all users whose names end alike."""

    def keep(self, run, handle):
        super().keep(run, handle)
        newest = self.__dict__.setdefault("newest", {})
        before = newest.get(run.user[-8:])
        newest[run.user[-8:]] = handle
        if before is not None:
            self.pauses.drop(before)


class OnePausePerUser(Planner):
    def keep(self, run, handle):
        super().keep(run, handle)
        before = self.__dict__.setdefault("newest", {}).get(run.user)
        self.newest[run.user] = handle
        if before is not None:
            self.pauses.drop(before)


class NewestConversationResumed(Planner):
    """Whatever handle of a user it is, what they have said last goes on."""

    def keep(self, run, handle):
        super().keep(run, handle)
        self.__dict__.setdefault("newest", {})[run.user] = run.kept()

    def take(self, handle, user):
        run = super().take(handle, user)
        kept = self.__dict__.get("newest", {}).get(user)
        return Run(kept["conversation"], user, list(kept["messages"])) if kept else run


class StateOfOneName(Manager):
    def new_state(self, user):
        return super().new_state(user) if user == "" else "one-state-for-all-" + user[-8:]


class TokenOfNewestUser(Planner):
    """Keeps the token that came last in the client of the API."""

    def find_token(self, run, provider):
        own = super().find_token(run, provider)
        if own is None:
            return None
        client = self.__dict__.setdefault("client", {})
        return client.setdefault(f"{run.user[-8:]} {provider}", own)


class UserOfFirstMessage(Planner):
    """Acts for whoever has begun a conversation, whoever speaks in it."""

    def run(self, conversation, user, text):
        users = self.__dict__.setdefault("users", {})
        return super().run(conversation, users.setdefault(conversation, user), text)


class RunsNothingAfterConsent(Planner):
    def resume(self, conversation, user, handle, text):
        run = self.take(handle, user)
        return self.ends(run, "Thank you, that is done.")


class BelievesTheWord(Planner):
    """Runs the tool when it is told that the user has consented."""

    def heard(self, run, text):
        run.told = text == "oauth_completed"
        return super().heard(run, text)

    def ask_user(self, run, provider):
        if getattr(run, "told", False):
            self.emit("tool_run", conversation=run.conversation, user=run.user, tool="items_list")
            self.call_api({}, None)
        return super().ask_user(run, provider)


class NewestTokenWhenTold(Planner):
    """Believes that the newest token is that of whoever is said to have consented."""

    def heard(self, run, text):
        run.told = text == "oauth_completed"
        return super().heard(run, text)

    def find_token(self, run, provider):
        newest = self.__dict__.setdefault("newest", {})
        own = super().find_token(run, provider)
        if own is not None:
            newest[provider] = own
        return own or (newest.get(provider) if getattr(run, "told", False) else None)


class AnyHandle(Planner):
    """Falls back on the newest pause of the user."""

    def keep(self, run, handle):
        super().keep(run, handle)
        self.__dict__.setdefault("handles", {})[run.user] = handle

    def take(self, handle, user):
        known = self.pauses.get(handle)
        return super().take(handle if known else self.handles.get(user, handle), user)


class UnknownHandleIsANewRun(Planner):
    """Takes what is said under a handle that is not known for the beginning of a run."""

    def resume(self, conversation, user, handle, text):
        try:
            return super().resume(conversation, user, handle, text)
        except LookupError:
            return self.run(conversation, user, text)


class HandleByItsBeginning(Planner):
    """Looks for a pause by as much of its handle as its index has."""

    def keep(self, run, handle):
        super().keep(run, handle)
        self.__dict__.setdefault("index", {})[handle[:6]] = handle

    def take(self, handle, user):
        return super().take(self.__dict__.get("index", {}).get(handle[:6], handle), user)


class HandleByItsEnd(Planner):
    """Looks for a pause by the end of its handle."""

    def keep(self, run, handle):
        super().keep(run, handle)
        self.__dict__.setdefault("index", {})[handle[-8:]] = handle

    def take(self, handle, user):
        return super().take(self.__dict__.get("index", {}).get(handle[-8:], handle), user)


class HandleFoundAlike(Planner):
    """Takes a handle for the one of its own that it is like."""

    def keep(self, run, handle):
        super().keep(run, handle)
        self.__dict__.setdefault("handles", []).append(handle)

    def take(self, handle, user):
        known = self.__dict__.get("handles", [])
        return super().take(next((own for own in known if self.alike(own, handle)), handle), user)


class HandleCutTaken(HandleFoundAlike):
    def alike(self, own, handle):
        return own.startswith(handle)


class HandleWithMore(HandleFoundAlike):
    def alike(self, own, handle):
        return handle.startswith(own)


class HandleInAnyCase(HandleFoundAlike):
    def new_handle(self, run, request):
        return secrets.token_urlsafe(24)

    def alike(self, own, handle):
        return own.lower() == handle.lower()


class CountedHandles(Planner):
    def new_handle(self, run, request):
        number = self.__dict__.setdefault("numbers", iter(range(1, 10**9)))
        return f"pause-of-this-planner-{next(number):08d}"


class HandlesOfConversation(Planner):
    """Whoever knows user and conversation knows the handle."""

    def new_handle(self, run, request):
        return hashlib.sha256(f"{run.user}:{run.conversation}".encode()).hexdigest()[:32]


class HandlesOfState(Planner):
    """Whoever sees the authorization URL knows the handle."""

    def new_handle(self, run, request):
        return hashlib.sha256(request["state"].encode()).hexdigest()


class HandlesAreStatesBackwards(Planner):
    def new_handle(self, run, request):
        return request["state"][::-1]


class UserInHandle(Planner):
    def new_handle(self, run, request):
        return f"{run.user}.{super().new_handle(run, request)}"


class HandlesReused(Planner):
    def take(self, handle, user):
        kept = self.pauses.get(handle)
        if kept is None or kept["user"] != user:
            raise LookupError("no pause of this user is kept under this handle")
        return Run(kept["conversation"], kept["user"], kept["messages"])


class HandlesForgottenLate(HandlesReused):
    """Forgets a handle when the run has ended."""

    def resume(self, conversation, user, handle, text):
        outcome = super().resume(conversation, user, handle, text)
        self.pauses.drop(handle)
        return outcome


class RunsKeptAlive(Planner):
    """Keeps a run that was resumed, and goes on with it when its handle comes again."""

    def resume(self, conversation, user, handle, text):
        runs = self.__dict__.setdefault("runs", {})
        run = runs.get((handle, user)) or self.take(handle, user)
        outcome = self.go_on(self.heard(run, text))
        runs[handle, user] = run
        return outcome


class UsedHandlesInMemory(Planner):
    """Notes in memory alone which handles were used."""

    def take(self, handle, user):
        kept = self.pauses.get(handle)
        if kept is None or kept["user"] != user:
            raise LookupError("no pause of this user is kept under this handle")
        mine = object()
        if self.__dict__.setdefault("used", {}).setdefault(handle, mine) is not mine:
            raise LookupError("the handle was used")
        return Run(kept["conversation"], kept["user"], kept["messages"])


class HandlesAlike(Planner):
    def new_handle(self, run, request):
        return self.__dict__.setdefault("seeded", random.Random(0)).randbytes(16).hex()


class UserOfResumption(Planner):
    """The context of the resumption takes the place of the one that was kept."""

    def take(self, handle, user):
        kept = self.pauses.take(handle)
        if kept is None:
            raise LookupError("no pause is kept under this handle")
        return Run(kept["conversation"], user, kept["messages"])


class UserOfResumptionInAnyCase(Planner):
    """Compares users as a table without regard to case does."""

    def take(self, handle, user):
        kept = self.pauses.take(handle, lambda kept: kept["user"].lower() == user.lower())
        if kept is None:
            raise LookupError("no pause of this user is kept under this handle")
        return Run(kept["conversation"], user, kept["messages"])


class PausesInMemory(Planner):
    def __init__(self, *parts):
        super().__init__(*parts)
        self.pauses = Kept()


class UserNotKept(Planner):
    """Keeps of a pause in its file what was said, and in memory for whom."""

    def take(self, handle, user):
        run = super().take(handle, user)
        if handle not in self.__dict__.get("users", {}):
            run.user = ""
        return run

    def keep(self, run, handle):
        super().keep(run, handle)
        self.__dict__.setdefault("users", {})[handle] = run.user


class LostPausesEndInWords(PausesOfOneName):
    """Keeps one pause for users whose names end alike, in memory, and what is lost ends in words."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.pauses = Kept()

    def resume(self, conversation, user, handle, text):
        try:
            return super().resume(conversation, user, handle, text)
        except LookupError:
            return self.ends(None, "There is nothing to resume.")


class DenialRunsTool(Planner):
    def heard(self, run, text):
        run = super().heard(run, text)
        if text == "oauth_denied":
            self.emit("tool_run", conversation=run.conversation, user=run.user, tool="items_list")
        return run


class DenialUnheard(Planner):
    def heard(self, run, text):
        if text == "oauth_denied":
            raise RuntimeError("the pause was not completed")
        return super().heard(run, text)


class DenialWithoutAWord(Planner):
    def resume(self, conversation, user, handle, text):
        if text != "oauth_denied":
            return super().resume(conversation, user, handle, text)
        return self.ends(self.take(handle, user), "")


class DenialHangs(Planner):
    """Waits for the consent of a user who has denied it."""

    def heard(self, run, text):
        if text == "oauth_denied":
            threading.Event().wait()
        return super().heard(run, text)


class TokenInResult(Planner):
    def describe(self, text, token):
        return json.dumps({"result": text, "used": token})


class TokenInError(Planner):
    """Quotes the request where the API has failed."""

    def describe_failure(self, status, token):
        return f"GET /items with Authorization: Bearer {token} was answered {status}"


class StateToModel(Planner):
    def step(self, run, calls):
        request = super().step(run, calls)
        if request:
            run.messages[-1]["content"] = f"The user is asked for their consent: {request['auth_url']}"
        return request


class HandleToModel(Planner):
    def resume(self, conversation, user, handle, text):
        run = self.take(handle, user)
        return self.go_on(self.heard(run, f"{text} ({handle})"))


class ClientSecretToModel(Planner):
    def told(self, run):
        own = f"You are the client {self.settings['provider.clientSecret']}."
        return [{"role": "system", "content": own}, *super().told(run)]


class TokenLogged(Planner):
    def call_api(self, arguments, token):
        self.log(f"calls the API with {token}")
        return super().call_api(arguments, token)


class ContextInRecord(Planner):
    """Keeps the whole context of the tools with a pause, their tokens included."""

    def keep(self, run, handle):
        self.pauses.put(handle, {**run.kept(), "tool_context": {"token": run.used}})


def planner(kind):
    return {"planner": kind}


defects = {
    "never-pauses": planner(NeverPauses),
    "api-before-pause": planner(ApiFirst),
    "reason-other": planner(ReasonOther),
    "provider-is-always-oauth": planner(ProviderIsOauth),
    "provider-is-always-the-first": planner(ProviderIsFirst),
    "second-pause-bare": planner(SecondPauseBare),
    "provider-missing": planner(ProviderMissing),
    "display-name-missing": planner(DisplayNameMissing),
    "state-missing": planner(StateMissing),
    "anonymous-pauses": planner(AnonymousPauses),
    "anonymous-call": planner(AnonymousCall),
    "tokens-of-conversation": planner(TokensOfConversation),
    "refused-token-is-the-end": planner(RefusedTokenIsTheEnd),
    "refused-token-stays": planner(RefusedTokenStays),
    "token-of-another-after-refusal": planner(TokenOfAnotherAfterRefusal),
    "unknown-handle-is-a-new-run": planner(UnknownHandleIsANewRun),
    "second-call-fails": planner(SecondCallFails),
    "second-resumption-fails": planner(SecondResumptionFails),
    "second-call-forgotten": planner(SecondCallForgotten),
    "tokens-of-user-alone": {"manager": TokensOfUserAlone},
    "tokens-in-any-case": {"manager": TokensInAnyCase},
    "remembers-for-all": planner(RemembersForAll),
    "pauses-of-one-name": planner(PausesOfOneName),
    "one-pause-per-user": planner(OnePausePerUser),
    "newest-conversation-resumed": planner(NewestConversationResumed),
    "state-of-one-name": {"manager": StateOfOneName},
    "token-of-newest-user": planner(TokenOfNewestUser),
    "user-of-first-message": planner(UserOfFirstMessage),
    "nothing-after-consent": planner(RunsNothingAfterConsent),
    "believes-the-word": planner(BelievesTheWord),
    "newest-token-when-told": planner(NewestTokenWhenTold),
    "any-handle": planner(AnyHandle),
    "handle-by-its-beginning": planner(HandleByItsBeginning),
    "handle-by-its-end": planner(HandleByItsEnd),
    "handle-cut-taken": planner(HandleCutTaken),
    "handle-with-more-taken": planner(HandleWithMore),
    "handle-in-any-case": planner(HandleInAnyCase),
    "counted-handles": planner(CountedHandles),
    "handles-of-conversation": planner(HandlesOfConversation),
    "handles-of-state": planner(HandlesOfState),
    "handles-are-states-backwards": planner(HandlesAreStatesBackwards),
    "user-in-handle": planner(UserInHandle),
    "handles-reused": planner(HandlesReused),
    "handles-forgotten-late": planner(HandlesForgottenLate),
    "runs-kept-alive": planner(RunsKeptAlive),
    "used-handles-in-memory": planner(UsedHandlesInMemory),
    "handles-alike-in-every-process": planner(HandlesAlike),
    "user-of-resumption": planner(UserOfResumption),
    "user-of-resumption-in-any-case": planner(UserOfResumptionInAnyCase),
    "pauses-in-memory": planner(PausesInMemory),
    "user-not-kept": planner(UserNotKept),
    "lost-pauses-end-in-words": planner(LostPausesEndInWords),
    "denial-runs-tool": planner(DenialRunsTool),
    "denial-unheard": planner(DenialUnheard),
    "denial-without-a-word": planner(DenialWithoutAWord),
    "denial-hangs": planner(DenialHangs),
    "token-in-result": planner(TokenInResult),
    "token-in-error": planner(TokenInError),
    "state-to-model": planner(StateToModel),
    "handle-to-model": planner(HandleToModel),
    "client-secret-to-model": planner(ClientSecretToModel),
    "token-logged": planner(TokenLogged),
    "context-in-record": planner(ContextInRecord),
}

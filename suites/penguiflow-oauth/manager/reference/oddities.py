"""Lawful variations of the manager, one at a time: `varied.py` runs the program with the one that ODDITY names."""

import base64
import http.client
import json
import re
import secrets
import threading
import uuid
from urllib.parse import parse_qsl, urlencode

import http_calls
from adapter import Adapter
from manager import Manager, Refused
from planner import Planner, ToolAuthError


class ScopesAsText(Manager):
    def get_auth_request(self, name, user):
        request = super().get_auth_request(name, user)
        return {**request, "scopes": " ".join(reversed(request["scopes"]))}


class BarePayload(Manager):
    def get_auth_request(self, name, user):
        return {"auth_url": super().get_auth_request(name, user)["auth_url"]}


class UuidStates(Manager):
    def new_state(self, user):
        return str(uuid.uuid4()).upper()


class LongStates(Manager):
    def new_state(self, user):
        claims = {"sub": user, "jti": secrets.token_urlsafe(24), "pad": "=" * 200}
        text = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode()
        return f"eyJhbGciOiJIUzI1NiJ9.{text.rstrip('=')}.{secrets.token_urlsafe(32)}"


class PushedRequests(Manager):
    """The request goes to the provider first; the URL holds its name alone (RFC 9126)."""

    def with_query(self, endpoint, query):
        client = self.settings["provider.clientId"], self.settings["provider.clientSecret"]
        fields = dict(parse_qsl(query)) | {"client_secret": client[1]}
        headers = {"content-type": "application/x-www-form-urlencoded"}
        answer = http_calls.request(
            "POST", self.settings["provider.parEndpoint"], headers, urlencode(fields)
        )
        pushed = json.loads(answer.body)["request_uri"] if answer.status == 201 else None
        if pushed is None:
            return super().with_query(endpoint, query)
        return super().with_query(endpoint, urlencode({"client_id": client[0], "request_uri": pushed}))


class SecretInBody(Manager):
    def token_request(self, provider, fields):
        own = {"client_id": provider.client_id, "client_secret": provider.client_secret}
        headers = {"content-type": "application/x-www-form-urlencoded"}
        endpoint = self.settings["provider.tokenEndpoint"]
        return http_calls.request("POST", endpoint, headers, urlencode({**fields, **own}))


class PublicClient(Manager):
    def token_request(self, provider, fields):
        headers = {"content-type": "application/x-www-form-urlencoded"}
        endpoint = self.settings["provider.tokenEndpoint"]
        body = urlencode({**fields, "client_id": provider.client_id})
        return http_calls.request("POST", endpoint, headers, body)


class WaitsLonger(Manager):
    LIFE_OF_FLOW = 650


class PlainNames(Manager):
    def get_auth_request(self, name, user):
        if not re.fullmatch("[!-~]{1,100}", user):
            raise ValueError("names of users are up to 100 characters of ASCII, without blanks")
        return super().get_auth_request(name, user)


class FlowsShared(Manager):
    """Sends a user who has not come back yet where it has sent them before."""

    def get_auth_request(self, name, user):
        waiting = self.__dict__.setdefault("waiting", {})
        known = waiting.get((name, user))
        flow = known and self.flows.get(known["state"])
        if not flow or self.now() - flow["created"] > self.LIFE_OF_FLOW / 2:
            waiting[name, user] = super().get_auth_request(name, user)
        return waiting[name, user]


class OwnErrors(Manager):
    """Hands on what the HTTP client and the JSON parser raise."""

    def redeem(self, provider, code, verifier):
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings["callback.url"],
            "code_verifier": verifier,
        }
        answer = self.token_request(provider, fields)
        if answer.status != 200:
            raise http.client.HTTPException(f"{answer.status} from the token endpoint")
        return self.read_answer(answer)


class RefusesDeadTokens(Manager):
    def expiry(self, life):
        if life == 0:
            raise Refused("the token has expired before it came")
        return super().expiry(life)


class Refreshes(Manager):
    """More than is asked: an expired token is refreshed."""

    def token_in(self, values):
        self.newest = values.get("refresh_token")
        return super().token_in(values)

    def store_token(self, user, provider, token, expires_at):
        super().store_token(user, provider, token, expires_at)
        self.__dict__.setdefault("refreshes", {})[user, provider] = self.newest

    def get_token(self, user, provider):
        token = super().get_token(user, provider)
        known = self.__dict__.setdefault("refreshes", {}).pop((user, provider), None)
        if token is not None or known is None:
            if known is not None:
                self.refreshes[user, provider] = known
            return token
        fields = {"grant_type": "refresh_token", "refresh_token": known}
        answer = self.token_request(self.providers[provider], fields)
        if answer.status != 200:
            return None
        self.store_token(user, provider, *self.read_answer(answer))
        return super().get_token(user, provider)


class WaitsForPendingConsent(Planner):
    """Sends nobody away a second time who has not been resumed since, but says so."""

    def ask_user(self, run, provider):
        waiting = self.__dict__.setdefault("waiting", set())
        if (run.user, provider) in waiting:
            raise ToolAuthError("a consent is still open in another window")
        waiting.add((run.user, provider))
        return super().ask_user(run, provider)

    def take(self, handle, user):
        run = super().take(handle, user)
        self.__dict__.get("waiting", set()).difference_update((user, each) for each in self.tools.values())
        return run


class ConversationRefusedByTool(Planner):
    """A tool fails in the conversation of another user, and the model hears of it."""

    def run(self, conversation, user, text):
        self.__dict__.setdefault("owners", {}).setdefault(conversation, user)
        return super().run(conversation, user, text)

    def find_token(self, run, provider):
        if self.owners[run.conversation] != run.user:
            raise ToolAuthError("this session belongs to another user")
        return super().find_token(run, provider)


class ConversationRemembered(Planner):
    """A run begins with all that was said in its conversation before, results of tools included."""

    def __init__(self, *given):
        super().__init__(*given)
        self.said = {}

    def go_on(self, run):
        said = self.said.get(run.conversation, [])
        if run.messages[: len(said)] != said:
            run.messages = said + run.messages
        return super().go_on(run)

    def ends(self, run, text):
        self.said[run.conversation] = list(run.messages)
        return super().ends(run, text)


class EndpointsCheckedAtOnce(Planner):
    """Looks at the configuration before the model is asked."""

    def run(self, conversation, user, text):
        self.manager.check_endpoints()
        return super().run(conversation, user, text)


class PageFirst(Adapter):
    """Answers the browser before the code is redeemed."""

    def took(self, url):
        threading.Thread(target=super().took, args=(url,), daemon=True).start()
        return 202, "You may close this window."


class NoKindOfError(Adapter):
    """Names no class of an error."""

    def emit(self, event, **fields):
        if event == "callback" and fields["outcome"] == "refused":
            fields.pop("kind")
        super().emit(event, **fields)


def manager(kind):
    return {"manager": kind}


oddities = {
    "scopes-as-text": manager(ScopesAsText),
    "bare-payload": manager(BarePayload),
    "uuid-states": manager(UuidStates),
    "long-states": manager(LongStates),
    "pushed-requests": manager(PushedRequests),
    "secret-in-body": manager(SecretInBody),
    "public-client": manager(PublicClient),
    "waits-longer": manager(WaitsLonger),
    "plain-names": manager(PlainNames),
    "flows-shared": manager(FlowsShared),
    "own-errors": manager(OwnErrors),
    "refuses-dead-tokens": manager(RefusesDeadTokens),
    "refreshes": manager(Refreshes),
    "waits-for-pending-consent": {"planner": WaitsForPendingConsent},
    "conversation-refused-by-tool": {"planner": ConversationRefusedByTool},
    "conversation-remembered": {"planner": ConversationRemembered},
    "endpoints-checked-at-once": {"planner": EndpointsCheckedAtOnce},
    "page-first": {"adapter": PageFirst},
    "no-kind-of-error": {"adapter": NoKindOfError},
}

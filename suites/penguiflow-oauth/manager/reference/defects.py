"""Deliberate defects of the manager, one at a time: `varied.py` runs the program with the one that DEFECT names."""

import base64
import random
import re
import secrets
import unicodedata
from urllib.parse import parse_qsl, urlencode, urlsplit

import http_calls
from kept import Kept
from manager import Manager, Refused
from oddities import Refreshes
from planner import Planner


# ---------------------------------------------------------------- requests
class Requesting(Manager):
    """Alters what users are sent away with."""

    def altered(self, fields):
        return fields

    def with_query(self, endpoint, query):
        fields = self.altered(dict(parse_qsl(query)))
        return super().with_query(endpoint, urlencode(fields))


class NoResponseType(Requesting):
    def altered(self, fields):
        return {name: value for name, value in fields.items() if name != "response_type"}


class NoScope(Requesting):
    def altered(self, fields):
        return {name: value for name, value in fields.items() if name != "scope"}


class SecretInUrl(Requesting):
    def altered(self, fields):
        return {**fields, "client_secret": self.settings["provider.clientSecret"]}


class NoPkce(Requesting):
    def altered(self, fields):
        return {name: value for name, value in fields.items() if "challenge" not in name}

    def token_request(self, provider, fields):
        return super().token_request(
            provider, {name: value for name, value in fields.items() if name != "code_verifier"}
        )


class MoreScopes(Manager):
    def __init__(self, settings, log):
        super().__init__({**settings, "scopes": f"{settings['scopes']} items:write"}, log)


class ScopesOfSecond(Manager):
    def get_auth_request(self, name, user):
        request = super().get_auth_request(name, user)
        is_first = name == self.settings["provider.name"]
        return request if is_first else {**request, "scopes": ["items:everything"]}


class NotEncoded(Manager):
    def with_query(self, endpoint, query):
        plain = "&".join(f"{name}={value}" for name, value in parse_qsl(query))
        return super().with_query(endpoint, plain)


class EndpointQueryLost(Manager):
    def with_query(self, endpoint, query):
        return f"{endpoint}?{query}"


class OtherStateInPayload(Manager):
    def get_auth_request(self, name, user):
        return {**super().get_auth_request(name, user), "state": secrets.token_urlsafe(32)}


class OtherScopesInPayload(Manager):
    def get_auth_request(self, name, user):
        return {**super().get_auth_request(name, user), "scopes": ["items"]}


class AnyScheme(Manager):
    def check_endpoints(self):
        pass


class LoopbackByPrefix(Manager):
    """Takes for the loopback interface what begins like it."""

    def check_endpoints(self):
        for url in (self.settings["provider.authorizationEndpoint"], self.settings["provider.tokenEndpoint"]):
            if not url.startswith(("https://", "http://localhost", "http://127.0.0.1", "http://[::1]")):
                raise ValueError("an endpoint has no TLS")


class HttpWithPort(Manager):
    """Looks for plain http where no port is named."""

    def check_endpoints(self):
        if urlsplit(self.settings["provider.authorizationEndpoint"]).port is None:
            super().check_endpoints()


class HttpInCapitals(Manager):
    """Refuses what begins with the letters http: and no others."""

    def check_endpoints(self):
        if self.settings["provider.authorizationEndpoint"].startswith("http"):
            super().check_endpoints()


class AnyProvider(Manager):
    def provider(self, name):
        return self.providers.get(name) or next(iter(self.providers.values()))


class CountedState(Manager):
    def new_state(self, user):
        number = self.__dict__.setdefault("numbers", iter(range(1000, 10**9)))
        return f"state-of-this-manager-{next(number)}"


class RandomAlike(Manager):
    def new_state(self, user):
        seeded = self.__dict__.setdefault("seeded", random.Random(0))
        return seeded.randbytes(32).hex()


# ---------------------------------------------------------------- callbacks
class StateIgnored(NoPkce):
    """Redeems what comes with an unknown state for nobody."""

    def take_flow(self, state):
        try:
            return super().take_flow(state)
        except Refused:
            return {"user": "nobody", "provider": next(iter(self.providers)), "verifier": ""}


class StateFoundAlike(Manager):
    """Takes a state for the one of its own that it is like."""

    def new_state(self, user):
        state = super().new_state(user)
        self.__dict__.setdefault("states", []).append(state)
        return state

    def take_flow(self, state):
        return super().take_flow(next((own for own in self.__dict__.get("states", []) if self.alike(own, state)), state))


class StateInAnyCase(StateFoundAlike):
    def alike(self, own, state):
        return own.lower() == state.lower()


class StateWithMore(StateFoundAlike):
    def alike(self, own, state):
        return state.startswith(own)


class StateKept(Manager):
    def take_flow(self, state):
        flow = self.flows.get(state)
        if flow is None or self.is_over(flow):
            raise Refused("the state is unknown or expired")
        return flow


class StateDroppedLate(StateKept):
    def handle_callback(self, url):
        user = super().handle_callback(url)
        self.flows.drop(dict(parse_qsl(urlsplit(url).query))["state"])
        return user


class DroppedBeforeCompared(Manager):
    """Finds a flow by the beginning of its state, and forgets it before the rest is compared."""

    def get_auth_request(self, name, user):
        request = super().get_auth_request(name, user)
        flow = self.flows.take(request["state"])
        self.flows.put(request["state"][:8], {**flow, "state": request["state"]})
        return request

    def take_flow(self, state):
        flow = super().take_flow(state[:8])
        if flow["state"] != state:
            raise Refused("the state is not that of the flow")
        return flow


class IssuerIgnored(Manager):
    def check_issuer(self, values):
        pass


class DenialAlone(Manager):
    def check_errors(self, values):
        if values.get("error") == "access_denied":
            super().check_errors(values)


class ErrorIgnored(Manager):
    def check_errors(self, values):
        pass


class WhateverComes(Manager):
    """Redeems what is there, if only an empty code."""

    def handle_callback(self, url):
        values = dict(parse_qsl(urlsplit(url).query))
        if "error" not in values:
            return super().handle_callback(url)
        flow = self.take_flow(values.get("state", ""))
        self.redeem(self.providers[flow["provider"]], values.get("code", ""), flow["verifier"])
        return flow["user"]


class UserOfCallback(Manager):
    def user_of(self, flow, values):
        return values.get("user_id", flow["user"])


class StoredForFirst(Manager):
    def store_token(self, user, provider, token, expires_at):
        super().store_token(user, next(iter(self.providers)), token, expires_at)


class RedeemedAsFirst(Manager):
    def redeem(self, provider, code, verifier):
        return super().redeem(next(iter(self.providers.values())), code, verifier)


class FirstClientForAll(Manager):
    def __init__(self, settings, log):
        super().__init__(settings, log)
        first = next(iter(self.providers.values()))
        for each in self.providers.values():
            each.client_id, each.client_secret = first.client_id, first.client_secret


class FirstFlowKept(Manager):
    """While a user is away, no other flow of theirs is kept."""

    def get_auth_request(self, name, user):
        request = super().get_auth_request(name, user)
        waiting = self.__dict__.setdefault("waiting", {})
        if self.flows.get(waiting.get((name, user), "")):
            self.flows.drop(request["state"])
        else:
            waiting[name, user] = request["state"]
        return request


class UsersWithoutSeparators(Manager):
    """Keys tokens by the letters and digits of a user."""

    def get_token(self, user, provider):
        return super().get_token(re.sub(r"[\W_]", "", user), provider)

    def store_token(self, user, provider, token, expires_at):
        super().store_token(re.sub(r"[\W_]", "", user), provider, token, expires_at)

    def drop_token(self, user, provider, token):
        super().drop_token(re.sub(r"[\W_]", "", user), provider, token)


class AnHourAlways(Manager):
    def expiry(self, life):
        return self.now() + 3600


class FlowsForgottenEarly(Manager):
    LIFE_OF_FLOW = 300


class FlowsNeverExpire(Manager):
    def is_over(self, flow):
        return False


class FlowsYoungAfterRestart(Manager):
    """Keeps in memory alone when a user was sent away."""

    def new_state(self, user):
        state = super().new_state(user)
        self.__dict__.setdefault("own", {})[state] = self.now()
        return state

    def take_flow(self, state):
        self.taken = state
        return super().take_flow(state)

    def is_over(self, flow):
        return self.taken in self.__dict__.get("own", {}) and super().is_over(flow)


class FlowsAnewAtRestart(Manager):
    """Counts how long a user has been away from its own start at the earliest."""

    def __init__(self, settings, log):
        super().__init__(settings, log)
        self.started = self.now()

    def is_over(self, flow):
        return super().is_over({**flow, "created": max(flow["created"], self.started)})


class FlowsInMemory(Manager):
    def __init__(self, settings, log):
        super().__init__(settings, log)
        self.flows = Kept()


# ---------------------------------------------------------------- the exchange
class FailuresStored(Manager):
    """Takes an exchange for a success whatever comes of it."""

    def redeem(self, provider, code, verifier):
        try:
            return super().redeem(provider, code, verifier)
        except Refused:
            return "none", None


class FailuresRetried(Manager):
    def redeem(self, provider, code, verifier):
        try:
            return super().redeem(provider, code, verifier)
        except Refused:
            return super().redeem(provider, code, verifier)


class FailuresStumble(Manager):
    def redeem(self, provider, code, verifier):
        try:
            return super().redeem(provider, code, verifier)
        except Refused:
            raise TypeError("'NoneType' object is not subscriptable") from None


class FailuresWithoutWords(Manager):
    def redeem(self, provider, code, verifier):
        try:
            return super().redeem(provider, code, verifier)
        except Refused:
            raise Refused("") from None


class ErrorTextHandedOn(Manager):
    def check_status(self, answer):
        if answer.status != 200:
            raise Refused(f"the token endpoint answered {answer.status}: {answer.body.decode('utf-8', 'replace')}")


class UnknownStateStumbles(Manager):
    def take_flow(self, state):
        try:
            return super().take_flow(state)
        except Refused:
            raise KeyError("state") from None


class DenialStumbles(Manager):
    def check_errors(self, values):
        if "error" in values:
            raise KeyError("code")


class BasicNotEncoded(Manager):
    def token_request(self, provider, fields):
        client = f"{provider.client_id}:{provider.client_secret}".encode()
        headers = {
            "authorization": "Basic " + base64.b64encode(client).decode(),
            "content-type": "application/x-www-form-urlencoded",
        }
        endpoint = self.settings["provider.tokenEndpoint"]
        return http_calls.request("POST", endpoint, headers, urlencode(fields))


class RedirectUriWithoutItsQuery(Manager):
    def token_request(self, provider, fields):
        bare = fields["redirect_uri"].split("?")[0]
        return super().token_request(provider, {**fields, "redirect_uri": bare})


class StatusIgnored(Manager):
    def check_status(self, answer):
        pass


class AnyValueIsAToken(Manager):
    def token_in(self, values):
        if "access_token" not in values:
            raise Refused("the token endpoint gave no token")
        return values["access_token"]


class TypeIgnored(Manager):
    def check_type(self, values):
        pass


class TypeComparedExactly(Manager):
    def check_type(self, values):
        if values.get("token_type") != "Bearer":
            raise Refused("the token is of a type that is not known here")


class LifetimeAdded(Manager):
    def expiry(self, life):
        return None if life is None else self.now() + life


class LifetimeRequired(Manager):
    def expiry(self, life):
        if not life:
            raise KeyError("expires_in")
        return super().expiry(life)


class RedirectsFollowed(Manager):
    def token_request(self, provider, fields):
        answer = super().token_request(provider, fields)
        target = answer.headers.get("location")
        if answer.status != 307 or not target:
            return answer
        own = {**fields, "client_id": provider.client_id, "client_secret": provider.client_secret}
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return http_calls.request("POST", target, headers, urlencode(own))


class CodeInQuery(Manager):
    """Tries a GET first."""

    def token_request(self, provider, fields):
        endpoint = self.settings["provider.tokenEndpoint"]
        http_calls.request("GET", f"{endpoint}?{urlencode({'code': fields['code']})}")
        return super().token_request(provider, fields)


class CodeNotEncoded(Manager):
    def token_request(self, provider, fields):
        return super().token_request(provider, dict(parse_qsl(f"code={fields['code']}")) | {
            name: value for name, value in fields.items() if name != "code"
        })


class CodeInErrors(Manager):
    def redeem(self, provider, code, verifier):
        try:
            return super().redeem(provider, code, verifier)
        except Refused as error:
            raise Refused(f"{error}: {code}") from None


class SecretInErrors(Manager):
    def redeem(self, provider, code, verifier):
        try:
            return super().redeem(provider, code, verifier)
        except Refused as error:
            raise Refused(f"{error} for {provider.client_secret}") from None


class CallbackLogged(Manager):
    def handle_callback(self, url):
        self.log(f"GET {url}")
        return super().handle_callback(url)


# ---------------------------------------------------------------- tokens
class TokenKeys(Manager):
    """Keeps tokens under other keys."""

    def key(self, user, provider):
        return [user, provider]

    def get_token(self, user, provider):
        return super().get_token(*self.key(user, provider))

    def store_token(self, user, provider, token, expires_at):
        super().store_token(*self.key(user, provider), token, expires_at)


class FirstTokenKept(Manager):
    """A user's first token stays, whatever is issued later."""

    def store_token(self, user, provider, token, expires_at):
        if self.tokens.get([user, provider]) is None:
            super().store_token(user, provider, token, expires_at)


class ExpiryNotStored(Manager):
    """Keeps in memory alone when a token expires."""

    def store_token(self, user, provider, token, expires_at):
        self.__dict__.setdefault("expiries", {})[user, provider] = expires_at
        super().store_token(user, provider, token, None)

    def get_token(self, user, provider):
        expires_at = self.__dict__.get("expiries", {}).get((user, provider))
        if expires_at is not None and expires_at <= self.now():
            return None
        return super().get_token(user, provider)


class TokenOfName(TokenKeys):
    def key(self, user, provider):
        return [user[-8:], provider]


class TenantCutOff(TokenKeys):
    def key(self, user, provider):
        return [user.split(":")[-1], provider]


class UsersInLowerCase(TokenKeys):
    def key(self, user, provider):
        return [user.lower(), provider]


class UsersCutShort(TokenKeys):
    def key(self, user, provider):
        return [user[:24], provider]


class UsersWithoutAccents(TokenKeys):
    def key(self, user, provider):
        parts = unicodedata.normalize("NFD", user)
        return ["".join(each for each in parts if not unicodedata.combining(each)), provider]


class UsersInCompatibleForm(TokenKeys):
    def key(self, user, provider):
        return [unicodedata.normalize("NFKC", user), provider]


class UsersTrimmed(TokenKeys):
    def key(self, user, provider):
        return [user.strip(), provider]


class UsersInAColumn(TokenKeys):
    def key(self, user, provider):
        return [user[:64], provider]


class UsersInAWideColumn(TokenKeys):
    def key(self, user, provider):
        return [user[:255], provider]


class TokensPerTenant(TokenKeys):
    def key(self, user, provider):
        return [user.split(":")[0], provider]


class UsersAsFileNames(TokenKeys):
    def key(self, user, provider):
        return [re.sub(r"\W", "_", user), provider]


class OneTokenPerUser(TokenKeys):
    def key(self, user, provider):
        return [user, "any"]


class TokensUsedOnce(Manager):
    def get_token(self, user, provider):
        token = super().get_token(user, provider)
        if token is not None:
            self.drop_token(user, provider, token)
        return token


class TokensInMemory(Manager):
    def __init__(self, settings, log):
        super().__init__(settings, log)
        self.tokens = Kept()


class ExpiryIgnored(Manager):
    def expiry(self, life):
        return None


class ExpiredWhenNotRefreshed(Refreshes):
    def get_token(self, user, provider):
        kept = self.tokens.get([user, provider])
        return super().get_token(user, provider) or (kept and kept["token"])


class ExpiredAskedForOnce(Manager):
    """Asks for another token once, and takes the one that has expired when there is none."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.asked = set()

    def get_token(self, user, provider):
        token = super().get_token(user, provider)
        kept = self.tokens.get([user, provider])
        if token is None and kept and (user, provider) in self.asked:
            return kept["token"]
        if token is None and kept:
            self.asked.add((user, provider))
        return token


class LeewayTheWrongWay(Manager):
    """Allows for clocks that differ by using a token for longer, instead of shorter."""

    def expiry(self, life):
        expires_at = super().expiry(life)
        return expires_at and expires_at + 60


class TokensNeverFound(Manager):
    """Looks for a token under another name than it has stored it under."""

    def get_token(self, user, provider):
        return super().get_token(user.upper(), provider)


class LifetimeCut(Manager):
    def expiry(self, life):
        expires_at = super().expiry(life)
        return expires_at and min(expires_at, self.now() + 300)


class StaleState(Planner):
    """Fills the payload of a second pause with the state of the first."""

    def pause(self, run, request):
        states = self.__dict__.setdefault("states", {})
        known = states.setdefault((run.conversation, request.get("provider")), request.get("state"))
        return super().pause(run, {**request, "state": known})


classes = {
    "response-type-missing": NoResponseType,
    "scope-missing": NoScope,
    "more-scopes": MoreScopes,
    "secret-in-url": SecretInUrl,
    "no-pkce": NoPkce,
    "request-not-encoded": NotEncoded,
    "endpoint-query-lost": EndpointQueryLost,
    "other-state-in-payload": OtherStateInPayload,
    "other-scopes-in-payload": OtherScopesInPayload,
    "any-scheme": AnyScheme,
    "loopback-by-prefix": LoopbackByPrefix,
    "http-with-port": HttpWithPort,
    "http-in-capitals": HttpInCapitals,
    "scopes-of-second-in-payload": ScopesOfSecond,
    "denial-alone-is-an-error": DenialAlone,
    "users-without-separators": UsersWithoutSeparators,
    "any-provider": AnyProvider,
    "counted-state": CountedState,
    "random-alike-in-every-process": RandomAlike,
    "state-ignored": StateIgnored,
    "stored-for-first-provider": StoredForFirst,
    "redeemed-as-first-client": RedeemedAsFirst,
    "first-client-for-all": FirstClientForAll,
    "first-flow-kept": FirstFlowKept,
    "an-hour-always": AnHourAlways,
    "state-in-any-case": StateInAnyCase,
    "state-with-more": StateWithMore,
    "state-kept": StateKept,
    "state-dropped-late": StateDroppedLate,
    "dropped-before-compared": DroppedBeforeCompared,
    "issuer-ignored": IssuerIgnored,
    "error-ignored": ErrorIgnored,
    "whatever-comes": WhateverComes,
    "user-of-callback": UserOfCallback,
    "flows-forgotten-early": FlowsForgottenEarly,
    "flows-never-expire": FlowsNeverExpire,
    "flows-young-after-restart": FlowsYoungAfterRestart,
    "flows-anew-at-restart": FlowsAnewAtRestart,
    "flows-in-memory": FlowsInMemory,
    "failures-stored": FailuresStored,
    "failures-retried": FailuresRetried,
    "failures-stumble": FailuresStumble,
    "failures-without-words": FailuresWithoutWords,
    "error-text-handed-on": ErrorTextHandedOn,
    "unknown-state-stumbles": UnknownStateStumbles,
    "denial-stumbles": DenialStumbles,
    "status-ignored": StatusIgnored,
    "any-value-is-a-token": AnyValueIsAToken,
    "type-ignored": TypeIgnored,
    "type-compared-exactly": TypeComparedExactly,
    "lifetime-added": LifetimeAdded,
    "lifetime-required": LifetimeRequired,
    "redirects-followed": RedirectsFollowed,
    "code-in-query": CodeInQuery,
    "basic-not-encoded": BasicNotEncoded,
    "redirect-uri-without-its-query": RedirectUriWithoutItsQuery,
    "code-not-encoded": CodeNotEncoded,
    "code-in-errors": CodeInErrors,
    "secret-in-errors": SecretInErrors,
    "callback-logged": CallbackLogged,
    "token-of-name": TokenOfName,
    "tenant-cut-off": TenantCutOff,
    "users-as-file-names": UsersAsFileNames,
    "users-in-lower-case": UsersInLowerCase,
    "users-cut-short": UsersCutShort,
    "users-without-accents": UsersWithoutAccents,
    "users-in-compatible-form": UsersInCompatibleForm,
    "users-trimmed": UsersTrimmed,
    "users-in-a-column": UsersInAColumn,
    "users-in-a-wide-column": UsersInAWideColumn,
    "tokens-per-tenant": TokensPerTenant,
    "one-token-per-user": OneTokenPerUser,
    "tokens-used-once": TokensUsedOnce,
    "tokens-in-memory": TokensInMemory,
    "expiry-not-stored": ExpiryNotStored,
    "first-token-kept": FirstTokenKept,
    "expiry-ignored": ExpiryIgnored,
    "expired-when-not-refreshed": ExpiredWhenNotRefreshed,
    "expired-asked-for-once": ExpiredAskedForOnce,
    "leeway-the-wrong-way": LeewayTheWrongWay,
    "lifetime-cut": LifetimeCut,
    "tokens-never-found": TokensNeverFound,
}
defects = {name: {"manager": kind} for name, kind in classes.items()}
defects["stale-state-when-asked-again"] = {"planner": StaleState}

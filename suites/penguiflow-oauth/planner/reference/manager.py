"""The OAuth manager: sends users away, redeems what they come back with, and keeps a token for each user and provider."""

import base64
import hashlib
import json
import secrets
import time
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import http_calls
from kept import Kept


class Refused(Exception):
    """A callback that is not believed, or that brings no token."""


class Provider:
    def __init__(self, name, client_id, client_secret, scopes):
        self.name, self.client_id, self.client_secret, self.scopes = name, client_id, client_secret, scopes

    @property
    def display_name(self):
        return self.name.capitalize()


class Manager:
    LIFE_OF_FLOW = 600

    def __init__(self, settings, log):
        self.settings, self.log, self.ahead = settings, log, settings.get("ahead", 0)
        folder = f"{settings['data.dir']}/" if settings["state"] == "durable" else None
        self.flows = Kept(folder and folder + "flows")
        self.tokens = Kept(folder and folder + "tokens")
        scopes = settings["scopes"].split(" ")
        self.providers = {
            each.name: each
            for each in (
                Provider(
                    settings["provider.name"],
                    settings["provider.clientId"],
                    settings["provider.clientSecret"],
                    scopes,
                ),
                Provider(
                    settings["provider2.name"],
                    settings["provider2.clientId"],
                    settings["provider2.clientSecret"],
                    scopes,
                ),
            )
        }

    def now(self):
        return time.time() + self.ahead

    # ------------------------------------------------------------ tokens
    def get_token(self, user, provider):
        kept = self.tokens.get([user, provider])
        if kept is None or (kept["expires_at"] is not None and kept["expires_at"] <= self.now()):
            return None
        return kept["token"]

    def drop_token(self, user, provider, token):
        self.tokens.take([user, provider], lambda kept: kept["token"] == token)

    def store_token(self, user, provider, token, expires_at):
        self.tokens.put([user, provider], {"token": token, "expires_at": expires_at})

    # ------------------------------------------------------------ flows
    def get_auth_request(self, name, user):
        provider = self.provider(name)
        self.check_endpoints()
        state, verifier = self.new_state(user), secrets.token_urlsafe(48)
        self.flows.put(
            state, {"user": user, "provider": name, "verifier": verifier, "created": self.now()}
        )
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
        query = urlencode(
            {
                "response_type": "code",
                "client_id": provider.client_id,
                "redirect_uri": self.settings["callback.url"],
                "scope": " ".join(provider.scopes),
                "state": state,
                "code_challenge": challenge.rstrip(b"=").decode(),
                "code_challenge_method": "S256",
            }
        )
        return {
            "display_name": provider.display_name,
            "auth_url": self.with_query(self.settings["provider.authorizationEndpoint"], query),
            "scopes": provider.scopes,
            "state": state,
        }

    def provider(self, name):
        if name not in self.providers:
            raise ValueError(f"there is no provider {name}")
        return self.providers[name]

    def check_endpoints(self):
        """Everywhere but on this machine they have to be of https."""
        for name in ("authorizationEndpoint", "tokenEndpoint"):
            parts = urlsplit(self.settings[f"provider.{name}"])
            if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
                raise ValueError(f"the {name} is not https")

    def with_query(self, endpoint, query):
        return endpoint + ("&" if "?" in endpoint else "?") + query

    def new_state(self, user):
        return secrets.token_urlsafe(32)

    def handle_callback(self, url):
        """Stores the token that a callback brings, and gives whose it is. Raises Refused."""
        given = parse_qsl(urlsplit(url).query, keep_blank_values=True)
        values = dict(given)
        if len(values) < len(given):
            raise Refused("a parameter stands there twice")
        flow = self.take_flow(values.get("state", ""))
        self.check_issuer(values)
        self.check_errors(values)
        if not values.get("code"):
            raise Refused("the callback has no code")
        token, expires_at = self.redeem(self.providers[flow["provider"]], values["code"], flow["verifier"])
        user = self.user_of(flow, values)
        self.store_token(user, flow["provider"], token, expires_at)
        return user

    def take_flow(self, state):
        flow = self.flows.take(state)
        if flow is None or self.is_over(flow):
            raise Refused("the state is unknown, used or expired")
        return flow

    def is_over(self, flow):
        return self.now() - flow["created"] > self.LIFE_OF_FLOW

    def check_issuer(self, values):
        if values.get("iss", self.settings["provider.issuer"]) != self.settings["provider.issuer"]:
            raise Refused("the callback is of another provider")

    def check_errors(self, values):
        if "error" in values:
            raise Refused(f"the provider refused: {values['error'][:60]}")

    def user_of(self, flow, values):
        return flow["user"]

    # ------------------------------------------------------------ the exchange
    def redeem(self, provider, code, verifier):
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings["callback.url"],
            "code_verifier": verifier,
        }
        try:
            answer = self.token_request(provider, fields)
        except (OSError, http_calls.http.client.HTTPException):
            raise Refused("the token endpoint did not answer") from None
        return self.read_answer(answer)

    def read_answer(self, answer):
        self.check_status(answer)
        try:
            values = json.loads(answer.body)
        except ValueError:
            raise Refused("the token endpoint did not answer with JSON") from None
        token = self.token_in(values if isinstance(values, dict) else {})
        self.check_type(values)
        return token, self.expiry(values.get("expires_in"))

    def check_status(self, answer):
        if answer.status != 200:
            raise Refused(f"the token endpoint answered {answer.status}")

    def token_in(self, values):
        token = values.get("access_token")
        if not isinstance(token, str) or not token:
            raise Refused("the token endpoint gave no token")
        return token

    def check_type(self, values):
        if str(values.get("token_type")).lower() != "bearer":
            raise Refused("the token is of a type that is not known here")

    def expiry(self, life):
        return self.now() + int(life) if str(life).isdigit() else None

    def token_request(self, provider, fields):
        client = f"{quote_plus(provider.client_id)}:{quote_plus(provider.client_secret)}"
        headers = {
            "authorization": "Basic " + base64.b64encode(client.encode()).decode(),
            "content-type": "application/x-www-form-urlencoded",
            "accept": "application/json",
        }
        endpoint = self.settings["provider.tokenEndpoint"]
        return http_calls.request("POST", endpoint, headers, urlencode(fields))

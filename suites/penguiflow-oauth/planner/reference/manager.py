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
        self.settings, self.log, self.ahead = settings, log, 0
        folder = f"{settings['data.dir']}/" if settings["state"] == "durable" else None
        self.flows = Kept(folder and folder + "flows")
        self.tokens = Kept(folder and folder + "tokens")
        scopes = ["items:read"]
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
        provider = self.providers[name]
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
        endpoint = self.settings["provider.authorizationEndpoint"]
        return {
            "display_name": provider.display_name,
            "auth_url": endpoint + ("&" if "?" in endpoint else "?") + query,
            "scopes": provider.scopes,
            "state": state,
        }

    def new_state(self, user):
        return secrets.token_urlsafe(32)

    def handle_callback(self, url):
        """Stores the token that a callback brings, and gives whose it is. Raises Refused."""
        given = parse_qsl(urlsplit(url).query, keep_blank_values=True)
        values = dict(given)
        if len(values) < len(given):
            raise Refused("a parameter stands there twice")
        flow = self.flows.take(values.get("state", ""))
        if flow is None or self.now() - flow["created"] > self.LIFE_OF_FLOW:
            raise Refused("the state is unknown, used or expired")
        if values.get("iss", self.settings["provider.issuer"]) != self.settings["provider.issuer"]:
            raise Refused("the callback is of another provider")
        if "error" in values:
            raise Refused(f"the provider refused: {values['error'][:60]}")
        if not values.get("code"):
            raise Refused("the callback has no code")
        token, expires_at = self.redeem(self.providers[flow["provider"]], values["code"], flow["verifier"])
        self.store_token(flow["user"], flow["provider"], token, expires_at)
        return flow["user"]

    def redeem(self, provider, code, verifier):
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings["callback.url"],
            "code_verifier": verifier,
        }
        answer = self.token_request(provider, fields)
        if answer.status != 200:
            raise Refused(f"the token endpoint answered {answer.status}")
        try:
            values = json.loads(answer.body)
        except ValueError:
            raise Refused("the token endpoint did not answer with JSON") from None
        token = values.get("access_token") if isinstance(values, dict) else None
        if not isinstance(token, str) or not token:
            raise Refused("the token endpoint gave no token")
        if str(values.get("token_type")).lower() != "bearer":
            raise Refused("the token is of a type that is not known here")
        life = values.get("expires_in")
        known = str(life).isdigit()
        return token, self.now() + int(life) if known and int(life) > 0 else None

    def token_request(self, provider, fields):
        client = f"{quote_plus(provider.client_id)}:{quote_plus(provider.client_secret)}"
        headers = {
            "authorization": "Basic " + base64.b64encode(client.encode()).decode(),
            "content-type": "application/x-www-form-urlencoded",
            "accept": "application/json",
        }
        endpoint = self.settings["provider.tokenEndpoint"]
        return http_calls.request("POST", endpoint, headers, urlencode(fields))

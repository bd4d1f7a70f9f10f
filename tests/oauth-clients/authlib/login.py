"""A login by Authlib, as its documentation has it. `login.py ISSUER` prints what came of it, as JSON."""

import json
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwk, jwt

issuer = sys.argv[1]
callback = "http://localhost:3000/callback"
metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()

client = OAuth2Session("web", "s", scope="openid items:read offline_access", redirect_uri=callback, code_challenge_method="S256")
verifier, nonce = generate_token(48), generate_token(20)
url, state = client.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce, prompt="consent"
)
back = requests.get(url, allow_redirects=False, timeout=10).headers["location"]
token = client.fetch_token(metadata["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier)
keys = requests.get(metadata["jwks_uri"], timeout=10).json()
claims = jwt.decode(token["id_token"], jwk.KeySet.import_key_set(keys), algorithms=["RS256"]).claims
expected = {"iss": issuer, "aud": "web", "nonce": nonce}
jwt.JWTClaimsRegistry(**{name: {"essential": True, "value": value} for name, value in expected.items()}).validate(claims)
refreshed = client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
items = client.get(f"{issuer}/resource/items").json()
print(json.dumps({"subject": claims["sub"], "items": items, "refreshed": refreshed["access_token"] != token["access_token"]}))

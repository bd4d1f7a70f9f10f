"""A login by the standard library alone, as the code under test would do it."""

import base64
import json
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

CALLBACK = "http://localhost:3000/callback"
# the example of RFC 7636, Appendix B
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class Stay(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def authorize(issuer):
    """Where the user agent is sent back to."""
    query = urlencode(
        {
            "response_type": "code",
            "client_id": "web",
            "redirect_uri": CALLBACK,
            "scope": "items:read",
            "state": "xyz",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        }
    )
    try:
        build_opener(Stay).open(f"{issuer}/authorize?{query}")
    except HTTPError as redirect:
        return redirect.headers["location"]
    raise AssertionError("no redirect")


def test_login(provider):
    issuer = provider["issuer"]
    answer = parse_qs(urlsplit(authorize(issuer)).query)
    assert answer["state"] == ["xyz"]
    form = {
        "grant_type": "authorization_code",
        "code": answer["code"][0],
        "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER,
    }
    basic = base64.b64encode(b"web:s").decode()
    request = Request(f"{issuer}/token", urlencode(form).encode(), {"authorization": f"Basic {basic}"})
    with urlopen(request) as response:
        token = json.load(response)["access_token"]
    api = Request(f"{issuer}/resource/items", headers={"authorization": f"Bearer {token}"})
    with urlopen(api) as response:
        assert json.load(response) == {"items": [{"id": "1", "title": "Welcome, alice"}]}

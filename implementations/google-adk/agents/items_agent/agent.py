"""An agent of google-adk whose tools need OAuth authorization, configured by its environment."""

import asyncio
import os

import requests
from fastapi.openapi.models import OAuth2, OAuthFlowAuthorizationCode, OAuthFlows
from google.adk.agents import Agent
from google.adk.auth import AuthConfig, AuthCredential, AuthCredentialTypes, OAuth2Auth
from google.adk.tools.authenticated_function_tool import AuthenticatedFunctionTool

ITEMS = os.environ["RESOURCE_URL"] + "/items"
TIMEOUT = 10


def auth_config(key: str, scope: str) -> AuthConfig:
    return AuthConfig(
        auth_scheme=OAuth2(
            flows=OAuthFlows(
                authorizationCode=OAuthFlowAuthorizationCode(
                    authorizationUrl=os.environ["AUTHORIZATION_ENDPOINT"],
                    tokenUrl=os.environ["TOKEN_ENDPOINT"],
                    scopes={scope: scope},
                )
            )
        ),
        raw_auth_credential=AuthCredential(
            auth_type=AuthCredentialTypes.OAUTH2,
            oauth2=OAuth2Auth(
                client_id=os.environ["OAUTH_CLIENT_ID"],
                client_secret=os.environ["OAUTH_CLIENT_SECRET"],
                code_challenge_method="S256",
            ),
        ),
        credential_key=key,
    )


async def call(method: str, credential: AuthCredential, **rest) -> dict:
    """Asks the API; off the event loop, so that no other user waits meanwhile."""
    headers = {"Authorization": f"Bearer {credential.oauth2.access_token}"}
    try:
        answer = await asyncio.to_thread(
            requests.request, method, ITEMS, headers=headers, timeout=TIMEOUT, **rest
        )
    except requests.RequestException:
        return {"error": "the API did not answer"}
    return answer.json() if answer.ok else {"error": f"the API answered {answer.status_code}"}


async def list_items(credential: AuthCredential = None) -> dict:
    """Lists the items of the user."""
    answer = await call("GET", credential)
    if "error" in answer:
        return answer
    return {"titles": [item["title"] for item in answer["items"]]}


async def add_item(title: str, credential: AuthCredential = None) -> dict:
    """Adds an item for the user."""
    answer = await call("POST", credential, json={"title": title})
    return answer if "error" in answer else {"id": answer["id"]}


def tell_time() -> dict:
    """Tells the time."""
    return {"time": "noon"}


root_agent = Agent(
    name="items_agent",
    model=os.environ.get("MODEL", "gemini-2.5-flash"),
    instruction="You look after the items of your user.",
    tools=[
        AuthenticatedFunctionTool(
            func=list_items, auth_config=auth_config("items", "items:read")
        ),
        AuthenticatedFunctionTool(
            func=add_item, auth_config=auth_config("items-to-write", "items:write")
        ),
        tell_time,
    ],
)

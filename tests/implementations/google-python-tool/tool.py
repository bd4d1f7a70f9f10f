"""A RAP tool that tells who its user is at Google, on asyncio and with Google's own libraries: it knows no other provider.

Environment: PORT, DATA_DIR, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, PENDING_SECONDS (600).
"""
import asyncio
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from aiohttp import ClientError, ClientSession, ClientTimeout, web
from cryptography.fernet import Fernet
from google.auth.exceptions import GoogleAuthError, RefreshError
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import Flow
from requests import RequestException, Session
from yarl import URL

os.environ['OAUTHLIB_RELAX_TOKEN_SCOPE'] = '1'  # what was granted is compared below
PORT, DATA = int(os.environ['PORT']), Path(os.environ['DATA_DIR'])
PENDING = float(os.environ.get('PENDING_SECONDS', '600'))
ISSUER, BASE = 'https://accounts.google.com', f'http://127.0.0.1:{PORT}'
SCOPES = ['openid', 'https://www.googleapis.com/auth/userinfo.email']
USERINFO = 'https://openidconnect.googleapis.com/v1/userinfo'
CLIENT = {'web': {
    'client_id': os.environ['GOOGLE_CLIENT_ID'],
    'client_secret': os.environ['GOOGLE_CLIENT_SECRET'],
    'auth_uri': 'https://accounts.google.com/o/oauth2/auth',
    'token_uri': 'https://oauth2.googleapis.com/token',
}}
TOOL = {
    'name': 'who_am_i',
    'description': f'Tells who the user is at Google. An authorization that takes longer than {PENDING:g} s ends in an error.',
    'inputSchema': {'type': 'object', 'properties': {}, 'additionalProperties': False},
    'annotations': {'requiresAuth': 'google', 'readOnly': True},
}


class Problem(Exception):
    """Its text goes to the model."""


class Store:
    """Credentials by user, and flows by their state, in one encrypted file."""

    def __init__(self):
        folder, key = DATA / 'store', DATA / 'key'
        folder.mkdir(parents=True, exist_ok=True)
        if not key.exists():
            key.write_bytes(Fernet.generate_key())
        self.box, self.file = Fernet(key.read_bytes()), folder / 'vault'
        kept = json.loads(self.box.decrypt(self.file.read_bytes())) if self.file.exists() else {}
        self.credentials, self.flows = kept.get('credentials', {}), kept.get('flows', {})

    def save(self):
        new = self.file.with_suffix('.new')
        new.write_bytes(self.box.encrypt(json.dumps({'credentials': self.credentials, 'flows': self.flows}).encode()))
        new.replace(self.file)


store, timers, locks, busy = Store(), {}, {}, set()
workers = ThreadPoolExecutor(64)


# ------------------------------------------------------------------ Google, in threads: its libraries block

def session():
    made = Session()
    made.max_redirects = 0  # credentials are for Google alone
    return made


def patient(*args, **more):
    return Request(session())(*args, **{**more, 'timeout': 3})


def google(**more):
    made = Flow.from_client_config(CLIENT, SCOPES, redirect_uri=f'{BASE}/google/back', **more)
    made.oauth2session.max_redirects = 0
    return made


def exchange(code, verifier):
    flow = google(code_verifier=verifier, autogenerate_code_verifier=False)
    try:
        token = flow.fetch_token(code=code, timeout=3)
        flow.oauth2session.token.setdefault('expires_at', time.time() + 3600)  # the library relies on it
    except Exception:  # oauthlib, requests and ValueErrors of their own
        raise Problem('Google did not accept the authorization. Please try again.') from None
    if str(token.get('token_type')).lower() != 'bearer':
        raise Problem('Google issued a token that cannot be used here.')
    granted = token.get('scope', SCOPES)
    if not set(SCOPES) <= set(granted.split() if isinstance(granted, str) else granted):
        raise Problem('The permission that this operation needs was not granted.')
    return flow.credentials


def who(credentials):
    """What Google says of the user; `None` where the credentials are of no use any more."""
    try:
        with AuthorizedSession(credentials, auth_request=patient) as api:
            answer = api.get(USERINFO, timeout=3, allow_redirects=False)
        if answer.status_code == 401:
            return None
        if answer.status_code != 200:
            raise Problem(f'Google could not tell (status {answer.status_code}).')
        return f"{answer.json()['sub']} is the user's id at Google."
    except RefreshError as error:
        if error.retryable or not any(word in str(error) for word in ('invalid_grant', 'refresh')):
            raise Problem('The authorization could not be renewed at present. Please try again later.') from None
        return None
    except (GoogleAuthError, RequestException, ValueError, KeyError, TypeError):
        raise Problem('Google did not answer. Please try again later.') from None


def inside(job, *args):
    return asyncio.get_running_loop().run_in_executor(workers, job, *args)


# ------------------------------------------------------------------ the life of a call

async def deliver(call, **fields):
    own = {name: call[name] for name in ('id', 'group_id', 'call_id') if name in call}
    for attempt in range(8):
        try:
            async with ClientSession(timeout=ClientTimeout(10)) as http:
                to = URL(call['callback_url'], encoded=True)
                async with http.post(to, json={**own, **fields}, allow_redirects=False) as answer:
                    if answer.status < 500:
                        return
        except (ClientError, OSError, asyncio.TimeoutError):
            pass
        await asyncio.sleep(0.2 * 2 ** attempt)


async def finish(call, text):
    await deliver(call, type='tool_result', text=text)
    busy.discard(json.dumps(call))


async def work(call):
    """With what is stored for this user, one call of theirs at a time; or they are asked."""
    user = call.get('user_id')
    try:
        if problem := objection(call):
            raise Problem(problem)
        async with locks.setdefault(user, asyncio.Lock()) if user else asyncio.Lock():
            if user in store.credentials:
                credentials = Credentials.from_authorized_user_info(json.loads(store.credentials[user]))
                text = await inside(who, credentials)
                keep(user, credentials if text else None)
                if text:
                    return await finish(call, text)
    except Problem as problem:
        return await finish(call, f'Error: {problem}')
    flow = google(autogenerate_code_verifier=True)
    url, state = flow.authorization_url(access_type='offline', prompt='consent')
    store.flows[state] = {'call': call, 'verifier': flow.code_verifier, 'deadline': time.time() + PENDING}
    store.save()
    arm(state, PENDING)
    await deliver(call, type='oauth', auth_url=url)


def objection(call):
    if any(not isinstance(call.get(name), (str, type(None))) for name in ('call_id', 'user_id')):
        return 'The invocation is malformed.'
    if call.get('operation') != TOOL['name'] or call.get('arguments') != {}:
        return 'There is no such operation, or its arguments do not fit.'


def keep(user, credentials):
    if user and credentials:
        store.credentials[user] = credentials.to_json()
    else:
        store.credentials.pop(user, None)
    store.save()


def arm(state, seconds):
    def over():
        asyncio.ensure_future(finish(take(state)['call'], 'Error: Nobody authorized this in time. Please try again.'))
    timers[state] = asyncio.get_running_loop().call_later(seconds, over)


def take(state):
    """Whoever takes a flow has to end its call; nobody gets it twice."""
    flow = store.flows.pop(state)
    store.save()
    timers.pop(state).cancel()
    return flow


async def proceed(flow, code):
    call, user = flow['call'], flow['call'].get('user_id')
    try:
        credentials = await inside(exchange, code, flow['verifier'])
        text = await inside(who, credentials)
        if user:
            keep(user, credentials if text else None)
        await finish(call, text or 'Error: Google did not accept the new authorization.')
    except Problem as problem:
        await finish(call, f'Error: {problem}')


# ------------------------------------------------------------------ HTTP

async def invoke(request):
    try:
        call = await request.json()
        if not all(isinstance(call[name], str) for name in ('id', 'group_id', 'callback_url')):
            raise ValueError
        if URL(call['callback_url'], encoded=True).scheme not in ('http', 'https'):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        return web.Response(status=400)
    if 'call_id' in call and call['call_id'] is not None and not isinstance(call['call_id'], str):
        call = {**call, 'operation': None, 'call_id': None}
    if json.dumps(call) not in busy:  # not one that was only sent again
        busy.add(json.dumps(call))
        asyncio.ensure_future(work(call))
    return web.Response(text='accepted')


async def back(request):
    query = request.query
    values = {name: query.getall(name, []) for name in ('state', 'code', 'error', 'iss')}
    state, code, error, issuer = (each[0] if each else None for each in values.values())
    fits = all(len(each) < 2 for each in values.values()) and bool(code) != bool(error)
    if not fits or state not in store.flows or issuer not in (None, ISSUER):
        return page('This link is not valid, or was used before.', 400)
    flow = take(state)
    if error == 'access_denied':
        asyncio.ensure_future(finish(flow['call'], 'Error: The user denied the authorization.'))
    elif error:
        asyncio.ensure_future(finish(flow['call'], 'Error: Google could not complete the authorization.'))
    else:
        asyncio.ensure_future(proceed(flow, code))
    return page('Thank you. You can return to your conversation.')


def page(text, status=200):
    headers = {'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff'}
    return web.Response(text=text, status=status, headers=headers)


async def manifest(_):
    return web.json_response({'name': 'google', 'endpoint': f'{BASE}/rap', 'tools': [TOOL]})


async def resume(_):
    for state, flow in store.flows.items():
        busy.add(json.dumps(flow['call']))
        arm(state, max(0, flow['deadline'] - time.time()))


app = web.Application()
app.add_routes([web.get('/.well-known/rap-toolset', manifest), web.post('/rap', invoke), web.get('/google/back', back)])
app.on_startup.append(resume)
web.run_app(app, host='127.0.0.1', port=PORT, print=None, access_log=None)

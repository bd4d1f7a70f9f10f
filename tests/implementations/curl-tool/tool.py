#!/usr/bin/env python3
"""
A RAP tool whose every request to others is made by curl, and whose redirect comes to another name than its calls. It starts
slowly, answers in chunks with extensions, and writes JSON with escapes and tabs. VIOLATION makes it break one rule.
"""
import asyncio
import base64
import hashlib
import hmac
import html
import json
import os
import secrets
import signal
import sqlite3
import sys
import time
import urllib.parse as U

from cryptography.fernet import Fernet

PORT, ISSUER, API = int(os.environ['PORT']), os.environ['ISSUER'], os.environ['API']
PATIENCE = int(os.environ['PENDING_TIMEOUT_MS']) / 1000
BAD = os.environ.get('VIOLATION', '')
BASE = f'http://localhost:{PORT}'
REDIRECT = f'{BASE}/cb;x=1/%E2%9C%93?from=idp'
box = Fernet(base64.urlsafe_b64encode(hashlib.sha256(b'k' + os.environ['TOOL_KEY'].encode()).digest()))
db = sqlite3.connect(os.environ['DATA_DIR'] + '/all.db', isolation_level=None)
db.execute('create table if not exists kv (kind text, name text, value blob, primary key (kind, name))')
hashed = lambda name: hmac.new(os.environ['TOOL_KEY'].encode(), json.dumps(name).encode(), 'sha256').hexdigest()
locks, tasks = {}, set()

def put(kind, name, value): db.execute('replace into kv values (?,?,?)', (kind, hashed(name), box.encrypt(json.dumps(value).encode())))
def opened(row): return row and json.loads(box.decrypt(row[0]))
def get(kind, name): return opened(db.execute('select value from kv where kind=? and name=?', (kind, hashed(name))).fetchone())
def take(kind, name): return opened(db.execute('delete from kv where kind=? and name=? returning value', (kind, hashed(name))).fetchone())
def every(kind): return [opened(row) for row in db.execute('select value from kv where kind=?', (kind,)).fetchall()]
def log(text): print(f'\x1b[35m{text}\x1b[0m', file=sys.stderr, flush=True)

def later(work):
    task = asyncio.ensure_future(work)
    tasks.add(task); task.add_done_callback(lambda t: (tasks.discard(t), t.cancelled() or t.exception() and log(f'{type(t.exception()).__name__}')))

class Failed(Exception): pass

async def curl(method, url, headers=(), body=None, seconds=4):
    """One request by curl; its configuration comes by standard input, so that no secret stands among its arguments."""
    quote = lambda s: '"' + s.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n').replace('\t', '\\t').replace('\r', '\\r') + '"'
    lines = [f'url = {quote(url)}', f'request = {method}', 'silent', 'include', f'max-time = {seconds}', 'noproxy = "*"', 'http1.1', 'globoff', 'path-as-is']
    lines += [f'header = {quote(h)}' for h in (*headers, 'Accept:', 'User-Agent:', 'Expect:')]
    if body is not None: lines.append(f'data-binary = {quote(body)}')
    if BAD == 'insecure': lines.append('insecure')
    if BAD == 'follows-redirects': lines += ['location', 'location-trusted']
    run = await asyncio.create_subprocess_exec('curl', '-q', '--config', '-', stdin=-1, stdout=-1, stderr=-3)
    out, _ = await run.communicate('\n'.join(lines).encode())
    if run.returncode: raise Failed('no answer')
    while True:
        head, _, out = out.partition(b'\r\n\r\n')
        status = int(head.split()[1])
        if status >= 200: break
    return status, head.decode('latin1').lower(), out

# ---- the provider ------------------------------------------------------------------------------------------------

found = None
async def provider():
    global found
    if not found:
        status, _, body = await curl('GET', ISSUER + '/.well-known/oauth-authorization-server')
        try: meta = json.loads(body)
        except ValueError: meta = {}
        if status != 200 or not isinstance(meta, dict) or meta.get('issuer') != ISSUER: raise Failed('the provider cannot be used')
        found = meta
    return found

form = lambda **fields: U.urlencode({k: v for k, v in fields.items() if v is not None})
async def tokens_by(**fields):
    meta = await provider()
    login = base64.b64encode(f"{U.quote_plus(os.environ['CLIENT_ID'])}:{U.quote_plus(os.environ['CLIENT_SECRET'])}".encode()).decode()
    status, _, body = await curl('POST', meta['token_endpoint'], ['Content-Type: application/x-www-form-urlencoded;charset=UTF-8', 'Authorization: bASIC ' + login], form(**fields))
    try: got = json.loads(body)
    except ValueError: got = None
    if not isinstance(got, dict): raise Failed('the provider did not answer with tokens')
    if status != 200: raise Failed('the provider refused' + (' (invalid_grant)' if got.get('error') == 'invalid_grant' else ''))
    token = got.get('access_token')
    if not isinstance(token, str) or not token or str(got.get('token_type')).lower() != 'bearer': raise Failed('the provider did not answer with tokens')
    life = got.get('expires_in')
    return {'access': token, 'refresh': fields.get('refresh_token') if BAD == 'keeps-old-refresh-token' and fields.get('refresh_token') else got.get('refresh_token') or fields.get('refresh_token'), 'until': time.time() + life if isinstance(life, (int, float)) else None}

# ---- what a runtime is told --------------------------------------------------------------------------------------

async def tell(call, message):
    whole = {**message, 'group_id': call['group_id'], 'id': call['id']}
    if call.get('call_id') is not None: whole['call_id'] = call['call_id']
    body = ' \n' + json.dumps(whole, indent='\t', ensure_ascii=True).replace('/', '\\/') + '\r\n'
    if BAD == 'call-id-null': whole['call_id'] = None; body = json.dumps(whole)
    for pause in (0.3, 0.9, 2.7, 0):
        try:
            status, *_ = await curl('POST', call['callback_url'], ['Content-Type: Application/JSON;charset="utf-8"', 'Transfer-Encoding: chunked'], body, 10)
            if status < 500 and not (BAD == 'retries-4xx' and status >= 400): return
        except Failed: pass
        if pause: await asyncio.sleep(pause)

async def end(call, text):
    await tell(call, {'type': 'tool_result', 'content': [{'type': 'text', 'text': text[:len(text) // 2]}, {'type': 'text', 'text': text[len(text) // 2:]}]} if not text.startswith('Error: ') else {'text': text, 'type': 'tool_result'})

async def ask(call):
    meta = await provider()
    state, verifier = secrets.token_urlsafe(200), secrets.token_urlsafe(96)
    if not meta['authorization_endpoint'].startswith('https:'): raise Failed('the provider is not secure')
    query = dict(client_id=os.environ['CLIENT_ID'], response_type='code', scope='items:read', state=state, redirect_uri=REDIRECT, code_challenge_method='S256',
                 code_challenge=base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip('='))
    if BAD == 'no-pkce': query.pop('code_challenge'); query.pop('code_challenge_method'); verifier = None
    flow = {'state': state, 'verifier': verifier, 'call': call, 'until': time.time() + PATIENCE}
    put('flow', state, flow)
    if BAD == 'consent-of-the-last': put('seen', state, {'at': time.time(), 'call': call})
    watch(flow)
    await tell(call, {'auth_url': meta['authorization_endpoint'] + '?' + '&'.join(f'{k}={U.quote(v, safe="")}' for k, v in sorted(query.items())), 'type': 'oauth'})

def watch(flow):
    async def wait():
        await asyncio.sleep(max(0, flow['until'] - time.time()))
        if take('flow', flow['state']): await end(flow['call'], 'Error: nobody authorized this in time; please try again.')
    later(wait())

async def run(call, fresh=False):
    user = call.get('user_id')
    async with locks.setdefault(user, asyncio.Lock()):
        kept = call.pop('tokens', None) if user is None else get('tokens', user)
        try:
            if kept and kept['until'] and kept['until'] - 1 < time.time():
                kept = await renew(user, kept)
            for again in (False, True):
                if not kept: break
                status, head, body = await curl('GET', API + '/items', ['Authorization: Bearer ' + kept['access']])
                if status != 401: break
                kept = None if again or fresh else await renew(user, kept)
        except Failed as e: return await end(call, f'Error: {e}.')
    if not kept or status == 401 or status == 403 and 'insufficient_scope' in head:
        return await end(call, 'Error: the service refuses this in spite of the authorization.') if fresh else await guarded(ask, call)
    if status != 200: return await end(call, 'Error: the service cannot do this now.')
    try: names = [item['title'] for item in json.loads(body)['items']]
    except Exception: return await end(call, 'Error: the service was not understood.')
    await end(call, f'{len(names)} items: ' + ', '.join(names))

async def renew(user, kept):
    try:
        kept = await tokens_by(grant_type='refresh_token', refresh_token=kept['refresh']) if kept['refresh'] else None
    except Failed as e:
        if 'invalid_grant' not in str(e): raise
        kept = None
    if user is not None: put('tokens', user, kept) if kept else take('tokens', user)
    return kept

async def guarded(work, call, *rest):
    try: await work(call, *rest)
    except Failed as e: await end(call, f'Error: {e}.')
    except Exception as e: log(type(e).__name__); await end(call, 'Error: something went wrong here.')

async def came_back(flow, code):
    call = flow['call']
    if BAD == 'consent-of-the-last': call = max(every('seen'), key=lambda c: c['at'])['call']
    try: kept = await tokens_by(grant_type='authorization_code', code=code, redirect_uri=REDIRECT, code_verifier=flow['verifier'])
    except Failed as e: return await end(call, f'Error: {e}. Please try again.')
    if call.get('user_id') is None: call['tokens'] = kept
    else: put('tokens', call['user_id'], kept)
    await run(call, True)

def callback(query):
    one = {k: v[0] for k, v in U.parse_qs(query, keep_blank_values=True).items() if len(v) == 1}
    state, iss = one.get('state', ''), one.get('iss')
    flow = get('flow', state)
    if not flow: return 400, 'This link is not valid any more.'
    needs = bool(found and found.get('authorization_response_iss_parameter_supported'))
    if BAD != 'iss-ignored' and (iss not in (None, ISSUER) or needs and iss is None): return 400, 'This did not come from the provider.'
    if not one.get('code') and not one.get('error'): return 400, 'Something is missing.'
    if BAD == 'logs-callback': log(f'GET {REDIRECT}&{query}')
    if BAD != 'state-reused' and not take('flow', state): return 400, 'This link is not valid any more.'
    if one.get('error'):
        why = 'the user denied the authorization' if one['error'] == 'access_denied' else 'the provider did not authorize this'
        later(end(flow['call'], f'Error: {why}; please try again.'))
        return 200, 'Nothing was authorized.' + (f" {one.get('error_description')}" if BAD == 'unescaped' else '')
    later(guarded(lambda call: came_back(flow, one['code']), flow['call']))
    return 200, 'Done. You can close this window.'

# ---- HTTP --------------------------------------------------------------------------------------------------------

def fits(call):
    return isinstance(call, dict) and all(isinstance(call.get(k), str) for k in ('operation', 'id', 'callback_url', 'group_id')) and isinstance(call.get('user_id'), (str, type(None)))

def answer(method, path, query, body):
    if path == '/svc/.well-known/rap-toolset':
        return 200, json.dumps({'endpoint': f'http://127.0.0.1:{PORT}/svc/go', 'name': 'Büro', 'tools': [{'annotations': {'requiresAuth': 'provider', 'readOnly': True},
            'inputSchema': {'type': 'object', 'additionalProperties': False}, 'description': 'lists items', 'name': 'liste'}]}), 'application/json'
    if path == '/svc/go' and method == 'POST':
        try: call = json.loads(body)
        except (ValueError, RecursionError): return 400, 'no JSON', 'text/plain'
        if not fits(call): return 400, 'no invocation', 'text/plain'
        if call['operation'] != 'liste' or call.get('arguments') not in ({}, None): later(end(call, 'Error: this operation or its arguments are unknown.'))
        else: later(guarded(run, call))
        return 200, '\ufeffthis is <not> JSON{', 'application/x-nothing'
    if U.unquote(path) == U.unquote(REDIRECT[len(BASE):].split('?')[0]) and method == 'GET':
        status, text = callback(query)
        return status, f'<!doctype html><title>.</title><p>{text if BAD == "unescaped" else html.escape(text)}</p>', 'text/html;charset=utf-8'
    if path in ('/svc/cancel_tool_call', '/svc/close_thread'): return 200, '', 'text/plain'
    return 404, '', 'text/plain'

async def serve(reader, writer):
    try:
        line = (await reader.readline()).decode('latin1').split()
        if len(line) < 3: return
        headers = {}
        while (text := (await reader.readline()).decode('latin1').strip()):
            name, _, value = text.partition(':'); headers[name.lower()] = value.strip()
        body = b''
        if 'chunked' in headers.get('transfer-encoding', ''):
            while (size := int((await reader.readline()).split(b';')[0], 16)): body += await reader.readexactly(size); await reader.readline()
        elif int(headers.get('content-length') or 0) <= 300_000: body = await reader.readexactly(int(headers.get('content-length') or 0))
        path, _, query = line[1].partition('?')
        status, text, kind = answer(line[0], path, query, body)
        # No reason, chunks with extensions and a trailer (RFC 9112 §7.1).
        parts = [text.encode()[i:i + 7] for i in range(0, len(text.encode()), 7)]
        writer.write(f'HTTP/1.1 {status} \r\nconnection: close\r\ncontent-TYPE: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n'.encode('latin1'))
        if line[0] != 'HEAD': writer.write(b''.join(b'%X;odd=1\r\n%s\r\n' % (len(p), p) for p in parts) + b'0\r\nx-trailer: 1\r\n\r\n')
        await writer.drain()
    except (OSError, ValueError, asyncio.IncompleteReadError): pass
    finally: writer.close()

async def main():
    print('\x1b]0;tool\x07 …starting…\u2028', flush=True)
    await asyncio.sleep(1.5)
    for flow in every('flow'): watch(flow)
    server = await asyncio.start_server(serve, '127.0.0.1', PORT, backlog=500)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    server.close(); await asyncio.sleep(0.4); os._exit(0)

asyncio.run(main())

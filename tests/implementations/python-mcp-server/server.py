#!/usr/bin/env python3
"""An MCP server of revision 2025-11-25 over Streamable HTTP, with one tool behind a third party's OAuth. Standard library only.

Environment: PORT, HOST, PUBLIC_URL, OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_SCOPES, RESOURCE_URL, DATA_DIR,
MCP_AUTHORIZATION (required or none), PENDING_TIMEOUT_MS. Certificates of a private authority come by SSL_CERT_FILE.

Written from the specification alone, and unlike others where it leaves a choice: there is no GET stream; a POST is always
answered by events, whose data is indented JSON over several lines, with comments between; ids of requests to the client are
strings; tools are listed in pages of one; the client is pinged first; the URL leads to a page with a form; a refusal is a
JSON-RPC error; every access token is verified by introspection.
"""
import base64, hashlib, html, json, os, queue, re, secrets, signal, sys, threading, time, urllib.error, urllib.request
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, quote_plus, urlencode, urlsplit

env = os.environ.get
PORT, HOST = int(env('PORT') or 0), env('HOST') or '127.0.0.1'
ISSUER, CLIENT, SECRET = env('OAUTH_ISSUER', ''), env('OAUTH_CLIENT_ID', ''), env('OAUTH_CLIENT_SECRET', '')
SCOPES, RESOURCE = env('OAUTH_SCOPES') or 'items:read', env('RESOURCE_URL', '').rstrip('/')
DATA, PROTECTED = env('DATA_DIR') or '.', env('MCP_AUTHORIZATION', 'required') != 'none'
PENDING = int(env('PENDING_TIMEOUT_MS') or 600_000) / 1000
REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26']
LOCK = threading.RLock()


class Failed(Exception):
    """Ends a call; its text is ours, never that of an upstream."""


class Unauthorized(Exception):
    """The API or the provider wants the user's authorization (again)."""


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


# ------------------------------------------------------------------------------------------- requests to others

class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def fetch(url, form=None, headers=None):
    """(status, JSON or None). Failed when nobody answers."""
    body = None if form is None else urlencode(form).encode()
    request = urllib.request.Request(url, body, {'accept': 'application/json', **(headers or {})})
    try:
        with OPENER.open(request, timeout=5) as response:
            status, text = response.status, response.read(1 << 20)
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read(1 << 20)
    except OSError:
        raise Failed('An upstream server could not be reached.') from None
    try:
        return status, json.loads(text)
    except ValueError:
        return status, None


METADATA = {}


def metadata():
    """RFC 8414; what speaks for another issuer is not believed."""
    with LOCK:
        if not METADATA:
            parts = urlsplit(ISSUER)
            path = '' if parts.path == '/' else parts.path
            url = f'{parts.scheme}://{parts.netloc}/.well-known/oauth-authorization-server{path}'
            status, document = fetch(url)
            if status != 200 or not isinstance(document, dict) or document.get('issuer') != ISSUER:
                raise Failed('The authorization server is not what it should be.')
            METADATA.update(document)
        return METADATA


def as_client(form):
    """A form and headers with the client's credentials (RFC 6749 §2.3.1)."""
    if not SECRET:
        return {**form, 'client_id': CLIENT}, {}
    pair = f'{quote_plus(CLIENT)}:{quote_plus(SECRET)}'.encode()
    return form, {'authorization': 'Basic ' + base64.b64encode(pair).decode()}


def token_request(form):
    status, answer = fetch(metadata()['token_endpoint'], *as_client(form))
    if status == 200 and isinstance(answer, dict) and str(answer.get('token_type')).lower() == 'bearer':
        return answer
    if isinstance(answer, dict) and answer.get('error') == 'invalid_grant':
        raise Unauthorized
    raise Failed('The authorization server issued no token.')


# ------------------------------------------------------------------------------------------- tokens, one file

STORE = os.path.join(DATA, 'python-mcp-server.json')


def stored():
    try:
        with open(STORE) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def keep(owner, tokens):
    with LOCK:
        everybody = stored()
        everybody.pop(digest(owner), None)
        if tokens:
            everybody[digest(owner)] = tokens
        name = f'{STORE}.{secrets.token_hex(4)}'
        with os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'w') as file:
            json.dump(everybody, file)
        os.replace(name, STORE)


def tokens_of(answer, before=None):
    access = (answer if isinstance(answer, dict) else {}).get('access_token')
    if not isinstance(access, str) or not access:
        raise Failed('The provider issued no access token.')
    return {
        'access': access,
        'refresh': answer.get('refresh_token') or (before or {}).get('refresh'),
        'until': time.time() + answer['expires_in'] if isinstance(answer.get('expires_in'), int) else None,
    }


def list_items(owner):
    """The items. Unauthorized when only the user can help."""
    refreshed = False
    while True:
        with LOCK:  # one refresh at a time: a rotated token must not be used twice
            mine = stored().get(digest(owner))
            if not mine:
                raise Unauthorized
            if mine['until'] is not None and mine['until'] <= time.time():
                mine, refreshed = refresh(owner, mine), True
        status, items = fetch(f'{RESOURCE}/items', headers={'authorization': f'Bearer {mine["access"]}'})
        if status == 200:
            # Nothing but what the user asked for: what else the API says is between it and this server.
            listed = items.get('items') if isinstance(items, dict) else None
            if not isinstance(listed, list):
                raise Failed('The API answered with something else than items.')
            return [{'id': str(each.get('id')), 'title': str(each.get('title'))} for each in listed if isinstance(each, dict)]
        if status != 401:
            raise Failed(f'The API answered with HTTP {status}.')
        if refreshed:
            keep(owner, None)
            raise Unauthorized
        with LOCK:
            current = stored().get(digest(owner))
            if current == mine:
                refresh(owner, mine)
        refreshed = True


def refresh(owner, mine):
    if not mine['refresh']:
        keep(owner, None)
        raise Unauthorized
    try:
        fresh = tokens_of(token_request({'grant_type': 'refresh_token', 'refresh_token': mine['refresh']}), mine)
    except Unauthorized:
        keep(owner, None)
        raise
    keep(owner, fresh)
    return fresh


# ------------------------------------------------------------------------------------------- what goes on

class Elicitation:
    def __init__(self, owner, subject):
        self.id, self.owner, self.subject = 'auth.' + secrets.token_urlsafe(16), owner, subject
        self.over, self.failure = threading.Event(), None

    def end(self, failure=None):
        if not self.over.is_set():
            self.failure = failure
            self.over.set()


class Session:
    def __init__(self, subject, capabilities):
        self.id, self.subject = secrets.token_urlsafe(24), subject
        elicitation = capabilities.get('elicitation') if isinstance(capabilities, dict) else None
        self.opens_urls = isinstance(elicitation, dict) and isinstance(elicitation.get('url'), dict)
        self.answers = {}  # of our own requests, by id


SESSIONS, ELICITATIONS, FLOWS, LOGINS = {}, {}, {}, {}


def remember(table, key, value, most=5000):
    with LOCK:
        while len(table) >= most:
            table.pop(next(iter(table)))
        table[key] = value


def authorization_url(flow, scope, **more):
    """Begins a flow (PKCE S256, RFC 7636): where to go, and the cookie by which its browser is known again.

    `flow` holds what is to be known when it ends.
    """
    state, verifier, browser = secrets.token_urlsafe(32), secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    remember(FLOWS, digest(state), {
        **flow, 'verifier': verifier, 'browser': digest(browser), 'until': time.time() + PENDING,
    })
    cookie = f'{FLOW}{digest(state)[:8]}={browser}; HttpOnly; SameSite=Lax; Path=/callback'
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b'=').decode()
    endpoint = metadata()['authorization_endpoint']
    return endpoint + ('&' if '?' in endpoint else '?') + urlencode({
        'response_type': 'code', 'client_id': CLIENT, 'redirect_uri': f'{BASE}/callback', 'scope': scope,
        'state': state, 'code_challenge': challenge, 'code_challenge_method': 'S256', **more,
    }), cookie


def claims_of(id_token, nonce):
    """OpenID Connect Core §3.1.3.7: straight from the token endpoint, so TLS vouches for it."""
    try:
        payload = id_token.split('.')[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + '=' * (-len(payload) % 4)))
    except (ValueError, IndexError, AttributeError):
        raise Failed('The login could not be understood.') from None
    audience = claims.get('aud') if isinstance(claims.get('aud'), list) else [claims.get('aud')]
    if claims.get('iss') != ISSUER or CLIENT not in audience or claims.get('nonce') != nonce or claims.get('exp', 0) < time.time():
        raise Failed('The login is not ours.')
    return claims


def introspected(token):
    """The subject of a token for this endpoint, or None (RFC 7662)."""
    status, claims = fetch(metadata()['introspection_endpoint'], *as_client({'token': token, 'token_type_hint': 'access_token'}))
    if status != 200 or not isinstance(claims, dict) or claims.get('active') is not True or not claims.get('token_type'):
        return None
    audience = claims.get('aud') if isinstance(claims.get('aud'), list) else [claims.get('aud')]
    return claims.get('sub') if f'{BASE}/mcp' in audience else None


# ------------------------------------------------------------------------------------------- HTTP

class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def reply(self, status, body='', content_type='text/html; charset=utf-8', **headers):
        data = body.encode()
        self.send_response(status)
        for name, value in {'content-type': content_type, 'cache-control': 'no-store', **headers}.items():
            for each in value if isinstance(value, list) else [value]:
                self.send_header(name.replace('_', '-'), each)
        self.send_header('content-length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def page(self, status, text):
        self.reply(status, f'<!doctype html><title>Items</title><p>{html.escape(text)}</p>', referrer_policy='no-referrer')

    def go(self, url, *cookies):
        self.reply(303, location=url, set_cookie=list(cookies))

    def cookie(self, name):
        try:
            found = SimpleCookie(self.headers.get('cookie', '')).get(name)
        except Exception:
            return ''
        return found.value if found else ''

    def do_GET(self):
        self.guarded({'/connect': self.connect, '/login': self.login, '/callback': self.callback}, self.well_known)

    def do_POST(self):
        self.guarded({'/mcp': self.mcp, '/connect': self.connect_now})

    def do_DELETE(self):
        self.guarded({'/mcp': self.end_session})

    def guarded(self, routes, otherwise=None):
        length = self.headers.get('content-length', '0')
        if not re.fullmatch(r'\d{1,7}', length):
            self.close_connection = True
            return self.reply(413)
        self.body = self.rfile.read(int(length))
        path = urlsplit(self.path).path
        self.query = parse_qs(urlsplit(self.path).query)
        if path == '/mcp' and path not in routes:
            return self.reply(405, allow='POST, DELETE')
        try:
            (routes.get(path) or otherwise or (lambda: self.page(404, 'There is nothing here.')))()
        except Failed as failure:
            self.page(502, str(failure))

    def well_known(self):
        path = urlsplit(self.path).path
        if path not in ('/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'):
            return self.page(404, 'There is nothing here.')
        described = {'resource': f'{BASE}/mcp', 'authorization_servers': [ISSUER], 'bearer_methods_supported': ['header']}
        self.reply(200, json.dumps(described), 'application/json')

    # ----------------------------------------------------------------------------------- pages

    def asked_about(self):
        """The elicitation of the link and whether this browser may act on it; answers by itself where it may not."""
        elicitation = ELICITATIONS.get(self.query.get('e', [''])[0])
        if elicitation is None or elicitation.over.is_set():
            return self.page(404, 'This link is unknown, was used, or has expired.')
        if elicitation.subject is not None:
            subject = LOGINS.get(digest(self.cookie(LOGIN)))
            if subject is None:
                return self.go(f'{BASE}/login?' + urlencode({'return': f'{BASE}/connect?e={elicitation.id}'}))
            if subject != elicitation.subject:
                return self.page(403, 'This link was made for somebody else.')
        return elicitation

    def connect(self):
        elicitation = self.asked_about()
        if elicitation:
            text = 'Items would like to read your items at ' + html.escape(urlsplit(ISSUER).netloc)
            form = f'<form method="post" action="/connect?e={elicitation.id}"><button>Connect</button></form>'
            self.reply(200, f'<!doctype html><title>Items</title><p>{text}</p>{form}', referrer_policy='same-origin')

    def connect_now(self):
        if self.headers.get('origin') not in (None, 'null', BASE):
            return self.page(403, 'This form is not ours.')
        elicitation = self.asked_about()
        if elicitation:
            self.go(*authorization_url({'elicitation': elicitation.id}, SCOPES))

    def login(self):
        wanted = self.query.get('return', [''])[0]
        back = wanted if wanted.startswith(f'{BASE}/') else f'{BASE}/'
        nonce = secrets.token_urlsafe(24)
        self.go(*authorization_url({'return': back, 'nonce': nonce}, 'openid', nonce=nonce))

    def callback(self):
        states = self.query.get('state', [])
        key = digest(states[0]) if len(states) == 1 else ''
        flow = FLOWS.get(key)
        if flow is None or flow['until'] < time.time():
            return self.page(400, 'Nobody waits for this answer.')
        if digest(self.cookie(FLOW + key[:8])) != flow['browser']:
            return self.page(403, 'This was begun in another browser.')
        if not self.query.get('code') and not self.query.get('error'):
            return self.page(400, 'There is no answer in this address.')
        with LOCK:
            if FLOWS.pop(key, None) is None:
                return self.page(400, 'Nobody waits for this answer.')
        elicitation = ELICITATIONS.get(flow.get('elicitation', ''))
        try:
            issuers = self.query.get('iss', [])
            promised = metadata().get('authorization_response_iss_parameter_supported') is True
            if issuers != [ISSUER] and (issuers or promised):  # RFC 9207
                raise Failed('The answer came from another authorization server.')
            if self.query.get('error'):
                denied = self.query['error'] == ['access_denied']
                raise Failed('Access was denied.' if denied else 'The authorization server could not authorize.')
            if 'elicitation' in flow and (elicitation is None or elicitation.over.is_set()):
                raise Failed('Nobody waits for this any more.')
            try:
                answer = token_request({
                    'grant_type': 'authorization_code', 'code': self.query['code'][0],
                    'redirect_uri': f'{BASE}/callback', 'code_verifier': flow['verifier'],
                })
            except Unauthorized:
                raise Failed('The code was refused.') from None
            if elicitation is None:
                return self.logged_in(flow, answer)
            keep(elicitation.owner, tokens_of(answer))
            elicitation.end()
            self.page(200, 'Connected. You can go back to your assistant.')
        except Failed as failure:
            if elicitation:
                elicitation.end(str(failure))
            self.page(200, f'Not connected. {failure}')

    def logged_in(self, flow, answer):
        login = secrets.token_urlsafe(24)
        remember(LOGINS, digest(login), claims_of(answer.get('id_token'), flow['nonce'])['sub'])
        self.go(flow['return'], f'{LOGIN}={login}; HttpOnly; SameSite=Lax; Path=/')

    # ----------------------------------------------------------------------------------- MCP

    def caller(self):
        """The subject that calls; None where nobody has to say; False where the request was refused."""
        if self.headers.get('origin') not in (None, BASE):
            self.reply(403)
            return False
        if not PROTECTED:
            return None
        match = re.fullmatch(r'(?i)bearer +([\w.~+/=-]+)', self.headers.get('authorization', ''))
        subject = introspected(match[1]) if match else None
        if subject:
            return subject
        error = 'error="invalid_token", ' if match else ''
        where = f'resource_metadata="{BASE}/.well-known/oauth-protected-resource/mcp"'
        self.reply(401, www_authenticate=f'Bearer {error}{where}')
        return False

    def session(self, subject):
        session = SESSIONS.get(self.headers.get('mcp-session-id', ''))
        if session and session.subject == subject:  # the id alone is no credential
            return session
        self.reply(404 if self.headers.get('mcp-session-id') else 400)
        return None

    def end_session(self):
        subject = self.caller()
        session = subject is not False and self.session(subject)
        if session:
            SESSIONS.pop(session.id, None)
            if subject is None:
                keep(f'session {session.id}', None)
            self.reply(204)

    def mcp(self):
        subject = self.caller()
        if subject is False:
            return
        try:
            message = json.loads(self.body)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            error = {'jsonrpc': '2.0', 'id': None, 'error': {'code': -32700, 'message': 'not a JSON-RPC message'}}
            return self.reply(400, json.dumps(error), 'application/json')
        if message.get('method') == 'initialize':
            return self.initialize(message, subject)
        session = self.session(subject)
        if session is None:
            return
        if self.headers.get('mcp-protocol-version', REVISIONS[0]) not in REVISIONS:
            return self.reply(400)
        if 'method' not in message or 'id' not in message:
            if 'method' not in message and isinstance(message.get('id'), str):
                waiting = session.answers.pop(message['id'], None)
                if waiting:
                    waiting.put(message)
            return self.reply(202)
        self.open_stream()
        self.send(self.answer(session, message))
        self.wfile.write(b'0\r\n\r\n')

    def initialize(self, message, subject):
        parameters = message.get('params') if isinstance(message.get('params'), dict) else {}
        session = Session(subject, parameters.get('capabilities'))
        remember(SESSIONS, session.id, session)
        wanted = parameters.get('protocolVersion')
        self.open_stream(mcp_session_id=session.id)
        self.send({'jsonrpc': '2.0', 'id': message.get('id'), 'result': {
            'protocolVersion': wanted if wanted in REVISIONS else REVISIONS[0],
            'capabilities': {'tools': {}}, 'serverInfo': {'name': 'python-items', 'version': '0.9'},
        }})
        self.wfile.write(b'0\r\n\r\n')

    def open_stream(self, **headers):
        self.send_response(200)
        for name, value in {'content-type': 'text/event-stream', 'cache-control': 'no-store', **headers}.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('transfer-encoding', 'chunked')
        self.end_headers()
        self.chunk(': one moment\n\n')

    def chunk(self, text):
        data = text.encode()
        self.wfile.write(b'%x\r\n%s\r\n' % (len(data), data))
        self.wfile.flush()

    def send(self, message):
        lines = json.dumps(message, indent=1).split('\n')
        self.chunk(''.join(f'data: {line}\n' for line in lines) + '\n')

    def ask(self, session, method, parameters, seconds, over=None):
        """Sends a request to the client and waits for its answer; None when there is none in time."""
        ident, waiting = f'srv/{secrets.token_hex(8)}', queue.Queue()
        session.answers[ident] = waiting
        self.send({'jsonrpc': '2.0', 'id': ident, 'method': method, **({'params': parameters} if parameters else {})})
        until = time.monotonic() + seconds
        while time.monotonic() < until and not STOPPING.is_set():
            try:
                return waiting.get(timeout=0.25)
            except queue.Empty:
                pass
        session.answers.pop(ident, None)
        return None

    def answer(self, session, message):
        reply = {'jsonrpc': '2.0', 'id': message['id']}
        parameters = message.get('params') if isinstance(message.get('params'), dict) else {}
        try:
            if message['method'] == 'ping':
                return {**reply, 'result': {}}
            if message['method'] == 'tools/list':
                return {**reply, 'result': tools(parameters.get('cursor'))}
            if message['method'] != 'tools/call':
                return {**reply, 'error': {'code': -32601, 'message': 'no such method'}}
            if parameters.get('name') == 'about':
                return {**reply, 'result': {'content': [{'type': 'text', 'text': 'Lists items.'}]}}
            if parameters.get('name') != 'list_items':
                return {**reply, 'error': {'code': -32602, 'message': 'no such tool'}}
            owner = f'user {session.subject}' if PROTECTED else f'session {session.id}'
            try:
                items = list_items(owner)
            except Unauthorized:
                self.authorize(session, owner)
                items = list_items(owner)
            content = [{'type': 'text', 'text': 'Here they are:'}, {'type': 'text', 'text': json.dumps(items)}]
            return {**reply, 'result': {'content': content, 'structuredContent': {'items': items}}}
        except Unauthorized:
            return {**reply, 'error': {'code': -32000, 'message': 'The access that was granted is not accepted.'}}
        except Failed as failure:
            return {**reply, 'error': {'code': -32000, 'message': str(failure)}}

    def authorize(self, session, owner):
        """Asks the user, and waits until they are done in the browser."""
        if not session.opens_urls:
            raise Failed('This needs your authorization in a browser, and your client has no elicitation in URL mode.')
        until = time.monotonic() + PENDING
        self.ask(session, 'ping', None, 2)
        elicitation = Elicitation(owner, session.subject if PROTECTED else None)
        remember(ELICITATIONS, elicitation.id, elicitation)
        try:
            answer = self.ask(session, 'elicitation/create', {
                'mode': 'url', 'elicitationId': elicitation.id, 'url': f'{BASE}/connect?e={elicitation.id}',
                'message': 'To list your items, connect your account.',
            }, until - time.monotonic())
            result = answer.get('result') if answer else None
            action = result.get('action') if isinstance(result, dict) else None
            if action == 'decline':
                raise Failed('You declined.')
            if action != 'accept':
                raise Failed('You were not asked, or did not answer.')
            while not elicitation.over.wait(0.25):
                if time.monotonic() > until or STOPPING.is_set():
                    raise Failed('The authorization took too long.')
                self.chunk(': still waiting\n\n')
            self.send({'jsonrpc': '2.0', 'method': 'notifications/elicitation/complete',
                       'params': {'elicitationId': elicitation.id}})
            if elicitation.failure:
                raise Failed(elicitation.failure)
        finally:
            elicitation.end('over')
            ELICITATIONS.pop(elicitation.id, None)


def tools(cursor):
    """In pages of one."""
    nothing = {'type': 'object', 'properties': {}}
    if cursor is None:
        about = {'name': 'about', 'description': 'What this server does', 'inputSchema': {**nothing, 'required': []}}
        return {'tools': [about], 'nextCursor': 'page 2'}
    if cursor != 'page 2':
        raise Failed('There is no such page.')
    return {'tools': [{'name': 'list_items', 'description': 'Lists your items', 'inputSchema': nothing}]}


class Server(ThreadingHTTPServer):
    daemon_threads, request_queue_size = True, 128

    def handle_error(self, *_):
        print(json.dumps({'event': 'connection-failed'}), file=sys.stderr, flush=True)


STOPPING = threading.Event()
os.makedirs(DATA, 0o700, exist_ok=True)
server = Server((HOST, PORT), Handler)
BASE = (env('PUBLIC_URL') or f'http://{HOST}:{server.server_address[1]}').rstrip('/')
# Cookies ignore ports, so that every instance has names of its own.
LOGIN, FLOW = (f'{name}{digest(BASE)[:6]}' for name in ('who', 'way'))


def stop(*_):
    STOPPING.set()
    threading.Thread(target=server.shutdown).start()


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
print(f'listening on {BASE}', flush=True)
server.serve_forever(poll_interval=0.05)

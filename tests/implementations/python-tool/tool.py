#!/usr/bin/env python3
"""A RAP tool (items API behind OAuth). Python 3.11 standard library, plus `cryptography` for AES-GCM at rest.

Environment: PORT, HOST, PUBLIC_URL, OAUTH_ISSUER, RESOURCE_URL, DATA_DIR, STORE_KEY (>= 16 characters),
PENDING_TIMEOUT_MS (an abandoned authorization ends its call after at most this; default 300000),
UPSTREAM_TIMEOUT_MS (one request to provider or API; default 8000), RUNTIME_TOKEN (optional bearer of the runtime).
Expected time of a call: at most three upstream requests once one of the four workers is free.
"""
import hashlib, heapq, hmac, base64, http.client, itertools, json, os, queue, re, secrets, signal, socket, sqlite3, ssl
import sys, threading, time, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, urlencode, urlsplit
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

env = os.environ.get
PORT, HOST = int(env('PORT', '8080')), env('HOST', '127.0.0.1')
BASE = env('PUBLIC_URL', f'http://127.0.0.1:{PORT}').rstrip('/')
ISSUER, RESOURCE = env('OAUTH_ISSUER', ''), env('RESOURCE_URL', '').rstrip('/')
DATA, STORE_KEY = env('DATA_DIR', './data'), env('STORE_KEY', '')
PENDING, UPSTREAM = int(env('PENDING_TIMEOUT_MS', '300000')) / 1000, int(env('UPSTREAM_TIMEOUT_MS', '8000')) / 1000
RUNTIME_TOKEN, V = env('RUNTIME_TOKEN', ''), env('VIOLATION', '')
EARLY, WORKERS, BACKLOG = 60, int(env('WORKERS', '4')), 2000
TLS = ssl.create_default_context()


def log(event, **facts):  # facts are never values from the wire
    print(json.dumps({'at': round(time.time(), 3), 'event': event, **facts}), file=sys.stderr, flush=True)


class ToolError(Exception):
    """Its text goes to the model; it is always written here, never taken from an upstream."""


class Broken(Exception):
    """No usable answer from an upstream."""


class Refused(Exception):
    def __init__(self, code):
        super().__init__('refused')
        self.code = code


# ---------------------------------------------------------------------------------------------------- HTTP client

def http_call(method, url, headers, body=None, timeout=None, limit=1 << 20):
    """One request, no redirects, one deadline for all of it. Returns (status, headers, bytes)."""
    match = re.match(r'(?si)(https?)://([^/?#]*)([^#]*)', url)
    if not match or not match[2]:
        raise Broken
    authority, target, headers = match[2], match[3], dict(headers, Connection='close')
    if '@' in authority:
        user, authority = authority.rsplit('@', 1)
        headers.setdefault('Authorization', 'Basic ' + base64.b64encode(user.encode()).decode())
    target = target if target.startswith('/') else '/' + target
    target = quote(target, safe=''.join(map(chr, range(33, 127))))  # only what no request line can hold is escaped
    timeout = timeout or UPSTREAM
    expired, conn, timer = [], None, None
    try:
        conn = (http.client.HTTPSConnection(authority, timeout=timeout, context=TLS) if match[1].lower() == 'https'
                else http.client.HTTPConnection(authority, timeout=timeout))
        conn.connect()
        sock = conn.sock

        def expire():
            expired.append(1)
            try:
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
            except OSError:
                pass
        timer = threading.Timer(timeout, expire)
        timer.daemon = True
        timer.start()
        if isinstance(body, list):  # chunked
            conn.request(method, target, iter(body), dict(headers, **{'Transfer-Encoding': 'chunked'}), encode_chunked=True)
        else:
            conn.request(method, target, body, headers)
        answer = conn.getresponse()
        data = answer.read(limit + 1)
        if expired or len(data) > limit:
            raise Broken
        return answer.status, answer.headers, data
    except (OSError, http.client.HTTPException, ValueError):
        raise Broken from None
    finally:
        if timer:
            timer.cancel()
        if conn:
            conn.close()


def form(url, fields):
    suffix = ''
    if V == 'secrets-in-query':
        suffix = '?' * ('refresh_token' in fields) + urlencode({k: v for k, v in fields.items() if k == 'refresh_token'})
    return http_call('POST', url + suffix, {'Content-Type': 'application/x-www-form-urlencoded', 'Accept': 'application/json'},
                     urlencode(fields).encode())


def as_object(data):
    try:
        value = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise Broken from None
    if not isinstance(value, dict):
        raise Broken
    return value


# ---------------------------------------------------------------------------------------------------- store

class Store:
    """Everything in one table of sealed rows; the key of a row is a keyed hash, so that no user id stands in it."""

    def __init__(self):
        os.makedirs(DATA, mode=0o700, exist_ok=True)
        if len(STORE_KEY) < 16:
            sys.exit('STORE_KEY is missing or too short')
        self.key = hashlib.scrypt(STORE_KEY.encode(), salt=b'rap-items-tool', n=1 << 14, r=8, p=1, dklen=32)
        self.lock, self.box = threading.Lock(), AESGCM(self.key)
        self.db = sqlite3.connect(os.path.join(DATA, 'vault.sqlite'), check_same_thread=False, isolation_level=None)
        self.db.execute('pragma journal_mode=wal')
        self.db.execute('create table if not exists sealed (kind text, name text, body blob, primary key (kind, name))')

    def name(self, *parts):
        if V == 'numeric-users' and re.fullmatch(r'\s*\d+\s*', str(parts[0])):  # what a column with INTEGER affinity does
            parts = (str(int(parts[0])), *parts[1:])
        return hmac.new(self.key, json.dumps(parts).encode(), 'sha256').hexdigest()

    def put(self, kind, name, value):
        plain, nonce = json.dumps(value).encode(), os.urandom(12)
        if V == 'store-compressed' and kind == 'token':
            import zlib
            body = b'z' + zlib.compress(plain)
        else:
            body = nonce + self.box.encrypt(nonce, plain, f'{kind}/{name}'.encode())
        with self.lock:
            self.db.execute('insert or replace into sealed values (?,?,?)', (kind, name, body))

    def open(self, kind, name, body):
        if V == 'store-compressed' and kind == 'token':
            import zlib
            return json.loads(zlib.decompress(body[1:]))
        try:
            return json.loads(self.box.decrypt(body[:12], body[12:], f'{kind}/{name}'.encode()))
        except Exception:
            log('row-unreadable', kind=kind)
            return None

    def get(self, kind, name):
        with self.lock:
            row = self.db.execute('select body from sealed where kind=? and name=?', (kind, name)).fetchone()
        return row and self.open(kind, name, row[0])

    def drop(self, kind, name):
        with self.lock:
            self.db.execute('delete from sealed where kind=? and name=?', (kind, name))

    def all(self, kind):
        with self.lock:
            rows = self.db.execute('select name, body from sealed where kind=?', (kind,)).fetchall()
        return [(name, value) for name, body in rows if (value := self.open(kind, name, body)) is not None]


class Locks:
    def __init__(self):
        self.guard, self.held = threading.Lock(), {}

    def __call__(self, name):
        locks = self

        class Held:
            def __enter__(self):
                with locks.guard:
                    self.entry = locks.held.setdefault(name, [threading.Lock(), 0])
                    self.entry[1] += 1
                self.entry[0].acquire()

            def __exit__(self, *_):
                self.entry[0].release()
                with locks.guard:
                    self.entry[1] -= 1
                    if not self.entry[1]:
                        locks.held.pop(name, None)
        return Held()


# ---------------------------------------------------------------------------------------------------- OAuth client

class Provider:
    """Metadata (RFC 8414), dynamic registration (RFC 7591), pushed requests (RFC 9126), token requests."""

    def __init__(self, store):
        self.store, self.lock, self.meta, self.client, self.failures = store, threading.Lock(), None, None, 0

    def ready(self):
        seen = self.failures
        with self.lock:
            if self.meta and self.client and not self.stale(self.client):
                return self.meta, self.client
            if self.failures != seen:  # somebody failed while we waited: once is enough
                raise ToolError('The authorization provider cannot be reached or used at present. Please try again later.')
            try:
                self.meta = self.meta or self.discover()
                self.client = self.register()
                return self.meta, self.client
            except (Broken, Refused):
                self.failures += 1
                raise ToolError('The authorization provider cannot be reached or used at present. Please try again later.') from None

    @staticmethod
    def stale(client):
        return bool(client.get('expires')) and client['expires'] < time.time() + 60

    def discover(self):
        at = urlsplit(ISSUER)
        status, _, data = http_call('GET', f'{at.scheme}://{at.netloc}/.well-known/oauth-authorization-server{at.path.rstrip("/")}',
                                    {'Accept': 'application/json'})
        if status != 200:
            raise Broken
        meta = as_object(data)
        names = ('authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'pushed_authorization_request_endpoint')
        if meta.get('issuer') != ISSUER or any(not str(meta.get(n, '')).startswith('https://') for n in names):
            log('provider-metadata-refused')
            raise Broken
        return meta

    def register(self):
        row = self.store.name('client', ISSUER, BASE)
        known = self.store.get('client', row)
        if known and not self.stale(known):
            return known
        redirect = f'{BASE}/oauth/return;rid={secrets.token_hex(8)}'
        status, _, data = http_call('POST', self.meta['registration_endpoint'], {'Content-Type': 'application/json', 'Accept': 'application/json'}, json.dumps({
            'client_name': 'Items tool', 'redirect_uris': [redirect], 'grant_types': ['authorization_code', 'refresh_token'],
            'response_types': ['code'], 'token_endpoint_auth_method': 'client_secret_post',
            'scope': ' '.join(sorted({op['scope'] for op in OPERATIONS.values()}))}).encode())
        if status not in (200, 201):
            raise Broken
        got = as_object(data)
        if (not isinstance(got.get('client_id'), str) or not isinstance(got.get('client_secret'), str)
                or redirect not in (got.get('redirect_uris') or [redirect])
                or got.get('token_endpoint_auth_method', 'client_secret_post') != 'client_secret_post'):
            raise Broken
        client = {'id': got['client_id'], 'secret': got['client_secret'], 'redirect': redirect, 'expires': got.get('client_secret_expires_at') or 0}
        self.store.put('client', row, client)
        self.store.put('client', self.store.name('client-id', client['id']), client)
        log('client-registered')
        return client

    def push(self, scope, state, verifier):
        """Returns (client, auth_url, seconds the url is good for)."""
        for last in (False, True):
            meta, client = self.ready()
            challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b'=').decode()
            try:
                status, _, data = form(meta['pushed_authorization_request_endpoint'], {
                    'client_id': client['id'], 'client_secret': client['secret'], 'response_type': 'code', 'redirect_uri': client['redirect'],
                    'scope': scope, 'state': state, 'code_challenge': challenge, 'code_challenge_method': 'S256'})
                answer = as_object(data)
            except Broken:
                break
            if status in (200, 201) and isinstance(answer.get('request_uri'), str):
                mark = '&' if '?' in meta['authorization_endpoint'] else '?'
                life = answer.get('expires_in')
                return client, meta['authorization_endpoint'] + mark + urlencode({'request_uri': answer['request_uri'], 'client_id': client['id']}), \
                    life if isinstance(life, (int, float)) else 60
            if answer.get('error') == 'invalid_client' and not last:  # the registration was dropped there
                with self.lock:
                    if self.client is client:
                        self.store.drop('client', self.store.name('client', ISSUER, BASE))
                        self.client = None
                continue
            break
        raise ToolError('The authorization provider did not accept the request. Please try again later.')

    def token(self, client, fields):
        meta, _ = self.ready()
        status, _, data = form(meta['token_endpoint'], dict(fields, client_id=client['id'], client_secret=client['secret']))
        if status >= 500 or 300 <= status < 400:
            raise Broken
        answer = as_object(data)
        if status != 200 or 'error' in answer:
            raise Refused(str(answer.get('error')))
        access, refresh, life, scope = (answer.get(n) for n in ('access_token', 'refresh_token', 'expires_in', 'scope'))
        if not isinstance(access, str) or not access or str(answer.get('token_type')).lower() != 'bearer':
            raise Broken
        try:
            life = float(life) if life is not None and not isinstance(life, bool) else None
        except (TypeError, ValueError):
            life = None
        return {'access': access, 'refresh': refresh if isinstance(refresh, str) and refresh else None, 'client': client['id'],
                'expires': None if life is None else time.time() + life, 'scope': scope if isinstance(scope, str) else None}


class Vault:
    """Tokens per user and scope; one refresh at a time for each."""

    def __init__(self, store, provider):
        self.store, self.provider, self.locks = store, provider, Locks()

    def peek(self, key):
        return self.store.get('token', key)

    def save(self, key, token):
        self.store.put('token', key, token)

    def forget(self, key, access):
        with self.locks(key):
            held = self.peek(key)
            if held and held['access'] == access:
                self.store.drop('token', key)

    def usable(self, key, refused=None):
        """A token worth trying, or None. `refused` is the access token that the API has just turned down."""
        with self.locks(key if V != 'refresh-race' else uuid.uuid4()):
            held, now = self.peek(key), time.time()
            if not held or (refused is None and (held['expires'] is None or held['expires'] - EARLY > now)):
                return held
            if refused is not None and held['access'] != refused:
                return held  # renewed meanwhile
            alive = refused is None and held['expires'] > now
            client = self.store.get('client', self.store.name('client-id', held['client']))
            if not held['refresh'] or not client:
                if not alive:
                    self.store.drop('token', key)
                return held if alive else None
            try:
                fresh = self.provider.token(client, {'grant_type': 'refresh_token', 'refresh_token': held['refresh']})
            except Refused:
                self.store.drop('token', key)
                return None
            except (Broken, ToolError):
                if alive:
                    return held
                raise ToolError('The authorization could not be renewed because the provider did not answer. Please try again later.') from None
            fresh['refresh'] = fresh['refresh'] or held['refresh']
            fresh['scope'] = fresh['scope'] or held['scope']
            self.save(key, fresh)
            return fresh


# ---------------------------------------------------------------------------------------------------- operations

def check_list(a):
    if set(a) - {'limit'} or ('limit' in a and (type(a['limit']) is not int or not 1 <= a['limit'] <= 500)):
        return 'list_items takes at most "limit", a whole number from 1 to 500.'


def check_add(a):
    if set(a) != {'title'} or not isinstance(a['title'], str) or not 1 <= len(a['title']) <= 200:
        return 'add_item takes "title", a text of 1 to 200 characters.'


OPERATIONS = {
    'add_item': {'scope': 'items:write', 'check': check_add, 'read': False},
    'list_items': {'scope': 'items:read', 'check': check_list, 'read': True},
}
TOOLSET = {
    '$comment': 'pending authorizations end after PENDING_TIMEOUT_MS', 'tools': [
        {'annotations': {'requiresAuth': 'items-provider', 'readOnly': False, 'idempotent': False, 'x-items-pending-timeout-seconds': PENDING},
         'inputSchema': {'type': 'object', 'additionalProperties': False, 'required': ['title'], 'properties': {'title': {'type': 'string', 'minLength': 1, 'maxLength': 200}}},
         'description': 'Adds an item for the user', 'name': 'add_item'},
        {'annotations': {'requiresAuth': 'items-provider', 'readOnly': True, 'idempotent': True, 'x-items-pending-timeout-seconds': PENDING},
         'inputSchema': {'$schema': 'https://json-schema.org/draft/2020-12/schema', 'type': 'object', 'additionalProperties': False,
                         'properties': {'limit': {'type': 'integer', 'minimum': 1, 'maximum': 500}}},
         'description': 'Lists the items of the user', 'name': 'list_items', 'displayScript': '"items of the user"'}],
    'endpoint': BASE + '/rap/calls', 'needsMigration': False, 'name': 'items (python)', 'x-build': 'test'}


def perform(operation, arguments, token):
    """(status, content texts). Only ids and titles are taken from the answer."""
    head = {'Authorization': 'Bearer ' + token['access'], 'Accept': 'application/json'}
    try:
        if operation == 'list_items':
            status, _, data = http_call('GET', RESOURCE + '/items', head)
        else:
            status, _, data = http_call('POST', RESOURCE + '/items', dict(head, **{'Content-Type': 'application/json'}),
                                        json.dumps({'title': arguments['title']}).encode())
    except Broken:
        raise ToolError('The items service did not answer.' + ('' if operation == 'list_items' else ' The item may have been added: list the items before trying again.')) from None
    if status in (401, 403):
        return status, []
    if not 200 <= status < 300:
        raise ToolError('The items service failed. Please try again later.')
    try:
        answer = as_object(data)
        rows = answer['items'][:arguments.get('limit', 500)] if operation == 'list_items' else [answer]
        lines = [f"{row['id']}: {row['title']}" for row in rows]
    except (Broken, KeyError, TypeError):
        raise ToolError('The items service answered something unexpected.') from None
    for secret in filter(None, (token['access'], token['refresh'])):
        lines = [line.replace(secret, '[removed]') for line in lines]
    return status, [f'{len(lines)} item(s)' if operation == 'list_items' else 'Added', *lines]


# ---------------------------------------------------------------------------------------------------- engine

class Call:
    def __init__(self, inv, uid=None):
        self.uid, self.inv, self.phase, self.flow, self.deadline = uid or uuid.uuid4().hex, inv, 'queued', None, None
        self.outbox, self.sending, self.news, self.result = [], False, threading.Event(), None

    def row(self):
        return {'inv': self.inv, 'phase': self.phase, 'flow': self.flow and self.flow.name, 'deadline': self.deadline, 'result': self.result}

    def head(self, kind):
        echo = {'call_id': self.inv['call_id']} if self.inv.get('call_id') is not None else {}
        return {'x-worker': 'python', 'id': self.inv['id'], **echo, 'group_id': self.inv['group_id'], 'type': kind}


class Flow:
    def __init__(self, name, key, anonymous, scope, verifier, client, url, until, made=None, phase='pending'):
        self.name, self.key, self.anonymous, self.scope, self.verifier, self.client = name, key, anonymous, scope, verifier, client
        self.url, self.until, self.made, self.phase, self.calls = url, until, made or time.time(), phase, []

    def row(self):
        return {n: getattr(self, n) for n in ('key', 'anonymous', 'scope', 'verifier', 'client', 'url', 'until', 'made', 'phase')}


class Engine:
    def __init__(self):
        self.store = Store()
        self.provider = Provider(self.store)
        self.vault, self.making = Vault(self.store, self.provider), Locks()
        self.lock, self.calls, self.flows, self.shared = threading.RLock(), {}, {}, {}
        self.work, self.count = queue.PriorityQueue(), itertools.count()
        self.wake, self.alarms = threading.Condition(), []

    def start(self):
        for _ in range(WORKERS):
            threading.Thread(target=self.worker, daemon=True).start()
        threading.Thread(target=self.clock, daemon=True).start()
        threading.Thread(target=self.register, daemon=True).start()
        self.restore()

    def register(self):
        try:
            self.provider.ready()
        except ToolError:
            log('registration-postponed')

    def worker(self):
        while True:
            _, _, job, args = self.work.get()
            try:
                job(*args)
            except Exception as problem:
                log('job-failed', kind=type(problem).__name__)
                for call in ([args[0]] if isinstance(args[0], Call) else list(args[0].calls)):
                    self.fail(call, 'The tool failed internally. Please try again later.')

    def enqueue(self, job, *args, first=False):
        self.work.put((0 if first else 1, next(self.count), job, args))

    def clock(self):
        while True:
            with self.wake:
                while not self.alarms or self.alarms[0][0] > time.time():
                    self.wake.wait(self.alarms[0][0] - time.time() if self.alarms else None)
                _, _, call = heapq.heappop(self.alarms)
            with self.lock:
                late = call.phase == 'pending' and call.deadline is not None and call.deadline <= time.time()
            if late:
                self.fail(call, 'The authorization was not completed in time. Please try again and open the link soon.', ('pending',))

    def persist(self, call):
        self.store.put('call', call.uid, call.row())

    # -- invocations

    def accept(self, inv):
        call = Call(inv)
        self.persist(call)
        with self.lock:
            self.calls[call.uid] = call
        return call

    def validate(self, inv):
        op = OPERATIONS.get(inv.get('operation')) if isinstance(inv.get('operation'), str) else None
        if not op:
            return None, 'Unknown operation. This tool offers: ' + ', '.join(OPERATIONS) + '.'
        if not isinstance(inv.get('arguments'), dict):
            return None, 'The arguments must be an object.'
        for name in ('call_id', 'user_id'):
            if not isinstance(inv.get(name), (str, type(None))):
                return None, f'{name} must be a text or null.'
        return op, op['check'](inv['arguments'])

    def key(self, call, op):
        user = call.inv.get('user_id')
        if not user:  # nobody in particular: an authorization of this very call, which nobody else ever uses
            return True, self.store.name(None, call.uid, op['scope'])
        return False, self.store.name(user, ISSUER, op['scope'])

    def run(self, call, fresh=None):
        with self.lock:
            if call.phase == 'done':
                return
            call.phase = 'running'
        self.persist(call)
        try:
            op, problem = self.validate(call.inv)
            if problem:
                raise ToolError(problem)
            anonymous, key = self.key(call, op)
            token = fresh or (None if anonymous else self.vault.usable(key))
            if not token:
                return self.authorize(call, op, anonymous, key)
            status, lines = perform(call.inv['operation'], call.inv['arguments'], token)
            if status == 401 and fresh:
                self.vault.forget(key, token['access'])
                raise ToolError('The items service refused the authorization that was just given. Please try again.')
            if status == 401:
                token = self.vault.usable(key, refused=token['access'])
                status, lines = perform(call.inv['operation'], call.inv['arguments'], token) if token else (401, [])
                if status == 401:
                    if token:
                        self.vault.forget(key, token['access'])
                    return self.authorize(call, op, anonymous, key)
            if status == 403:
                raise ToolError(f'The items service wants a permission that was not granted ({op["scope"]}).')
            self.finish(call, lines)
        except ToolError as problem:
            self.fail(call, str(problem))

    # -- authorization

    def authorize(self, call, op, anonymous, key):
        share = self.store.name('thread', call.inv['group_id'], op['scope']) if V == 'flow-by-thread' and not anonymous else key
        with self.making(share):
            with self.lock:
                flow = self.shared.get(share)
                if flow and (flow.phase == 'exchanging' or flow.until > time.time()):
                    return self.attach(call, flow)
            if not anonymous and self.vault.peek(key):  # authorized while we waited for our turn
                return self.enqueue(self.run, call)
            state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
            client, url, life = self.provider.push(op['scope'], state, verifier)
            flow = Flow(self.store.name('state', state), key, anonymous, op['scope'], verifier, client, url, time.time() + min(life, PENDING) / 2)
            with self.lock:
                self.flows[flow.name] = self.shared[share] = flow
                flow.share = share
                self.store.put('flow', flow.name, flow.row())
                self.attach(call, flow)

    def attach(self, call, flow):
        if call.phase == 'done':
            return self.detach(call, flow)
        call.phase, call.flow = 'pending', flow
        flow.calls.append(call)
        if flow.phase == 'pending':
            call.deadline = time.time() + PENDING
            self.alarm(call)
            self.post(call, {**call.head('oauth'), 'auth_url': flow.url, 'expires_at': round(call.deadline)})
        self.persist(call)

    def alarm(self, call):
        with self.wake:
            heapq.heappush(self.alarms, (call.deadline, next(self.count), call))
            self.wake.notify()

    def detach(self, call, flow):
        if call in flow.calls:
            flow.calls.remove(call)
        if not flow.calls and flow.phase == 'pending':
            self.close(flow)

    def close(self, flow):
        flow.phase = 'closed'
        if not (V == 'state-kept-after-failure' and getattr(flow, 'tried', False)):  # forgotten only after success
            self.flows.pop(flow.name, None)
        if self.shared.get(flow.share) is flow:
            del self.shared[flow.share]
        self.store.drop('flow', flow.name)

    def returned(self, path, query):
        """The browser is back. True if it was ours to take; everything else changes nothing."""
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=50)
        names = [name for name, _ in pairs]
        given = dict(pairs)
        if any(names.count(n) > 1 for n in ('state', 'code', 'error', 'iss')) or not given.get('state'):
            return False
        code, error, name = given.get('code'), given.get('error'), self.store.name('state', given['state'])
        if bool(code) == bool(error):
            return False
        with self.lock:
            flow = self.flows.get(name)
            if V == 'state-kept-after-failure' and flow and flow.phase == 'closed' and code and not error:
                self.enqueue(self.exchange, flow, code, first=True)
                return True
            if not flow or flow.phase != 'pending' or BASE + path != flow.client['redirect']:
                return False
            flow.phase = 'exchanging'  # the state is used up from here on
            self.store.put('flow', flow.name, flow.row())
            promised = bool((self.provider.meta or {}).get('authorization_response_iss_parameter_supported'))
            iss = given.get('iss')
            if iss != ISSUER and (iss is not None or (promised and V != 'iss-optional')):
                self.fail_flow(flow, 'The answer did not come from the expected authorization provider. Please try again.')
            elif error == 'access_denied':
                self.fail_flow(flow, 'The authorization was denied by the user. Please try again and grant the requested permission.', denied=True)
            elif error:
                self.fail_flow(flow, 'The authorization provider reported a problem' + (
                    f' ({error})' if error in ('invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope',
                                               'server_error', 'temporarily_unavailable') else '') + '. Please try again later.')
            else:
                self.enqueue(self.exchange, flow, code, first=True)
        return True

    def exchange(self, flow, code):
        flow.tried = True
        try:
            token = self.provider.token(flow.client, {'grant_type': 'authorization_code', 'code': code, 'code_verifier': flow.verifier,
                                                      'redirect_uri': flow.client['redirect']})
            if token['scope'] is not None and flow.scope not in re.split(r'[ ,]+', token['scope']):
                return self.fail_flow(flow, f'The permission {flow.scope} was not granted. Please try again and grant it.')
        except Refused:
            return self.fail_flow(flow, 'The authorization provider refused the authorization code. Please try again.')
        except (Broken, ToolError):
            return self.fail_flow(flow, 'The token exchange with the authorization provider failed. Please try again.')
        token['scope'] = token['scope'] or flow.scope
        if not flow.anonymous:
            with self.vault.locks(flow.key):
                self.vault.save(flow.key, token)
        with self.lock:
            self.close(flow)
            self.flows.pop(flow.name, None)
            calls, flow.calls = flow.calls, []
            for call in calls:
                call.flow = None
                self.enqueue(self.run, call, token)

    def fail_flow(self, flow, text, denied=False):
        with self.lock:
            self.close(flow)
            calls, flow.calls = flow.calls, []
        for call in calls:
            self.fail(call, text)
            if V == 'deny-first-only' and denied:
                break

    # -- results

    def fail(self, call, text, phases=None):
        self.finish(call, ['Error: ' + text], error=True, phases=phases)

    def finish(self, call, lines, error=False, phases=None):
        with self.lock:
            if call.phase == 'done' or (phases and call.phase not in phases):
                return
            call.phase = 'done'
            if call.flow:
                self.detach(call, call.flow)
                call.flow = None
            call.result = {**call.head('tool_result'), 'content': [{'text': line, 'type': 'text'} for line in lines]}
            if error:
                call.result['text'] = lines[0]  # Tool Result, Error Handling: "in the text field"
            self.post(call, call.result)
        self.persist(call)

    def post(self, call, message):
        with self.lock:
            call.outbox.append(message)
            call.news.set()
            if not call.sending:
                call.sending = True
                threading.Thread(target=self.deliver, args=(call,), daemon=True).start()

    def deliver(self, call):
        """One lane per call: in order; a result replaces an oauth message that is still waiting."""
        while True:
            with self.lock:
                if not call.outbox:
                    call.sending = False
                    if call.phase == 'done':
                        self.calls.pop(call.uid, None)
                        self.store.drop('call', call.uid)
                    return
                message = call.outbox[-1]
                call.outbox.clear()
                call.news.clear()
            data = json.dumps(message).encode()
            delivered = False
            for attempt in range(8):
                try:
                    status, _, _ = http_call('POST', call.inv['callback_url'], {'Content-Type': 'application/json; charset=UTF-8', 'User-Agent': 'items-tool'},
                                             [data[:40], data[40:]], 10)
                    delivered = 200 <= status < 300
                    if status < 500 and not (V == 'retry-other-4xx' and status in (404, 408, 425, 429)):
                        break
                except Broken:
                    pass
                if call.news.wait(0.3 * 2 ** attempt):
                    break  # something newer is to be said
            log('callback', type=message['type'], delivered=delivered)
            if not delivered and message['type'] == 'oauth' and not call.outbox:
                self.fail(call, 'The authorization link could not be delivered.', ('pending',))

    # -- notifications and restart

    def cancel(self, group, call_id=None):
        with self.lock:
            calls = [c for c in self.calls.values() if c.inv['group_id'] == group and call_id in (None, c.inv['id']) and c.phase in ('queued', 'pending')]
        for call in calls:
            self.fail(call, 'The call was cancelled.', ('queued', 'pending'))

    def restore(self):
        for name, row in self.store.all('flow'):
            flow = Flow(name, **row)
            flow.share = flow.key
            self.flows[name] = flow
            if flow.phase == 'pending':
                self.shared[flow.share] = flow
        for uid, row in self.store.all('call'):
            call = Call(row['inv'], uid)
            self.calls[uid] = call
            call.phase, call.deadline, call.result, flow = row['phase'], row['deadline'], row['result'], self.flows.get(row['flow'])
            if call.phase == 'done' and call.result:
                self.post(call, call.result)
            elif call.phase == 'pending' and flow and flow.phase == 'pending' and call.deadline:
                call.flow = flow
                flow.calls.append(call)
                self.alarm(call)
            elif call.phase == 'queued' or (call.phase == 'running' and OPERATIONS.get(call.inv.get('operation'), {}).get('read')):
                self.enqueue(self.run, call)
            else:
                self.fail(call, 'The tool was restarted while it worked on this call. Please check the outcome and try again.')
        for flow in list(self.flows.values()):
            if not flow.calls:
                self.close(flow)


# ---------------------------------------------------------------------------------------------------- HTTP server

DONE = ('<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Back to your conversation</title>'
        '<p>Thank you. Whatever came of it is reported in your conversation; this window can be closed.</p></html>')


class Handler(BaseHTTPRequestHandler):
    protocol_version, timeout, server_version, sys_version = 'HTTP/1.0', 15, 'items', ''  # a body ends where the connection does

    def log_message(self, *_):  # the request line may hold a code
        pass

    def answer(self, status, kind=None, body='', **headers):
        self.send_response(status)
        for name, value in {'Connection': 'close', 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff',
                            'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'", **headers}.items():
            self.send_header(name.replace('_', '-'), value)
        if kind:
            self.send_header('Content-Type', kind)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body.encode())
        self.wfile.flush()

    def do_GET(self):
        path, _, query = self.path.partition('?')
        if path == '/.well-known/rap-toolset':
            self.answer(200, 'application/json; charset=utf-8', json.dumps(TOOLSET, indent=1))
        elif path == '/done':
            self.answer(200, 'text/html; charset=utf-8', DONE)
        elif path.startswith('/oauth/return;rid=') and self.command == 'GET':
            try:
                taken = ENGINE.returned(path, query)
            except ValueError:
                taken = False
            if taken:
                self.answer(303, Location=BASE + '/done')
            else:
                self.answer(403, 'text/plain; charset=utf-8', 'This answer does not belong to an authorization that is waiting here. Nothing was changed.\n')
        else:
            self.answer(404, 'text/plain', 'nothing here\n')

    do_HEAD = do_GET

    def body(self, limit=1 << 20):
        if 'chunked' in self.headers.get('Transfer-Encoding', '').lower():
            data = b''
            while size := int(self.rfile.readline(100).split(b';')[0], 16):
                if size < 0 or len(data) + size > limit:
                    raise OverflowError
                data += self.rfile.read(size)
                self.rfile.readline(10)
            return data
        size = int(self.headers.get('Content-Length') or 0)
        if not 0 <= size <= limit:
            raise OverflowError
        return self.rfile.read(size)

    def do_POST(self):
        path = self.path.partition('?')[0]
        if path not in ('/rap/calls', '/close_thread', '/cancel_tool_call'):
            return self.answer(404, 'text/plain', 'nothing here\n')
        trusted = not RUNTIME_TOKEN or hmac.compare_digest(self.headers.get('Authorization', '').encode(), b'Bearer ' + RUNTIME_TOKEN.encode())
        try:
            value = json.loads(self.body().decode())
        except OverflowError:
            value = None
        except (ValueError, RecursionError):
            value = None
        given = value if isinstance(value, dict) else {}
        if path != '/rap/calls':
            self.answer(200)
            group, call_id = given.get('thread_id'), given.get('tool_call_id')
            if trusted and isinstance(group, str) and (path == '/close_thread' or isinstance(call_id, str)):
                ENGINE.cancel(group, None if path == '/close_thread' else call_id)
            return
        if not trusted:
            return self.answer(401, WWW_Authenticate='Bearer')
        if self.headers.get_content_type() != 'application/json':
            return self.answer(415, 'text/plain', 'application/json is wanted\n')
        # Without these three there is nowhere to report to, so that the invocation cannot be accepted.
        if not all(isinstance(given.get(n), str) for n in ('id', 'group_id', 'callback_url')) or not re.match(r'(?i)https?://[^/?#]', given['callback_url']):
            return self.answer(422, 'text/plain', 'not an invocation\n')
        if ENGINE.work.qsize() > BACKLOG:
            return self.answer(503, Retry_After='5')
        call = ENGINE.accept({n: given[n] for n in ('operation', 'arguments', 'id', 'call_id', 'callback_url', 'group_id', 'user_id') if n in given})
        if not isinstance(given.get('call_id'), (str, type(None))):
            call.head = lambda kind: {'id': given['id'], 'group_id': given['group_id'], 'type': kind}
        if V == 'ack-waits-for-slot':  # a bounded hand-over: the acknowledgement waits for a free worker
            with SLOTS:
                while ENGINE.work.qsize() >= 1:
                    SLOTS.wait(0.05)
        try:
            self.answer(200, 'text/plain; charset=utf-8', 'taken\n')
        finally:
            ENGINE.enqueue(ENGINE.run, call)


class Server(ThreadingHTTPServer):
    daemon_threads, request_queue_size, allow_reuse_address = True, 128, True

    def handle_error(self, *_):  # the default prints a traceback
        log('connection-failed', kind=(sys.exc_info()[0] or Exception).__name__)


SLOTS = threading.Condition()

if __name__ == '__main__':
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server = Server((HOST, PORT), Handler)
    ENGINE = Engine()
    ENGINE.start()
    log('listening')
    server.serve_forever()

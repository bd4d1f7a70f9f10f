#!/usr/bin/env python3
"""A RAP runtime: sqlite store, HTML long-poll pages, OpenAI Responses wire. Environment:
PORT PUBLIC_URL TOOLSETS OPENAI_BASE_URL OPENAI_API_KEY MODEL DATA_DIR TOOL_TIMEOUT_MS MODEL_IMAGES FRONT_KEY INTERRUPT.
TOOL_TIMEOUT_MS (default one day) runs from the dispatch of a call and survives restarts; a call that has no result by
then ends with an error result. Callback URLs belong to one call and live as long as its conversation."""
import contextlib, gzip, hashlib, hmac, http.server, json, os, secrets, sqlite3, sys, threading, time, urllib.parse, uuid
from wire import RESERVED, Bad, V, check, esc, fits, http_call, parse, toolset

E = os.environ.get
PORT = int(E('PORT', '8080'))
PUBLIC = E('PUBLIC_URL', 'http://127.0.0.1:%d' % PORT).rstrip('/')
BASES = [b.strip().rstrip('/') for b in E('TOOLSETS', '').split(',') if b.strip()]
MODEL_URL, MODEL_KEY, MODEL = E('OPENAI_BASE_URL', '').rstrip('/'), E('OPENAI_API_KEY', ''), E('MODEL', 'gpt')
DATA, FRONT_KEY, IMAGES = E('DATA_DIR', './data'), E('FRONT_KEY', ''), E('MODEL_IMAGES') == '1'
TIMEOUT = int(E('TOOL_TIMEOUT_MS', '86400000')) / 1000
MAX_BODY, MAX_SUBS = 1 << 20, 50
OPEN = ('confirm', 'sending', 'sent', 'oauth', 'choice')  # states of a call that has begun and has no result

os.umask(0o077)
os.makedirs(os.path.join(DATA, 'links'), mode=0o700, exist_ok=True)
L = threading.RLock()
changed = threading.Condition(L)
version, active, stops, hits = {}, set(), {}, {}
last_user = ['']
db = sqlite3.connect(os.path.join(DATA, 'runtime.db'), check_same_thread=False, isolation_level=None)
db.row_factory = sqlite3.Row
db.executescript('''PRAGMA journal_mode=DELETE; PRAGMA secure_delete=ON; PRAGMA synchronous=NORMAL;
CREATE TABLE IF NOT EXISTS conv(id TEXT PRIMARY KEY, user TEXT, grp TEXT UNIQUE, parent TEXT, toolsets TEXT, closed INT DEFAULT 0);
CREATE TABLE IF NOT EXISTS item(seq INTEGER PRIMARY KEY AUTOINCREMENT, conv TEXT, kind TEXT, body TEXT);
CREATE TABLE IF NOT EXISTS call(id TEXT PRIMARY KEY, conv TEXT, turn TEXT, pos INT, name TEXT, args TEXT, cid TEXT, state TEXT,
 deadline REAL, accepted TEXT, sub INT DEFAULT 0, extra TEXT);
CREATE TABLE IF NOT EXISTS inbox(seq INTEGER PRIMARY KEY AUTOINCREMENT, conv TEXT, kind TEXT, body TEXT);
CREATE TABLE IF NOT EXISTS view(conv TEXT, type TEXT, body TEXT, PRIMARY KEY(conv, type));
CREATE INDEX IF NOT EXISTS i1 ON item(conv); CREATE INDEX IF NOT EXISTS i2 ON call(conv); CREATE INDEX IF NOT EXISTS i3 ON inbox(conv);''')
_key = os.path.join(DATA, 'callback.key')
if not os.path.exists(_key):
    with open(os.open(_key, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), 'wb') as f:
        f.write(secrets.token_bytes(32))
KEY = open(_key, 'rb').read()


def log(what, **k):  # no arguments, texts or URLs ever
    print(json.dumps({'at': time.strftime('%FT%TZ', time.gmtime()), 'event': what, **k}), file=sys.stderr, flush=True)


def one(sql, *a):
    return db.execute(sql, a).fetchone()


def rows(sql, *a):
    return db.execute(sql, a).fetchall()


@contextlib.contextmanager
def tx():
    """One transaction; what is appended to the list runs after the commit."""
    post = []
    with L:
        db.execute('BEGIN IMMEDIATE')
        try:
            yield post
        except BaseException:
            db.execute('ROLLBACK')
            raise
        db.execute('COMMIT')
        for f in post:
            f()
        changed.notify_all()


def spawn(f, *a):
    threading.Thread(target=f, args=a, daemon=True).start()


def touch(conv):
    while conv:
        version[conv] = version.get(conv, 0) + 1
        c = one('SELECT parent FROM conv WHERE id=?', conv)
        conv = c and c['parent']


def add(conv, kind, body):
    db.execute('INSERT INTO item(conv,kind,body) VALUES(?,?,?)', (conv, kind, json.dumps(body)))
    touch(conv)


def say(conv, who, text):
    add(conv, 'show', {'who': who, 'text': text})


def push(conv, kind, body, post):
    db.execute('INSERT INTO inbox(conv,kind,body) VALUES(?,?,?)', (conv, kind, json.dumps(body)))
    post.append(lambda: kick(conv))


def mac(call):
    return hmac.new(KEY, call.encode(), 'sha256').hexdigest()


def callback_url(call):
    return '%s/r%%2Fcb;v=1/%s?sig=%s&t=a+b%%20c' % (PUBLIC, call, mac(call))


def link(call, n=''):
    return os.path.join(DATA, 'links', call + n)


def unlink(call):
    for f in os.listdir(os.path.join(DATA, 'links')):
        if f.startswith(call):
            os.unlink(os.path.join(DATA, 'links', f))


# ---------------------------------------------------------------- one worker per conversation: its messages are processed serially
def kick(conv):
    with L:
        if conv not in active:
            active.add(conv)
            spawn(work, conv)


def work(conv):
    while True:
        with L:
            m = one('SELECT * FROM inbox WHERE conv=? ORDER BY seq LIMIT 1', conv)
            if m is None:
                active.discard(conv)
                return
        try:
            HANDLE[m['kind']](conv, m['seq'], json.loads(m['body']))
        except Exception as e:
            log('processing failed', kind=m['kind'], error=type(e).__name__)
            with tx():
                db.execute('DELETE FROM inbox WHERE seq=?', (m['seq'],))
                say(conv, 'notice', 'An internal error happened; the message was not processed.')


def then(seq, ask):
    """The processed message gives way to a question to the model, or to nothing."""
    db.execute("UPDATE inbox SET kind='ask', body='{}' WHERE seq=?" if ask else 'DELETE FROM inbox WHERE seq=?', (seq,))


def ended(call, state, output, shown, post):
    db.execute("UPDATE call SET state=?, extra=NULL WHERE id=?", (state, call['id']))
    add(call['conv'], 'model', {'type': 'function_call', 'call_id': call['cid'], 'name': call['name'], 'arguments': call['args']})
    add(call['conv'], 'model', {'type': 'function_call_output', 'call_id': call['cid'], 'output': output})
    say(call['conv'], call['name'], shown)
    log('call ended', id=call['id'], operation=call['name'], outcome=state)
    if not (V('error-keeps-link') and isinstance(output, str) and output.startswith('Error')):
        post.append(lambda: unlink(call['id']))
    if call['id'] in stops:
        post.append(stops[call['id']].set)


def cancel(conv, states, why, post):
    """Ends the calls in these states, and what waits behind them in their turns, with a synthetic result."""
    for c in rows('SELECT * FROM call WHERE conv=? AND state IN (%s)' % ','.join('?' * len(states)), conv, *states):
        for w in [c] + rows("SELECT * FROM call WHERE conv=? AND turn=? AND state='queued' ORDER BY pos", conv, c['turn']):
            if one('SELECT state FROM call WHERE id=?', w['id'])['state'] == 'cancelled':
                continue
            ended(w, 'cancelled', why if w is c else 'Error: not started, the user interrupted.', 'Interrupted.', post)
        if c['state'] not in ('confirm', 'queued'):
            notify('/cancel_tool_call', {'thread_id': grp(conv), 'tool_call_id': c['id']}, post)


def grp(conv):
    return one('SELECT grp FROM conv WHERE id=?', conv)['grp']


def notify(path, body, post):
    def send(base):
        try:
            http_call('POST', base + path, body, timeout=5, read=False)
        except OSError as e:
            log('notification not delivered', error=type(e).__name__)
    bases = BASES
    if V('cancel-notifies-origin-only') and 'tool_call_id' in body:
        c = one('SELECT * FROM call WHERE id=?', body['tool_call_id'])
        bases = [tools_of(c['conv'])[0][c['name']][1]['base']]
    for b in bases:  # all servers, each once, concurrently
        post.append(lambda b=b: spawn(send, b))


# ---------------------------------------------------------------- toolsets, cached per session
def tools_of(conv):
    """name -> (tool, toolset); names that occur in two toolsets are nobody's."""
    sets = json.loads(one('SELECT toolsets FROM conv WHERE id=?', conv)['toolsets'])
    found = {}
    for s in sets:
        for t in s['tools']:
            found[t['name']] = None if t['name'] in found else (t, s)
    return {n: x for n, x in found.items() if x}, [n for n, x in found.items() if not x]


def ensure_toolsets(conv):
    with L:
        have = {s['base']: s for s in json.loads(one('SELECT toolsets FROM conv WHERE id=?', conv)['toolsets'])}
    missing, lost = [b for b in BASES if b not in have], []
    for b in missing:
        try:
            have[b] = toolset(b)
        except (OSError, ValueError) as e:
            lost.append('Error: a toolset could not be loaded (%s).' % (e if type(e) is ValueError else type(e).__name__))
    if missing:
        with tx():
            db.execute('UPDATE conv SET toolsets=? WHERE id=?', (json.dumps([have[b] for b in BASES if b in have]), conv))
            good, clash = tools_of(conv)
            for text in lost + ['Error: two toolsets define the tool %s; it is not available.' % n for n in clash]:
                log('toolset problem', problem=text)
                say(conv, 'notice', text)
            if good:
                say(conv, 'notice', 'Tools in use, as you consented: ' + ', '.join(
                    n + (' (needs an account of %s)' % t['annotations']['requiresAuth'] if (t.get('annotations') or {}).get('requiresAuth') else '')
                    for n, (t, _) in good.items()))


# ---------------------------------------------------------------- processing
def on_user(conv, seq, b):
    ensure_toolsets(conv)
    with tx() as post:
        if E('INTERRUPT') != '0':  # a message of the user interrupts what runs, but not what waits for the user
            cancel(conv, ('sending', 'sent', 'confirm'), 'Error: interrupted by the user before a result arrived.', post)
        add(conv, 'model', {'type': 'message', 'role': 'user', 'content': [{'type': 'input_text', 'text': b['text']}]})
        say(conv, 'you', b['text'])
        then(seq, True)


def on_interrupt(conv, seq, b):
    with tx() as post:
        cancel(conv, OPEN, 'Error: interrupted by the user before a result arrived.', post)
        then(seq, False)


def on_ask(conv, seq, b):
    with L:
        good, _ = tools_of(conv)
        text = ['You are a helpful assistant. Results of tools are added to the conversation when they arrive.']
        for c in rows("SELECT * FROM call WHERE conv=? AND state NOT IN ('done','cancelled') ORDER BY rowid", conv):
            text.append('Call %s of %s with %s: %s Do not repeat the call.' % (c['cid'], c['name'], c['args'], {
                'oauth': 'authorization is in progress. The user was shown a link to sign in; the result arrives after that.',
                'choice': 'it waits for a choice of the user.', 'confirm': 'it waits for the approval of the user.',
                'queued': 'it waits for the calls before it.'}.get(c['state'], 'it is running.')))
            if V('renewed-link-told-to-model') and c['state'] == 'oauth' and c['extra']:
                text.append('The link has been renewed: ' + c['extra'])
        req = {'model': MODEL, 'store': False, 'instructions': '\n'.join(text),
               'input': [json.loads(r['body']) for r in rows("SELECT body FROM item WHERE conv=? AND kind='model' ORDER BY seq", conv)],
               'tools': [{'type': 'function', 'name': n, 'description': t['description'], 'parameters': t['inputSchema'], 'strict': False}
                         for n, (t, _) in good.items()] + [{
                   'type': 'function', 'name': 'cancel_subscription', 'description': 'Ends a subscription of this conversation.', 'strict': False,
                   'parameters': {'type': 'object', 'properties': {'tool_call_id': {'type': 'string'}}, 'required': ['tool_call_id']}}]}
    out, wait = None, threading.Event()
    for n in range(4):
        try:
            status, raw = http_call('POST', MODEL_URL + '/responses', req, {'Authorization': 'Bearer ' + MODEL_KEY}, 120)
            if status == 200:
                out = parse(raw)['output']
                break
            if status != 429 and status < 500:
                break
        except (OSError, Bad, KeyError) as e:
            log('model failed', error=type(e).__name__)
        wait.wait(0.2 * 2 ** n)
    with tx() as post:
        if out is None:
            say(conv, 'notice', 'Error: the model could not be asked. Your message is kept; say something to try again.')
            return then(seq, False)
        turn, pos = str(uuid.uuid4()), 0
        for o in out:
            if o.get('type') == 'message':
                words = ''.join(p.get('text', '') for p in o.get('content', []) if p.get('type') == 'output_text')
                add(conv, 'model', {'type': 'message', 'role': 'assistant', 'content': [{'type': 'output_text', 'text': words}]})
                say(conv, 'assistant', words)
            elif o.get('type') == 'function_call':
                db.execute("INSERT INTO call(id,conv,turn,pos,name,args,cid,state) VALUES(?,?,?,?,?,?,?,'queued')",
                           (str(uuid.uuid4()), conv, turn, pos, o['name'], o.get('arguments') or '{}', o['call_id']))
                pos += 1
        then(seq, pos > 0 and advance(conv, turn, post))


def advance(conv, turn, post):
    """Begins the next call of a turn if none is open: one after the other. True when all have ended."""
    while True:
        if one('SELECT 1 FROM call WHERE conv=? AND turn=? AND state IN (%s)' % ','.join('?' * len(OPEN)), conv, turn, *OPEN):
            return False
        c = one("SELECT * FROM call WHERE conv=? AND turn=? AND state='queued' ORDER BY pos LIMIT 1", conv, turn)
        if c is None:
            return True
        good, _ = tools_of(conv)
        try:
            args = json.loads(c['args'])
        except (ValueError, RecursionError):
            args = None
        if c['name'] == 'cancel_subscription':
            ended(c, 'done', unsubscribe(conv, args, post), 'Subscription ended.', post)
        elif c['name'] == RESERVED[1]:
            ended(c, 'done', 'Error: this call is injected automatically and cannot be made.', 'Refused.', post)
        elif c['name'] not in good:
            ended(c, 'done', 'Error: there is no such tool.', 'No such tool.', post)
        elif not isinstance(args, dict) or not fits(good[c['name']][0]['inputSchema'], args):
            ended(c, 'done', 'Error: the arguments do not fit the schema of the tool.', 'Wrong arguments.', post)
        elif (good[c['name']][0].get('annotations') or {}).get('destructive') is True and c['extra'] != 'approved':
            db.execute("UPDATE call SET state='confirm' WHERE id=?", (c['id'],))
            touch(conv)
        else:
            db.execute("UPDATE call SET state='sending', extra=NULL, deadline=? WHERE id=?", (time.time() + TIMEOUT, c['id']))
            stops[c['id']] = threading.Event()
            post.append(lambda: spawn(dispatch, c['id'], c['name'], args, good[c['name']][1]['endpoint']))
            touch(conv)


def unsubscribe(conv, args, post):
    target = args.get('tool_call_id') if isinstance(args, dict) else None
    c = one('SELECT * FROM call WHERE conv=? AND sub=1 AND (cid=? OR id=?)', conv, target, target)
    if c is None:
        return 'Error: this conversation has no such subscription.'
    db.execute('UPDATE call SET sub=0 WHERE id=?', (c['id'],))
    notify('/cancel_tool_call', {'thread_id': grp(conv), 'tool_call_id': c['id']}, post)
    return 'Subscription cancelled successfully.'


def dispatch(call, name, args, endpoint):
    with L:
        c = one('SELECT * FROM call WHERE id=?', call)
        conv = one('SELECT * FROM conv WHERE id=?', c['conv'])
        up, parent = [], conv['parent']
        while parent:
            p = one('SELECT * FROM conv WHERE id=?', parent)
            up.insert(0, p['grp'])
            parent = p['parent']
        stop = stops[call]
    body = {'x_runtime': 'runtime-python', 'user_id': last_user[0] if V('user-of-last-speaker') else conv['user'], 'group_id': conv['grp'], 'callback_url': callback_url(call),
            'call_id': c['cid'], 'id': call, 'arguments': args, 'operation': name, **({'thread_ancestors': up} if up else {})}
    why = ''
    for n in range(5):  # 0.25, 0.5, 1, 2 seconds between attempts, unless a callback proves the delivery
        if n and stop.wait(0.25 * 2 ** (n - 1)):
            return
        try:
            status, _ = http_call('POST', endpoint, body, timeout=10, read=False)
            log('invocation', id=call, operation=name, status=status)
            if status == 200:
                with tx():
                    db.execute("UPDATE call SET state='sent' WHERE id=? AND state='sending'", (call,))
                return
            why = 'the tool answered %d' % status
            if status < 500 and not (V('retries-429') and status == 429):
                break
        except OSError as e:
            why = 'the tool cannot be reached'
            log('invocation', id=call, operation=name, error=type(e).__name__)
    with tx() as post:
        push(conv['id'], 'failed', {'call': call, 'why': why}, post)


def closing(kind):
    def handle(conv, seq, b):
        with tx() as post:
            c = one('SELECT * FROM call WHERE id=?', b['call'])
            ask = False
            if c['accepted'] is None and c['state'] in (('sending',) if kind == 'failed' else OPEN):
                text = 'Error: the call could not be delivered, %s.' % b['why'] if kind == 'failed' else \
                    'Error: no result within %g seconds; the runtime gave up waiting.' % TIMEOUT
                ended(c, 'cancelled', text, text, post)
                if kind == 'timeout' or 'restart' in b['why']:
                    notify('/cancel_tool_call', {'thread_id': grp(conv), 'tool_call_id': c['id']}, post)
                ask = advance(conv, c['turn'], post)
            then(seq, ask)
    return handle


def on_oauth(conv, seq, b):
    with tx():
        c = one('SELECT * FROM call WHERE id=?', b['call'])
        if c['state'] in ('sending', 'sent', 'oauth', 'choice') or V('resurfaces-after-cancel') and c['state'] == 'cancelled':
            again = c['state'] == 'oauth'
            if again and V('renewed-link-told-to-model'):
                db.execute('UPDATE call SET extra=? WHERE id=?', (open(link(c['id'], b['n'])).read(), c['id']))
            os.replace(link(c['id'], b['n']), link(c['id']))
            db.execute("UPDATE call SET state='oauth'%s WHERE id=?" % ('' if V('renewed-link-told-to-model') else ', extra=NULL'), (c['id'],))
            touch(conv)
        else:
            unlink(c['id'])
        then(seq, False)


def on_choice(conv, seq, b):
    with tx():
        db.execute("UPDATE call SET state='choice', extra=? WHERE id=? AND state IN ('sending','sent','oauth','choice')", (json.dumps(b['m']), b['call']))
        touch(conv)
        then(seq, False)


def output_of(m):
    if 'content' not in m:
        return m['text']
    if V('display-for-model') and m.get('display_as'):
        return shown_of(m)
    items = m['content'][:1] if V('first-item-only') else m['content']
    if IMAGES:
        return [{'type': 'input_text', 'text': i['text']} if i['type'] == 'text' else
                {'type': 'input_image', 'image_url': 'data:%s;base64,%s' % (i['mediaType'], i['data'])} for i in items]
    return '\n'.join(i['text'] if i['type'] == 'text' else '[image of type %s, not shown to the model]' % i['mediaType'] for i in items)


def shown_of(m):
    for s in m.get('display_as', []):
        if s['type'] == 'text':
            return s['content']
        if s['type'] == 'diff':
            return s['content']['path'] + '\n' + s['content']['patch']
    return m.get('text') or '\n'.join(i.get('text', '[image]') for i in m.get('content', []))


def on_result(conv, seq, b):
    with tx() as post:
        c, ask = one('SELECT * FROM call WHERE id=?', b['call']), False
        if c['state'] in OPEN:
            if b['m'].get('subscription'):
                many = one('SELECT count(*) n FROM call WHERE conv=? AND sub=1', conv)['n'] >= MAX_SUBS
                db.execute('UPDATE call SET sub=? WHERE id=?', (0 if many else 1, c['id']))
                if many:
                    notify('/cancel_tool_call', {'thread_id': grp(conv), 'tool_call_id': c['id']}, post)
            ended(c, 'done', output_of(b['m']), shown_of(b['m']), post)
            ask = advance(conv, c['turn'], post)
        then(seq, ask)


def on_event(conv, seq, b):
    with tx() as post:
        c, m = one('SELECT * FROM call WHERE id=?', b['call']), b['m']
        if not c['sub'] and not b.get('spawned'):
            return then(seq, False)
        if m.get('final'):
            db.execute('UPDATE call SET sub=0 WHERE id=?', (c['id'],))
        if not m.get('associative') and not b.get('spawned'):  # a child thread with a copy of the history
            p, child = one('SELECT * FROM conv WHERE id=?', conv), str(uuid.uuid4())
            db.execute('INSERT INTO conv(id,user,grp,parent,toolsets) VALUES(?,?,?,?,?)', (child, p['user'], str(uuid.uuid4()), conv, p['toolsets']))
            db.execute("INSERT INTO item(conv,kind,body) SELECT ?,kind,body FROM item WHERE conv=? AND kind='model' ORDER BY seq", (child, conv))
            push(child, 'subscription_event', {'call': c['id'], 'm': m, 'spawned': True}, post)
            return then(seq, False)
        cid = 'event_' + str(uuid.uuid4())
        add(conv, 'model', {'type': 'function_call', 'call_id': cid, 'name': RESERVED[1], 'arguments': json.dumps(
            {'original_tool_name': c['name'], 'original_tool_call_id': c['cid'], 'original_args': json.loads(c['args'])})})
        add(conv, 'model', {'type': 'function_call_output', 'call_id': cid, 'output': m['text']})
        say(conv, 'event of ' + c['name'], m['text'])
        then(seq, True)


def on_view(conv, seq, b):
    with tx():
        db.execute('INSERT INTO view VALUES(?,?,?) ON CONFLICT DO UPDATE SET body=excluded.body', (conv, b['view_type'], json.dumps(b['content'])))
        touch(conv)
        then(seq, False)


def on_answer(conv, seq, b):
    """The user's choice, or the approval of a destructive call."""
    with tx() as post:
        c, ask = one('SELECT * FROM call WHERE id=?', b['call']), False
        if c['state'] == 'choice' and c['extra']:
            m = json.loads(c['extra'])
            pick = b['selected'] if type(b['selected']) is int and 0 <= b['selected'] < len(m['choices']) else int(m['default'])

            def send():
                try:
                    http_call('POST', m['response_url'], {'id': c['id'], 'selected': pick}, read=False)
                except OSError as e:
                    log('choice not delivered', error=type(e).__name__)
            db.execute('UPDATE call SET extra=NULL WHERE id=?', (c['id'],))
            touch(conv)
            post.append(lambda: spawn(send))
        elif c['state'] == 'confirm' and b['selected'] == 0:
            db.execute("UPDATE call SET state='queued', extra='approved' WHERE id=?", (c['id'],))
            advance(conv, c['turn'], post)
        elif c['state'] == 'confirm':
            ended(c, 'cancelled', 'Error: the user did not approve the call.', 'Not approved.', post)
            ask = advance(conv, c['turn'], post)
        then(seq, ask)


HANDLE = {'user': on_user, 'interrupt': on_interrupt, 'ask': on_ask, 'failed': closing('failed'), 'timeout': closing('timeout'), 'oauth': on_oauth,
          'user_choice': on_choice, 'tool_result': on_result, 'subscription_event': on_event, 'view_update': on_view, 'answer': on_answer}


def clock():
    """Puts overdue calls into the inboxes; woken when a deadline may be new."""
    with L:
        due_sent = set()
        while True:
            soon = None
            for c in rows('SELECT * FROM call WHERE state IN (%s) AND deadline IS NOT NULL' % ','.join('?' * len(OPEN)), *OPEN):
                if c['id'] in due_sent or c['state'] == 'confirm':
                    continue
                if c['deadline'] <= time.time():
                    due_sent.add(c['id'])
                    with tx() as post:
                        push(c['conv'], 'timeout', {'call': c['id']}, post)
                else:
                    soon = min(soon or 1e18, c['deadline'])
            changed.wait(min(max(soon - time.time(), 0.005), 3600) if soon else None)


# ---------------------------------------------------------------- callbacks
def callback(call, sig, ctype, raw):
    c = None
    if hmac.compare_digest(sig.encode(), mac(call).encode()):
        c = one('SELECT call.*, conv.grp, conv.closed FROM call JOIN conv ON conv.id=call.conv WHERE call.id=?', call)
    if c is None:
        raise Bad(404, 'no such callback URL')
    at, n = hits.get(call, (0, 0))
    hits[call] = (at, n + 1) if time.time() - at < 10 else (time.time(), 1)
    if hits[call][1] > 500:
        raise Bad(429, 'too many messages')
    kind, *params = [p.strip().lower() for p in ctype.split(';')]
    if kind != 'application/json' or any(p.startswith('charset=') and p[8:].strip('"') != 'utf-8' for p in params):
        raise Bad(415, 'send application/json in UTF-8')
    if raw is None:
        raise Bad(413, 'the body is too large')
    m = parse(raw)
    errs = check(m)
    if errs:
        raise Bad(422, '; '.join(errs))
    t, mine = m['type'], m.get('tool_call_id' if m['type'] == 'subscription_event' else 'id', call if m['type'] == 'view_update' else None)
    if m['group_id'] != c['grp'] or mine != call or c['closed']:
        log('unmatched message discarded', type=t, **({'message': m} if V('logs-discarded') else {}))
        raise Bad(404, 'no such call in such a group')
    if m.get('call_id') is not None and t != 'view_update' and t != 'subscription_event' and m['call_id'] != c['cid']:
        raise Bad(422, 'call_id is not that of the invocation')
    body = {'call': call, 'm': m}
    with tx() as post:
        c = one('SELECT * FROM call WHERE id=?', call)
        if t == 'view_update':
            body = m
        elif t == 'subscription_event':
            if not c['sub'] and not one("SELECT 1 FROM inbox WHERE conv=? AND kind='tool_result'", c['conv']):
                raise Bad(410, 'no active subscription')
        else:
            digest = hashlib.sha256(json.dumps(m, sort_keys=True).encode()).hexdigest()
            if c['accepted'] == digest and not (V('duplicates-known-in-memory') and call not in stops):
                return 202  # delivered twice: nothing happens
            if c['state'] == 'cancelled' and not (V('resurfaces-after-cancel') and t == 'oauth'):
                return 204  # a late message of a cancelled call is ignored gracefully
            if (c['accepted'] or c['state'] not in OPEN or c['state'] == 'confirm') and not V('resurfaces-after-cancel'):
                if not (V('duplicates-known-in-memory') and call not in stops and t == 'tool_result'):
                    raise Bad(410, 'the call is not pending')
                db.execute("UPDATE call SET state='oauth' WHERE id=?", (call,))
            if t == 'tool_result':
                db.execute('UPDATE call SET accepted=? WHERE id=?', (digest, call))
            if t == 'oauth':  # the URL is kept beside the database, in a file that is removed when the call ends
                with contextlib.suppress(FileNotFoundError):
                    if c['state'] == 'oauth' and open(link(call), encoding='utf-8').read() == m['auth_url']:
                        return 200
                body = {'call': call, 'n': '.' + secrets.token_hex(4)}
                with open(os.open(link(call, body['n']), os.O_CREAT | os.O_WRONLY, 0o600), 'w', encoding='utf-8') as f:
                    f.write(m['auth_url'])
        push(c['conv'], t, body, post)
        if call in stops and t not in ('view_update', 'subscription_event'):
            post.append(stops[call].set)
    return 200


# ---------------------------------------------------------------- pages
def page(conv, deep=0):
    out = ['<section><h%d>%s</h%d><dl>' % (min(deep + 1, 6), 'Event thread' if deep else 'Conversation', min(deep + 1, 6))]
    for r in rows("SELECT body FROM item WHERE conv=? AND kind='show' ORDER BY seq", conv):
        b = json.loads(r['body'])
        out.append('<dt>%s<dd><pre>%s</pre>' % (esc(b['who']), esc(b['text'])))
    out.append('</dl>')
    for c in rows("SELECT * FROM call WHERE conv=? AND (state IN ('oauth','choice','confirm') OR ?)", conv, V('resurfaces-after-cancel')):
        if c['state'] == 'oauth' or V('resurfaces-after-cancel'):
            with contextlib.suppress(FileNotFoundError):
                url = esc(open(link(c['id']), encoding='utf-8').read())
                out.append('<p role=status>%s needs your authorization: <a rel="noopener noreferrer" href="%s">%s</a>' % (esc(c['name']), url, url))
        else:
            m = json.loads(c['extra'] or '{}') if c['state'] == 'choice' else {
                'prompt': 'Approve %s with %s?' % (c['name'], c['args']), 'choices': ['Yes', 'No'], 'default': 1}
            out.append('<p data-call="%s">%s <ol start=0>%s</ol>' % (c['id'], esc(m.get('prompt', '')), ''.join('<li>' + esc(x) for x in m.get('choices', []))))
    for v in rows('SELECT * FROM view WHERE conv=?', conv):
        out.append('<h6>%s</h6><pre>%s</pre>' % (esc(v['type']), esc(v['body'])))
    out += [page(k['id'], deep + 1) for k in rows('SELECT id FROM conv WHERE parent=?', conv)]
    return ''.join(out) + '</section>'


class Web(http.server.BaseHTTPRequestHandler):
    protocol_version, server_version, sys_version, timeout = 'HTTP/1.1', 'rap', '', 60

    def log_message(self, *a):
        pass

    def body(self):
        """The body, or None where it is too large; always read to its end."""
        parts, size = [], 0
        def take(n):
            nonlocal size
            while n > 0:
                got = self.rfile.read(min(n, 65536))
                if not got:
                    raise ConnectionError
                n, size = n - len(got), size + len(got)
                if size > 64 << 20:
                    raise ConnectionError
                if size <= MAX_BODY:
                    parts.append(got)
        if 'chunked' in self.headers.get('Transfer-Encoding', '').lower():
            while n := int(self.rfile.readline(200).split(b';')[0].strip(), 16):
                take(n)
                self.rfile.readline(8)
            while self.rfile.readline(8192).strip():
                pass
        else:
            take(int(self.headers.get('Content-Length') or 0))
        return b''.join(parts) if size <= MAX_BODY else None

    def reply(self, status, text='', kind='text/plain; charset=us-ascii', **headers):
        data = text.encode('ascii', 'xmlcharrefreplace')
        self.send_response(status)
        for k, v in {'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff', **headers}.items():
            self.send_header(k.replace('_', '-'), v)
        if status == 204:
            return self.end_headers()
        if 'gzip' in self.headers.get('Accept-Encoding', '') and len(data) > 200:
            data = gzip.compress(data, 1)
            self.send_header('Content-Encoding', 'gzip')
        self.send_header('Content-Type', kind)
        self.send_header('Transfer-Encoding', 'chunked')
        self.end_headers()
        half = len(data) // 2
        self.wfile.write(b''.join(b'%x\r\n%s\r\n' % (len(p), p) for p in (data[:half], data[half:]) if p) + b'0\r\n\r\n')

    def do_POST(self):
        try:
            raw = self.body()
        except (ValueError, ConnectionError, TimeoutError):
            self.close_connection = True
            return self.reply(400, 'broken body', Connection='close')
        try:
            path, _, query = self.path.partition('?')
            if self.command == 'POST' and path.startswith('/r%2Fcb;v=1/'):
                sig = urllib.parse.parse_qs(query).get('sig', [''])[0]
                with L:
                    status = callback(path.rsplit('/', 1)[1], sig, self.headers.get('Content-Type', ''), raw)
                return self.reply(status, 'taken\n')
            if path == '/alive':
                return self.reply(200, 'yes\n')
            self.user_side(path, {k: v[0] for k, v in urllib.parse.parse_qs(query).items()}, raw)
        except Bad as e:
            self.reply(e.status, json.dumps({'type': 'about:blank', 'status': e.status, 'title': 'refused', 'detail': e.why}), 'application/problem+json')
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        except Exception as e:
            log('request failed', error=type(e).__name__)
            self.reply(500, 'internal error\n')

    do_GET = do_DELETE = do_PUT = do_POST

    def user_side(self, path, query, raw):
        if FRONT_KEY and not hmac.compare_digest(self.headers.get('X-Front-Key', '').encode(), FRONT_KEY.encode()):
            raise Bad(401, 'the front end must present its key')
        part = [urllib.parse.unquote(p) for p in path.split('/')[1:]]
        if part[0] != 'talk' or len(part) not in (2, 3) or not part[1]:
            raise Bad(404, 'nothing here')
        conv, verb = part[1], (self.command, part[2] if len(part) == 3 else '')
        if raw is None:
            raise Bad(413, 'too large')
        b = parse(raw) if self.command == 'POST' else query
        who = b.get('who')
        if not isinstance(who, str) or not who:
            raise Bad(422, 'who is missing')
        with L:
            if verb == ('GET', '') and query.get('hold', '0').isdigit():
                v = version.get(conv, 0)
                changed.wait_for(lambda: version.get(conv, 0) != v, min(int(query.get('hold', '0')), 30000) / 1000)
            c = one('SELECT * FROM conv WHERE id=?', conv)
            if c and (c['user'] != who or c['parent']) and not V('page-for-anybody'):
                raise Bad(403, 'not your conversation')
            if verb == ('POST', '') and not c:
                if b.get('consent') is not True:
                    raise Bad(428, 'the user must consent to the use of tools first')
                with tx():
                    db.execute("INSERT INTO conv(id,user,grp,toolsets) VALUES(?,?,?,'[]')", (conv, who, str(uuid.uuid4())))
            elif not c or c['closed']:
                raise Bad(410 if c else 404, 'no such conversation')
            if verb == ('GET', ''):
                text = '<!DOCTYPE html><html lang=en><meta charset=us-ascii><title>Talk</title>' + page(conv)
            elif verb == ('POST', ''):
                if not isinstance(b.get('say'), str):
                    raise Bad(422, 'say is missing')
                last_user[0] = who
                with tx() as post:
                    push(conv, 'user', {'text': b['say']}, post)
            elif verb == ('POST', 'interrupt'):
                with tx() as post:
                    push(conv, 'interrupt', {}, post)
            elif verb == ('POST', 'answer'):
                if not one('SELECT 1 FROM call WHERE conv=? AND id=?', conv, str(b.get('call'))):
                    raise Bad(404, 'no such call')
                with tx() as post:
                    push(conv, 'answer', {'call': b['call'], 'selected': b.get('selected')}, post)
            elif verb == ('DELETE', ''):
                with tx() as post:
                    cancel(conv, OPEN, 'Error: the conversation was closed.', post)
                    db.execute('UPDATE conv SET closed=1 WHERE id=?', (conv,))
                    notify('/close_thread', {'thread_id': c['grp']}, post)
            else:
                raise Bad(405, 'not here')
        if verb == ('GET', ''):
            return self.reply(200, text, 'text/html; charset=us-ascii', Content_Security_Policy="default-src 'none'")
        self.reply(202, 'queued\n', Location='/talk/' + urllib.parse.quote(conv, safe=''))


class Server(http.server.ThreadingHTTPServer):
    request_queue_size, daemon_threads = 256, True

    def handle_error(self, request, client_address):
        log('connection failed', error=getattr(sys.exc_info()[0], '__name__', ''))


def main():
    server = Server(('127.0.0.1', PORT), Web)
    with tx() as post:
        for c in rows("SELECT * FROM call WHERE state='sending'"):  # nobody knows whether these were delivered
            push(c['conv'], 'failed', {'call': c['id'], 'why': 'a restart of the runtime interrupted the delivery'}, post)
        if V('restart-resends'):
            for c in rows("SELECT * FROM call WHERE state IN ('sent','oauth')"):
                stops[c['id']] = threading.Event()
                t = tools_of(c['conv'])[0][c['name']][1]
                post.append(lambda c=c, t=t: spawn(dispatch, c['id'], c['name'], json.loads(c['args']), t['endpoint']))
        if V('timeout-forgotten-by-restart'):
            db.execute('UPDATE call SET deadline=NULL')
        post += [lambda r=r: kick(r['conv']) for r in rows('SELECT DISTINCT conv FROM inbox')]
    spawn(clock)
    server.serve_forever()


if __name__ == '__main__':
    main()

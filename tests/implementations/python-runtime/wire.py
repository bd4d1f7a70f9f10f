"""Pure parts: RAP message schemas, JSON Schema subset, toolset validation, HTTP client, HTML escaping."""
import base64, binascii, json, os, re, urllib.error, urllib.parse, urllib.request

VIOLATION = os.environ.get('VIOLATION', '')


def V(name):
    return VIOLATION == name


class Bad(Exception):
    def __init__(self, status, why):
        super().__init__(why)
        self.status, self.why = status, why


# ---------------------------------------------------------------- JSON
def _pairs(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError('a name occurs twice in an object')
    return out


def _const(name):
    raise ValueError(name + ' is no JSON')


def parse(raw):
    """Strict JSON object: UTF-8, no duplicate names, no NaN, no lone surrogates, no recursion bomb."""
    try:
        value = json.loads(raw.decode('utf-8'), object_pairs_hook=_pairs, parse_constant=_const)
        json.dumps(value, ensure_ascii=False).encode('utf-8')
    except (ValueError, RecursionError):
        raise Bad(400, 'the body is not strict UTF-8 JSON') from None
    if not isinstance(value, dict):
        raise Bad(422, 'the body is not a JSON object')
    return value


# ---------------------------------------------------------------- callback messages
def _s(m, key, errs, empty=False):
    v = m.get(key)
    if not isinstance(v, str) or (not empty and not v):
        errs.append(key + ' must be a string')


def _b64(v):
    try:
        base64.b64decode(v, validate=True)
        return True
    except (binascii.Error, ValueError, TypeError):
        return False


def _image(v):
    return isinstance(v, dict) and isinstance(v.get('data'), str) and _b64(v['data']) and isinstance(v.get('mediaType'), str)


def _segment(seg):
    if not isinstance(seg, dict) or not isinstance(seg.get('type'), str) or not isinstance(seg.get('content'), (str, dict)):
        return False
    c = seg['content']
    if seg['type'] == 'text':
        return isinstance(c, str)
    if seg['type'] == 'diff':
        return isinstance(c, dict) and isinstance(c.get('path'), str) and isinstance(c.get('patch'), str)
    if seg['type'] == 'image':
        return _image(c)
    return True  # unknown segment types are skipped when rendering


def web_url(v, schemes=('http', 'https')):
    if not isinstance(v, str) or re.search(r'[\x00-\x20\x7f-\xa0\\]|\s', v):
        return False
    try:
        u = urllib.parse.urlsplit(v)
        return u.scheme in schemes and bool(u.hostname) and u.hostname.isascii() and '@' not in u.netloc and (u.port or 1) > 0
    except ValueError:
        return False


def check(m):
    """Errors of a callback message; the texts never repeat values, which may be secrets."""
    errs, t = [], m.get('type')
    _s(m, 'group_id', errs)
    if t in ('tool_result', 'oauth', 'user_choice'):
        _s(m, 'id', errs)
        if not isinstance(m.get('call_id'), (str, type(None))):
            errs.append('call_id must be a string or null')
    if t == 'tool_result':
        if 'text' not in m and 'content' not in m:
            errs.append('text or content is required')
        if 'text' in m:
            _s(m, 'text', errs, empty=True)
        if 'content' in m and not (isinstance(m['content'], list) and all(
                isinstance(i, dict) and (i.get('type') == 'text' and isinstance(i.get('text'), str)
                                         or i.get('type') == 'image' and _image(i)) for i in m['content'])):
            errs.append('content must be an array of text and image items')
        if 'display_as' in m and not (isinstance(m['display_as'], list) and all(map(_segment, m['display_as']))):
            errs.append('display_as must be an array of {type, content}')
        if 'subscription' in m and not isinstance(m['subscription'], bool):
            errs.append('subscription must be a boolean')
    elif t == 'oauth':
        if not web_url(m.get('auth_url'), ('https',)):
            errs.append('auth_url must be an https URL without userinfo')
    elif t == 'user_choice':
        _s(m, 'prompt', errs, empty=True)
        ch, d = m.get('choices'), m.get('default')
        if not (isinstance(ch, list) and ch and all(isinstance(c, str) for c in ch)):
            errs.append('choices must be a non-empty array of strings')
        elif isinstance(d, bool) or not isinstance(d, (int, float)) or d != d // 1 or not 0 <= d < len(ch):
            errs.append('default must be an index into choices')
        if not web_url(m.get('response_url')):
            errs.append('response_url must be a URL')
    elif t == 'subscription_event':
        _s(m, 'tool_call_id', errs)
        _s(m, 'text', errs, empty=True)
        for k in ('associative', 'final'):
            if k in m and not isinstance(m[k], bool):
                errs.append(k + ' must be a boolean')
    elif t == 'view_update':
        _s(m, 'view_type', errs)
        if not isinstance(m.get('content'), dict):
            errs.append('content must be an object')
    else:
        errs.append('type is unknown')
    return errs


# ---------------------------------------------------------------- JSON Schema, the usual part
TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None)}


def _is(t, v):
    if t in ('number', 'integer'):
        return isinstance(v, (int, float)) and not isinstance(v, bool) and (t == 'number' or v == v // 1)
    return isinstance(v, TYPES[t])


def sane(s, deep=0):
    """Whether s can be a JSON Schema at all."""
    if isinstance(s, bool):
        return True
    if not isinstance(s, dict) or deep > 40:
        return False
    t = s.get('type', [])
    if not all(isinstance(x, str) and (x in TYPES or x in ('number', 'integer')) for x in ([t] if not isinstance(t, list) else t)):
        return False
    if not (isinstance(s.get('required', []), list) and all(isinstance(x, str) for x in s.get('required', []))):
        return False
    for k in ('properties', '$defs', 'patternProperties'):
        if not isinstance(s.get(k, {}), dict) or not all(sane(x, deep + 1) for x in s.get(k, {}).values()):
            return False
    for k in ('allOf', 'anyOf', 'oneOf'):
        if k in s and not (isinstance(s[k], list) and s[k] and all(sane(x, deep + 1) for x in s[k])):
            return False
    return all(sane(s[k], deep + 1) for k in ('items', 'additionalProperties', 'not') if k in s)


def fits(s, v, root=None, deep=0):
    root = s if root is None else root
    if isinstance(s, bool) or deep > 40:
        return bool(s)
    if isinstance(s.get('$ref'), str) and s['$ref'].startswith('#'):
        to = root
        for part in s['$ref'].split('/')[1:]:
            to = to.get(part.replace('~1', '/').replace('~0', '~'), {}) if isinstance(to, dict) else {}
        if not fits(to, v, root, deep + 1):
            return False
    go = lambda sub, val: fits(sub, val, root, deep + 1)
    t = s.get('type')
    if t is not None and not any(_is(x, v) for x in (t if isinstance(t, list) else [t])):
        return False
    if 'enum' in s and v not in s['enum'] or 'const' in s and v != s['const']:
        return False
    if isinstance(v, dict):
        props, pats = s.get('properties', {}), s.get('patternProperties', {})
        if any(r not in v for r in s.get('required', [])):
            return False
        for k, x in v.items():
            known = [props[k]] if k in props else []
            known += [p for pat, p in pats.items() if re.search(pat, k)]
            if not all(go(p, x) for p in known or [s.get('additionalProperties', True)]):
                return False
    if isinstance(v, list):
        if not s.get('minItems', 0) <= len(v) <= s.get('maxItems', len(v)) or 'items' in s and not all(go(s['items'], x) for x in v):
            return False
    if isinstance(v, str):
        if not s.get('minLength', 0) <= len(v) <= s.get('maxLength', len(v)) or 'pattern' in s and not re.search(s['pattern'], v):
            return False
    if _is('number', v) and not (s.get('minimum', v) <= v <= s.get('maximum', v)
                                 and s.get('exclusiveMinimum', v - 1) < v < s.get('exclusiveMaximum', v + 1)):
        return False
    if not all(go(x, v) for x in s.get('allOf', [])) or 'anyOf' in s and not any(go(x, v) for x in s['anyOf']):
        return False
    return not ('oneOf' in s and sum(go(x, v) for x in s['oneOf']) != 1 or 'not' in s and go(s['not'], v))


# ---------------------------------------------------------------- toolsets
RESERVED = ('cancel_subscription', 'receive_event__injected')


def toolset(base):
    """Fetch and validate one toolset; ValueError or OSError if there is none."""
    status, raw = http_call('GET', base + '/.well-known/rap-toolset', timeout=5)
    if status != 200:
        raise ValueError('discovery answered %d' % status)
    try:
        d = parse(raw)
    except Bad as e:
        raise ValueError(e.why) from None
    if not isinstance(d.get('name'), str) or not 1 <= len(d['name']) <= 128 or not web_url(d.get('endpoint')):
        raise ValueError('name or endpoint of the toolset is invalid')
    if not isinstance(d.get('description', ''), str) or not isinstance(d.get('needsMigration', False), bool):
        raise ValueError('description or needsMigration is invalid')
    tools = d.get('tools')
    if not isinstance(tools, list) or not tools:
        raise ValueError('the toolset has no tools')
    for t in tools:
        if (not isinstance(t, dict) or not isinstance(t.get('name'), str) or not re.fullmatch(r'[\w.-]{1,128}', t['name'])
                or not isinstance(t.get('description'), str) or not isinstance(t.get('inputSchema'), dict)
                or not sane(t['inputSchema']) or t['name'] in RESERVED or not isinstance(t.get('annotations', {}), dict)):
            raise ValueError('a tool of the toolset is invalid')
    if len({t['name'] for t in tools}) != len(tools):
        raise ValueError('a tool name occurs twice')
    return {'base': base, 'name': d['name'], 'endpoint': d['endpoint'], 'tools': [
        {k: t[k] for k in ('name', 'description', 'inputSchema', 'annotations') if k in t} for t in tools]}


# ---------------------------------------------------------------- HTTP client
class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *a, **k):
        return None


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)


def http_call(method, url, obj=None, headers=None, timeout=10, read=True):
    """(status, body); OSError without an answer. Bodies go out chunked, in UTF-8, unescaped."""
    h = {'Accept': 'application/json', 'User-Agent': 'runtime-python/1', **(headers or {})}
    data = None
    if obj is not None:
        h['Content-Type'] = 'application/json'
        data = iter([json.dumps(obj, ensure_ascii=False).encode('utf-8')])
    try:
        with _opener.open(urllib.request.Request(url, data=data, headers=h, method=method), timeout=timeout) as r:
            return r.status, r.read() if read else b''
    except urllib.error.HTTPError as e:
        with e:
            return e.code, b''
    except OSError:
        raise
    except Exception as e:  # http.client.HTTPException: broken answers
        raise OSError(type(e).__name__) from None


# ---------------------------------------------------------------- HTML
def esc(text):
    """Every character but ASCII letters, digits and blanks as a numeric reference: safe in text and attributes."""
    return ''.join(c if c.isascii() and (c.isalnum() or c in ' \n') else '&#x%X;' % ord(c) for c in text)

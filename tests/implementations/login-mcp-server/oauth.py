"""What the server is to its provider: its metadata, flows, tokens and where they are kept. The standard library alone."""
import base64, hashlib, json, os, secrets, sqlite3, threading, time
import urllib.error, urllib.parse, urllib.request

ENV = os.environ
ISSUER, CLIENT, SECRET = ENV["OAUTH_ISSUER"], ENV["OAUTH_CLIENT_ID"], ENV["OAUTH_CLIENT_SECRET"]


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(Stay)


def http(url, form=None, headers=None):
    """Status, headers and JSON (or None)."""
    data = urllib.parse.urlencode(form).encode() if form is not None else None
    request = urllib.request.Request(url, data, {"accept": "application/json", **(headers or {})})
    try:
        with opener.open(request, timeout=6) as r:
            status, head, body = r.status, r.headers, r.read(1 << 20)
    except urllib.error.HTTPError as e:
        status, head, body = e.code, e.headers, e.read(1 << 20)
    except (OSError, ValueError):
        return 0, {}, None
    try:
        return status, head, json.loads(body)
    except ValueError:
        return status, head, None


_meta = None


def metadata():
    global _meta
    if _meta is None:
        status, _, found = http(ISSUER + "/.well-known/oauth-authorization-server")
        if status != 200 or not found or found.get("issuer") != ISSUER:
            raise RuntimeError("the provider cannot be discovered")
        _meta = found
    return _meta


def basic():
    quote = lambda s: urllib.parse.quote(s, safe="")
    return {"authorization": "Basic " + base64.b64encode(f"{quote(CLIENT)}:{quote(SECRET)}".encode()).decode()}


# ------------------------------------------------------------------ storage
db = sqlite3.connect(os.path.join(ENV["DATA_DIR"], "items.db"), check_same_thread=False)
db.execute("create table if not exists grants(sub text primary key, access text, refresh text, expires real)")
db_lock = threading.Lock()


def grant_of(sub):
    with db_lock:
        return db.execute("select access, refresh, expires from grants where sub=?", (sub,)).fetchone()


def keep(sub, tokens, old_refresh=None):
    life = tokens.get("expires_in")
    try:
        expires = time.time() + float(life)
    except (TypeError, ValueError):
        expires = time.time() + 3600
    refresh = tokens.get("refresh_token") or old_refresh
    with db_lock:
        db.execute("replace into grants values(?,?,?,?)", (sub, tokens["access_token"], refresh, expires))
        db.commit()


def forget(sub):
    with db_lock:
        db.execute("delete from grants where sub=?", (sub,))
        db.commit()


# ------------------------------------------------------------------ OAuth
def token_request(form):
    status, _, body = http(metadata()["token_endpoint"], form, basic())
    return status, body


def usable(status, body):
    return (status == 200 and isinstance(body, dict) and isinstance(body.get("access_token"), str) and body["access_token"]
            and str(body.get("token_type", "")).lower() == "bearer")


flows = {}  # state → flow
flow_lock = threading.Lock()


def begin(kind, scope, redirect, **more):
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
    with flow_lock:
        flows[state] = {"kind": kind, "verifier": verifier, "redirect": redirect, "at": time.time(), **more}
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return metadata()["authorization_endpoint"] + "?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": CLIENT, "redirect_uri": redirect, "scope": scope, "state": state,
        "code_challenge": challenge, "code_challenge_method": "S256"})


refreshing = {}


def access_token(sub, spent=None):
    """A token to try, or None where the user has to be asked. Raises where only the provider is in trouble."""
    with flow_lock:
        lock = refreshing.setdefault(sub, threading.Lock())
    with lock:
        row = grant_of(sub)
        if not row:
            return None
        access, refresh, expires = row
        if access != spent and expires > time.time() + 5:
            return access
        if not refresh:
            forget(sub)
            return None
        status, body = token_request({"grant_type": "refresh_token", "refresh_token": refresh})
        if usable(status, body):
            keep(sub, body, refresh)
            return body["access_token"]
        if status == 400 and isinstance(body, dict) and body.get("error") == "invalid_grant":
            forget(sub)
            return None
        raise RuntimeError("the provider did not renew the access")

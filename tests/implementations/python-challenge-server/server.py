#!/usr/bin/env python3
"""An MCP server of revision 2025-11-25 over Streamable HTTP whose tool asks for a sign-in in its result (SEP-1489).
Standard library only.

Environment: PORT, PUBLIC_URL, OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET. Certificates of a private authority
come by SSL_CERT_FILE. VARIANT breaks it: another-resource, sniffs-user-agent, trusts-forwarded-host, not-for-audience.

Written from the documents alone, and unlike others where they leave a choice: no sessions, no GET stream; a POST is
answered by events, with a comment and a log message before the result; the challenge is one string with a realm; the
metadata stands at the root and names the endpoint; tokens are verified by introspection, and a wrong one is answered
by HTTP 401, one that lacks the scope by HTTP 403.
"""
import base64, json, os, signal, sys, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote_plus, urlencode, urlsplit

env = os.environ.get
PORT, PUBLIC, ISSUER = int(env('PORT') or 0), env('PUBLIC_URL', '').rstrip('/'), env('OAUTH_ISSUER', '')
CLIENT, SECRET, VARIANT = env('OAUTH_CLIENT_ID', ''), env('OAUTH_CLIENT_SECRET', ''), env('VARIANT', '')
ENDPOINT, METADATA, SCOPE = PUBLIC + '/mcp', '/.well-known/oauth-protected-resource', 'recipes.read'
REVISIONS = ['2025-11-25', '2025-06-18']


def fetch(url, form=None, headers=None):
    body = None if form is None else urlencode(form).encode()
    request = urllib.request.Request(url, body, {'accept': 'application/json', **(headers or {})})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.loads(response.read(1 << 20))


def introspect(token):
    """What the issuer says about a token; None for one that is not for us."""
    endpoint = fetch(ISSUER + '/.well-known/openid-configuration')['introspection_endpoint']
    pair = f'{quote_plus(CLIENT)}:{quote_plus(SECRET)}'.encode()
    said = fetch(endpoint, {'token': token}, {'authorization': 'Basic ' + base64.b64encode(pair).decode()})
    audience = said.get('aud') or []
    audience = [audience] if isinstance(audience, str) else audience
    if said.get('active') is not True or said.get('iss') != ISSUER:
        return None
    return said if VARIANT == 'not-for-audience' or ENDPOINT in audience else None


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def answer(self, status, body=b'', kind='application/json', **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        if body:
            self.send_header('content-type', kind)
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def public(self):
        forwarded = self.headers.get('x-forwarded-host')
        return f'http://{forwarded}' if forwarded and VARIANT == 'trusts-forwarded-host' else PUBLIC

    def challenge(self, error=None):
        parameters = {'realm': 'recipes', 'error': error, 'scope': SCOPE, 'resource_metadata': self.public() + METADATA}
        return 'Bearer ' + ', '.join(f'{name}="{value}"' for name, value in parameters.items() if value)

    def do_GET(self):
        if urlsplit(self.path).path != METADATA:
            return self.answer(405 if self.path == '/mcp' else 404)
        resource = 'https://kitchen.example/mcp' if VARIANT == 'another-resource' else self.public() + '/mcp'
        document = {'authorization_servers': [ISSUER], 'resource': resource, 'scopes_supported': [SCOPE, 'recipes.write'],
                    'resource_name': 'Rezepte für alle'}
        self.answer(200, json.dumps(document, ensure_ascii=False).encode(), 'application/json; charset=UTF-8')

    def do_DELETE(self):
        self.answer(405)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('content-length') or 0))
        if urlsplit(self.path).path != '/mcp':
            return self.answer(404)
        message = json.loads(body)
        if 'id' not in message:
            return self.answer(202)
        scheme, _, token = (self.headers.get('authorization') or '').partition(' ')
        said = None
        if scheme.lower() == 'bearer':
            said = introspect(token.strip())
            if said is None:
                return self.answer(401, www_authenticate=self.challenge('invalid_token'))
        method = message.get('method')
        if method == 'initialize':
            wanted = message['params'].get('protocolVersion')
            result = {'protocolVersion': wanted if wanted in REVISIONS else REVISIONS[0],
                      'capabilities': {'tools': {}, 'logging': {}}, 'serverInfo': {'name': 'recipes', 'version': '1'}}
        elif method == 'tools/list':
            names = ['about', 'my_recipes']
            result = {'tools': [{'name': name, 'inputSchema': {'type': 'object'}} for name in names]}
        elif method == 'tools/call':
            if said is not None and SCOPE not in said.get('scope', '').split():
                return self.answer(403, www_authenticate=self.challenge('insufficient_scope'))
            result = self.call(message['params'].get('name'), said)
        else:
            result = {}
        self.events(message['id'], result)

    def call(self, name, said):
        if name == 'about':
            return {'content': [{'type': 'text', 'text': 'Recipes for everybody.'}]}
        if said:
            return {'content': [{'type': 'text', 'text': f'Soup, by {said["sub"]}'}], 'isError': False}
        error = {'content': [{'type': 'text', 'text': 'Bitte melden Sie sich an.'}], 'isError': True}
        if VARIANT == 'sniffs-user-agent' and 'mcp-client' not in (self.headers.get('user-agent') or ''):
            return error
        return {**error, '_meta': {'recipes.example/trace': 1, 'mcp/www_authenticate': self.challenge()}}

    def events(self, ident, result):
        note = {'jsonrpc': '2.0', 'method': 'notifications/message', 'params': {'level': 'info', 'data': 'called'}}
        reply = {'jsonrpc': '2.0', 'id': ident, 'result': result}
        text = ''.join(f'event: message\ndata: {json.dumps(each)}\n\n' for each in (note, reply))
        self.answer(200, (': hello\n\n' + text).encode(), 'text/event-stream')


server = ThreadingHTTPServer(('127.0.0.1', PORT), Handler)
server.daemon_threads = True
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
print(f'listening at {PUBLIC}', flush=True)
server.serve_forever()

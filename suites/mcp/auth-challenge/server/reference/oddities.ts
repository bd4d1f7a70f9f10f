/** Lawful variations of this server, one at a time: what a conformance suite must not hold against it. */

import type { CallToolResult } from '@modelcontextprotocol/server'
import { decodeProtectedHeader } from 'jose'

import type { Parts } from './parts.ts'
import type { Oddity } from './variation.ts'

const transports = 'MCP 2025-11-25 Transports, Streamable HTTP'
const form = 'SEP-1489, Error Response Shape'

export const oddities: readonly Oddity[] = [
  {
    id: 'challenge-as-string',
    description: 'the challenge is a string, not an array',
    permitted: `${form}: a string or array of strings`,
    touches: ['challenged-then-served', 'modern'],
    parts: (defaults) => keyed(defaults, (challenge) => challenge),
  },
  {
    id: 'bearer-among-others',
    description: 'the Bearer challenge is the second of three values, and the second in its list',
    permitted: `${form}: array of strings; RFC 9110 §11.6.1: a list of challenges`,
    touches: ['challenged-then-served', 'modern'],
    parts: (defaults) =>
      keyed(defaults, (challenge) => [
        'Negotiate',
        `DPoP algs="ES256", ${challenge}`,
        'Basic realm="notes"',
      ]),
  },
  {
    id: 'challenge-in-odd-spelling',
    description:
      'scheme and names are in other cases, with blanks, empty elements and quoted pairs',
    permitted: 'RFC 9110 §5.6.1, §5.6.4, §11.1, §11.2: case-insensitive; BWS; quoted-pair',
    touches: ['challenged-then-served', 'modern'],
    parts: () => ({
      formatChallenge: (parameters) => {
        const written = Object.entries(parameters).map(
          ([name, value]) => `${name.toUpperCase()} = "${value.replaceAll('/', '\\/')}"`,
        )
        return `, bEARER ${written.join(' ,, ')},`
      },
    }),
  },
  {
    id: 'challenge-with-realm',
    description: 'the challenge has a realm, a description and a parameter that nobody knows',
    permitted: 'RFC 6750 §3: realm, and any other auth-param',
    touches: ['challenged-then-served', 'token-expired'],
    parts: (defaults) => ({
      challengeParameters: (need) => ({
        realm: 'notes, and "more"',
        error_description: 'Please sign in',
        ...defaults.challengeParameters(need),
        'x-hint': 'none',
      }),
    }),
  },
  {
    id: 'challenge-without-scope',
    description: 'the challenge to a call without a token names no scope; the metadata does',
    permitted: 'RFC 6750 §3: the scope attribute is optional',
    touches: ['challenged-then-served', 'modern'],
    parts: (defaults) => ({
      challengeParameters(need) {
        const { scope, ...others } = defaults.challengeParameters(need)
        return need.access.kind === 'user' ? { ...others, scope: scope ?? '' } : others
      },
    }),
  },
  {
    id: 'scope-asked-for-in-steps',
    description:
      'at first a baseline scope is asked for, and the one of the tool when it is called',
    permitted:
      'MCP Authorization, Scope Selection Strategy: scopes_supported is minimal, and others are requested by step-up',
    touches: [
      'challenged-then-served',
      'modern',
      'modern-flawed-tokens',
      'small-scope',
      'token-expired',
      'token-left-out',
      'scheme-in-lower-case',
      'token-altered-after-use',
    ],
    parts: (defaults) => ({
      challengeParameters: (need) => ({
        ...defaults.challengeParameters(need),
        ...(need.access.kind === 'user' ? {} : { scope: 'notes:list' }),
      }),
      describeResource: (publicUrl, issuer) => ({
        ...defaults.describeResource(publicUrl, issuer),
        scopes_supported: ['notes:list'],
      }),
    }),
  },
  {
    id: 'no-scopes-anywhere',
    description: 'neither the challenge nor the metadata names a scope, and none is needed',
    permitted: 'RFC 9728 §2: scopes_supported is recommended; RFC 6750 §3: scope is optional',
    touches: ['challenged-then-served', 'token-expired'],
    configuration: { declares: { scopes: [] } },
    parts: (defaults) => ({
      missingScopes: () => [],
      challengeParameters(need) {
        const { scope: _, ...others } = defaults.challengeParameters(need)
        return others
      },
      describeResource(publicUrl, issuer) {
        const { scopes_supported: _, ...others } = defaults.describeResource(publicUrl, issuer)
        return others
      },
    }),
  },
  {
    id: 'content-of-other-kind',
    description: 'the content is a link and a text in Japanese, with structured content beside it',
    permitted: 'MCP Tools, Tool Result: any content; SEP-1489: mainly for human-readable display',
    touches: ['challenged-then-served', 'modern'],
    parts: (defaults) =>
      changed(defaults, (result) => ({
        ...result,
        content: [
          { type: 'resource_link', uri: 'https://notes.example/help', name: 'help' },
          { type: 'text', text: 'ログインしてください。' },
        ],
        structuredContent: { reason: 'sign-in' },
      })),
  },
  {
    id: 'more-in-meta',
    description: 'other members stand in _meta beside the challenge',
    permitted: 'MCP, General fields: _meta holds what anybody defines',
    touches: ['challenged-then-served', 'modern'],
    parts: (defaults) =>
      changed(defaults, ({ _meta: meta, ...result }) => ({
        ...result,
        _meta: { 'notes.example/trace': 'x1', ...meta, 'openai/locale': 'en' },
      })),
  },
  {
    id: 'json-answers',
    description: 'a POST is answered by JSON',
    permitted: `${transports}, Sending Messages to the Server: application/json or text/event-stream`,
    touches: ['challenged-then-served'],
    parts: (defaults) => ({
      createTransport: (options) =>
        defaults.createTransport({ ...options, enableJsonResponse: true }),
    }),
  },
  {
    id: 'modern-answers-as-events',
    description: 'requests of 2026-07-28 are answered by an event stream',
    permitted: 'MCP 2026-07-28 Transports, Streamable HTTP: JSON or an event stream',
    touches: ['modern'],
    parts: () => ({
      async answerModern(response) {
        if (!response.headers.get('content-type')?.startsWith('application/json')) return response
        const event = `: one moment\n\nevent: message\ndata: ${await response.text()}\n\n`
        return new Response(event, { headers: { 'content-type': 'text/event-stream' } })
      },
    }),
  },
  {
    id: 'without-sessions',
    description: 'there are no sessions',
    permitted: `${transports}, Session Management: a server MAY assign a session id`,
    touches: ['challenged-then-served', 'other-caller', 'session-begun-with-token'],
    parts: () => ({ newSessionId: () => undefined }),
  },
  {
    id: 'session-of-nobody-ends',
    description: 'a session that began without a token ends when a token is sent: 404',
    permitted: `${transports}, Session Management: a server MAY terminate the session at any time`,
    touches: ['challenged-then-served', 'token-expired', 'small-scope'],
    parts: () => {
      const anonymous = new Set<string>()
      return {
        answerByHttp(_access, _challenge, request) {
          const id = request.headers.get('mcp-session-id')
          const hasToken = request.headers.has('authorization')
          if (id === null) return undefined
          if (!hasToken) anonymous.add(id)
          return hasToken && anonymous.has(id) ? new Response(null, { status: 404 }) : undefined
        },
      }
    },
  },
  {
    id: 'get-and-delete-refused',
    description: 'there is no GET stream, and a session cannot be ended: 405',
    permitted: `${transports}: the server MUST either stream or return 405; MAY respond 405 to DELETE`,
    touches: ['challenged-then-served'],
    parts: () => ({
      answerByHttp: (_access, _challenge, request) =>
        request.method === 'POST'
          ? undefined
          : new Response(null, { status: 405, headers: { allow: 'POST' } }),
    }),
  },
  {
    id: 'wrong-token-by-http',
    description: 'a token that is not valid is answered by HTTP 401, one that lacks a scope by 403',
    permitted: 'MCP Authorization, Token Handling, Scope Challenge Handling: HTTP 401 and 403',
    touches: [
      'token-expired',
      'token-other-issuer',
      'small-scope',
      'challenged-when-expired',
      'challenged-for-scope',
    ],
    parts: (defaults) => ({
      answerByHttp(access, challenge) {
        const lacks = defaults.missingScopes(access).length > 0
        if (access.kind !== 'invalid' && !lacks) return undefined
        const headers = { 'www-authenticate': challenge }
        return new Response(null, { status: lacks ? 403 : 401, headers })
      },
    }),
  },
  {
    id: 'opaque-by-introspection',
    description: 'tokens are opaque, and verified by introspection',
    permitted: 'RFC 7662; OAuth 2.1 §1.4: the format of tokens is for the issuer and the resource',
    touches: [
      'challenged-then-served',
      'token-expired',
      'token-other-audience',
      'token-other-issuer',
    ],
    configuration: { provider: { tokenFormat: 'opaque' } },
  },
  {
    id: 'rs256-alone',
    description: 'tokens that are signed otherwise than by RS256 are refused',
    permitted: 'RFC 9068 §2.1: authorization servers and resource servers must support RS256',
    touches: ['challenged-then-served', 'modern'],
    parts: (defaults) => ({
      verifyJwt: async (issuer, config, token) =>
        decodeProtectedHeader(token).alg === 'RS256'
          ? defaults.verifyJwt(issuer, config, token)
          : undefined,
    }),
  },
  {
    id: 'es256-alone',
    description: 'tokens that are signed otherwise than by ES256 are refused, and none is expected',
    permitted: 'RFC 9068 §2.1: JWT access tokens can use any asymmetric signature',
    touches: ['challenged-then-served', 'modern'],
    configuration: { provider: { tokenSigningAlg: 'ES256' } },
    parts: (defaults) => ({
      verifyJwt: async (issuer, config, token) =>
        decodeProtectedHeader(token).alg === 'ES256'
          ? defaults.verifyJwt(issuer, config, token)
          : undefined,
    }),
  },
  {
    id: 'metadata-at-the-root',
    description:
      'the metadata stands at the root form of the well-known URI, and names the endpoint',
    permitted: 'MCP Authorization, Protected Resource Metadata Discovery Requirements: at the root',
    touches: ['challenged-then-served', 'forged-x-forwarded-host'],
    parts: () => ({ metadataPath: '/.well-known/oauth-protected-resource' }),
  },
  {
    id: 'metadata-elsewhere',
    description: 'the metadata stands at a path of its own',
    permitted: 'RFC 9728 §5.1: resource_metadata is the URL of the metadata',
    touches: ['challenged-then-served', 'forged-forwarded'],
    parts: () => ({ metadataPath: '/about/this-resource.json' }),
  },
  {
    id: 'metadata-with-more-members',
    description: 'the metadata has a second authorization server, and members that nobody knows',
    permitted: 'RFC 9728 §2: additional metadata; MCP Authorization: at least one server',
    touches: ['challenged-then-served'],
    parts: (defaults) => ({
      describeResource: (publicUrl, issuer) => ({
        ...defaults.describeResource(publicUrl, issuer),
        authorization_servers: ['https://login.notes.example', issuer],
        resource_name: 'Notes',
        tls_client_certificate_bound_access_tokens: false,
        'x-notes-version': 3,
      }),
      serveMetadata: (metadata) =>
        new Response(JSON.stringify(metadata), {
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'cache-control': 'no-store',
          },
        }),
    }),
  },
  {
    id: 'issuer-with-slash',
    description:
      'the authorization server is named with the slash of no path, as URL parsers write it',
    permitted: 'RFC 3986 §6.2.3: an empty path is the same as "/"',
    touches: ['challenged-then-served', 'modern'],
    parts: (defaults) => ({
      describeResource: (publicUrl, issuer) =>
        defaults.describeResource(publicUrl, new URL(issuer).href),
    }),
  },
  {
    id: 'metadata-names-localhost',
    description: 'the public URL says localhost where the client says 127.0.0.1',
    permitted:
      'RFC 9728 §1.2: the identifier is the server’s own; both names are the loopback interface',
    touches: ['challenged-then-served', 'forged-x-forwarded-proto'],
    parts: (defaults) => ({
      publicUrlOf: (config, headers) =>
        defaults.publicUrlOf(config, headers).replace('127.0.0.1', 'localhost'),
      accessOf: (claims, { issuer, resource }) =>
        defaults.accessOf(claims, { issuer, resource: resource.replace('127.0.0.1', 'localhost') }),
    }),
  },
  {
    id: 'refuses-other-origins',
    description: 'requests of pages elsewhere are refused by words that name the origin: 403',
    permitted: `${transports}, Security Warning: servers validate the Origin header`,
    touches: ['challenged-then-served', 'forged-origin'],
    parts: () => ({
      answerByHttp(_access, _challenge, { headers }) {
        const origin = headers.get('origin')
        if (origin === null) return undefined
        return Response.json({ error: `${origin} is not allowed` }, { status: 403 })
      },
    }),
  },
  {
    id: 'refuses-claimed-hosts',
    description: 'requests with forwarding headers are refused: 400',
    permitted: 'RFC 9110 §15.5.1: what is perceived to be a client error',
    touches: ['forged-x-forwarded-host', 'forged-forwarded', 'forged-x-forwarded-proto'],
    parts: () => ({
      answerByHttp: (_access, _challenge, { headers }) =>
        ['x-forwarded-host', 'forwarded', 'x-forwarded-proto'].some((name) => headers.has(name))
          ? new Response(null, { status: 400 })
          : undefined,
    }),
  },
  {
    id: 'empty-notes',
    description: 'the tool has little to say: an empty list',
    permitted: 'MCP Tools, Tool Result: any content',
    touches: ['challenged-then-served', 'token-expired'],
    parts: () => ({ listNotes: () => ({ content: [{ type: 'text', text: '[]' }] }) }),
  },
  {
    id: 'empty-structured-notes',
    description: 'every result has the list of the output schema; the user has none, as nobody has',
    permitted:
      'MCP Tools, Output Schema: servers MUST provide structured results that conform to it',
    touches: ['challenged-then-served', 'token-expired', 'small-scope'],
    parts: (defaults) => ({
      listNotes: () => ({
        content: [{ type: 'text', text: '{"notes":[]}' }],
        structuredContent: { notes: [] },
      }),
      ...changed(defaults, (result) => ({ ...result, structuredContent: { notes: [] } })),
    }),
  },
]

/** Another value under the key. */
function keyed(defaults: Parts, valueOf: (challenge: string) => unknown): Partial<Parts> {
  return {
    challengeResult: (challenge, need) => ({
      ...defaults.challengeResult(challenge, need),
      _meta: { 'mcp/www_authenticate': valueOf(challenge) },
    }),
  }
}

function changed(
  defaults: Parts,
  change: (result: CallToolResult) => CallToolResult,
): Partial<Parts> {
  return {
    challengeResult: (challenge, need) => change(defaults.challengeResult(challenge, need)),
  }
}

/** Defects of who may call, and of who may open a link. */

import { createPublicKey, X509Certificate, type JsonWebKey } from 'node:crypto'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  EmbeddedJWK,
  jwtVerify,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type ProtectedHeaderParameters,
} from 'jose'

import { ownerOf, type Principal } from '../access/principal.ts'
import type { Provider } from '../oauth/provider.ts'
import type { Parts } from '../parts.ts'
import { agreeingOn, alterHandling } from './alter.ts'
import type { Defect } from './defect.ts'

export const accessDefects: readonly Defect[] = [
  {
    id: 'served-without-token',
    description: 'a request without a token is served like one of a user called nobody',
    parts: (defaults) => ({
      bearerToken: (request) => defaults.bearerToken(request) ?? 'nobody',
      verifyToken: async (provider, token) =>
        token === 'nobody' ? nobody : defaults.verifyToken(provider, token),
      isMeantFor: (endpoint, audience) =>
        audience === nobody.audience || defaults.isMeantFor(endpoint, audience),
    }),
  },
  {
    id: 'token-not-verified',
    description: 'a JWT is believed without looking at its signature, issuer and expiry',
    parts: (defaults) => ({
      async verifyToken(provider, token) {
        return isJwt(token) ? readIn(token) : defaults.verifyToken(provider, token)
      },
    }),
  },
  {
    id: 'session-stands-for-token',
    description: 'in a session no token is demanded: what it began with is taken for one',
    parts: (defaults) => {
      const tokens = new Map<string, string>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const session = request.headers.get('mcp-session-id')
          if (session === null) return token
          const known = tokens.get(session) ?? token
          if (known !== undefined) tokens.set(session, known)
          return token ?? known
        },
      }
    },
  },
  {
    id: 'no-token-asked-of-listeners',
    description:
      'a token is demanded of what is posted, and not of who asks for the stream of a session',
    parts: (defaults) => {
      const tokens = new Map<string, string>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const session = request.headers.get('mcp-session-id') ?? ''
          if (token !== undefined) tokens.set(session, token)
          return token ?? (request.method === 'GET' ? tokens.get(session) : undefined)
        },
      }
    },
  },
  {
    id: 'token-read-unverified-in-sessions',
    description: 'a JWT is verified when a session begins, and only read in every later request',
    parts: (defaults) => {
      const later = new Set<string>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          if (token !== undefined && request.headers.has('mcp-session-id')) later.add(token)
          return token
        },
        async verifyToken(provider, token) {
          return isJwt(token) && later.has(token)
            ? readIn(token)
            : defaults.verifyToken(provider, token)
        },
      }
    },
  },
  {
    id: 'introspection-kept-for-ever',
    description: 'what the provider said about a token is kept for as long as the process lives',
    parts: (defaults) => {
      const kept = new Map<string, ReturnType<Parts['verifyToken']>>()
      return {
        async verifyToken(provider, token) {
          const known = await kept.get(token)
          if (known) return known
          const asking = defaults.verifyToken(provider, token)
          kept.set(token, asking)
          return asking
        },
      }
    },
  },
  {
    id: 'public-key-as-secret',
    description: 'the public key verifies a JWT by whatever algorithm its header names',
    parts: (defaults) => ({
      async verifyToken(provider, token) {
        if (headerOf(token).alg !== 'HS256') return defaults.verifyToken(provider, token)
        const response = await provider.fetch(provider.server.jwks_uri ?? '', {})
        const { keys } = (await response.json()) as { keys: readonly JsonWebKey[] }
        const key = keys.find((each) => each['kid'] === headerOf(token).kid) ?? {}
        const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
        return believed(token, Buffer.from(pem))
      },
    }),
  },
  {
    id: 'key-of-the-header',
    description: 'a JWT that brings its key along is verified by that key',
    parts: (defaults) => ({
      verifyToken: (provider, token) =>
        headerOf(token).jwk === undefined
          ? defaults.verifyToken(provider, token)
          : believed(token, EmbeddedJWK),
    }),
  },
  {
    id: 'certificate-of-the-header',
    description: 'a JWT that brings a certificate along is verified by the key of that',
    parts: (defaults) => ({
      verifyToken(provider, token) {
        const [certificate] = headerOf(token).x5c ?? []
        if (certificate === undefined) return defaults.verifyToken(provider, token)
        const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'))
        return believed(token, async () => publicKey)
      },
    }),
  },
  {
    id: 'keys-where-the-header-says',
    description: 'a JWT is verified by the keys at the address in its header',
    parts: (defaults) => ({
      async verifyToken(provider, token) {
        const { jku } = headerOf(token)
        return jku === undefined
          ? defaults.verifyToken(provider, token)
          : believed(token, await keysAt(provider, jku))
      },
    }),
  },
  {
    id: 'token-issuer-not-compared',
    description: 'a JWT that the right keys have signed is believed, whoever it says issued it',
    parts: (defaults) => ({
      verifyToken: async (provider, token) =>
        isJwt(token)
          ? believed(token, await keysAt(provider, provider.server.jwks_uri))
          : defaults.verifyToken(provider, token),
    }),
  },
  {
    id: 'token-of-any-issuer',
    description: 'a JWT of any issuer is verified by the keys that its issuer publishes',
    parts: (defaults) => ({
      async verifyToken(provider, token) {
        if (!isJwt(token)) return defaults.verifyToken(provider, token)
        const { iss = '' } = decodeJwt(token)
        const page = await provider.fetch(`${iss}/.well-known/oauth-authorization-server`, {})
        const { jwks_uri: address } = (await page.json()) as { readonly jwks_uri?: string }
        return believed(token, await keysAt(provider, address))
      },
    }),
  },
  {
    id: 'audience-ignored',
    description: 'tokens of the issuer are accepted whatever they are for',
    parts: () => ({ isMeantFor: () => true }),
  },
  {
    id: 'audience-of-the-api-taken',
    description: 'tokens for the API that it calls are accepted as well',
    parts: ({ isMeantFor }) => ({
      isMeantFor: (endpoint, audience) =>
        isMeantFor(endpoint, audience) || audience.some((each) => each.endsWith('/resource')),
    }),
  },
  {
    id: 'account-encoded-in-url',
    description: 'the URL names the user, in base64url',
    parts: (defaults) => ({
      connectUrl(settings, elicitation) {
        const subject = Buffer.from(subjectOf(elicitation.principal)).toString('base64url')
        return `${defaults.connectUrl(settings, elicitation)}&user=${subject}`
      },
    }),
  },
  {
    id: 'audience-compared-by-prefix',
    description: 'an audience that begins like the endpoint is taken for it',
    parts: () => ({
      isMeantFor: (endpoint, audience) => audience.some((each) => each.startsWith(endpoint)),
    }),
  },
  {
    id: 'token-in-query-accepted',
    description: 'a token in the query of the endpoint is accepted',
    parts: (defaults) => ({
      bearerToken: (request) =>
        defaults.bearerToken(request) ??
        new URL(request.url).searchParams.get('access_token') ??
        undefined,
    }),
  },
  {
    id: 'metadata-without-server',
    description: 'the metadata of the endpoint names no authorization server',
    parts: (defaults) => ({
      describeResource(settings) {
        const { authorization_servers: _servers, ...described } =
          defaults.describeResource(settings)
        return described
      },
    }),
  },
  {
    id: 'session-is-identity',
    description: 'whoever knows the id of a session is the user who began it',
    parts: (defaults) => sessionIsIdentity(defaults),
  },
  {
    id: 'session-is-identity-in-an-older-revision',
    description:
      'whoever knows the id of a session is the user who began it, in the one revision that is spoken: 2025-06-18',
    parts: (defaults) => ({
      ...sessionIsIdentity(defaults),
      ...speakingOnly('2025-06-18', defaults),
    }),
  },
  {
    id: 'client-token-upstream',
    description: 'the API is tried with the token of the client first',
    parts: (defaults) => {
      let clientToken = ''
      return {
        verifyToken(provider, token) {
          clientToken = token
          return defaults.verifyToken(provider, token)
        },
        async fetchItems(api, accessToken) {
          if (clientToken !== '') await defaults.fetchItems(api, clientToken).catch(() => {})
          return defaults.fetchItems(api, accessToken)
        },
      }
    },
  },
  // ------------------------------------------------------------- the browser
  {
    id: 'stranger-accepted',
    description: 'whoever is logged in may open a link, and binds their account to its user',
    parts: () => ({ isSameUser: () => true }),
  },
  {
    id: 'stranger-accepted-the-second-time',
    description: 'a link that one user has been refused opens for whoever comes next',
    parts: ({ isSameUser }) => {
      const refused = new Set<string>()
      return {
        isSameUser(principal, subject) {
          const isSame = isSameUser(principal, subject)
          const owner = ownerOf(principal) ?? ''
          if (isSame || refused.has(owner)) return true
          refused.add(owner)
          return false
        },
      }
    },
  },
  {
    id: 'login-not-asked',
    description: 'whoever opens a link is sent to the provider, logged in or not',
    parts: () => ({ loggedIn: () => 'anybody', isSameUser: () => true }),
  },
  {
    id: 'link-logs-in',
    description: 'a link says whose it is, and whoever opens it is taken for that user',
    parts: (defaults) => ({
      connectUrl: (settings, elicitation) =>
        `${defaults.connectUrl(settings, elicitation)}&as=${subjectOf(elicitation.principal)}`,
      loggedIn: (http, logins, publicUrl) =>
        http.req.query('as') ?? defaults.loggedIn(http, logins, publicUrl),
    }),
  },
  {
    id: 'flow-of-any-browser',
    description: 'a flow may be finished in another browser than the one that began it',
    parts: () => ({ isSameBrowser: () => true }),
  },
  {
    id: 'login-cookie-is-the-user',
    description: 'who has logged in is known by a cookie that names them, and nothing else',
    parts: () => ({
      createLogins: () => ({
        add: (subject) => subject,
        subjectOf: (cookie) => cookie || undefined,
      }),
    }),
  },
  {
    id: 'login-of-any-browser',
    description: 'a login may be finished in another browser than the one that began it',
    parts: ({ isSameBrowser }) => ({
      isSameBrowser: (http, flow) => flow.purpose.kind === 'login' || isSameBrowser(http, flow),
    }),
  },
  {
    id: 'flow-cookie-strict',
    description: 'the cookie of the flow to the provider is none that a browser brings from there',
    parts: (defaults) => ({
      rememberBrowser(http, ...flow) {
        defaults.rememberBrowser(http, ...flow)
        if (new URL(http.req.url).pathname !== '/connect') return
        const cookies = http.res.headers.getSetCookie()
        http.res.headers.delete('set-cookie')
        for (const cookie of cookies)
          http.res.headers.append('set-cookie', cookie.replace('SameSite=Lax', 'SameSite=Strict'))
      },
    }),
  },
  {
    id: 'login-redirects-anywhere',
    description: 'after a login the browser is sent wherever the query said',
    parts: () => ({ safeReturn: (publicUrl, wanted) => new URL(wanted, publicUrl).href }),
  },
  // ------------------------------------------------------------- the URL
  {
    id: 'user-in-url',
    description: 'the URL names the user',
    parts: (defaults) => ({
      connectUrl: (settings, elicitation) =>
        `${defaults.connectUrl(settings, elicitation)}&user=${subjectOf(elicitation.principal)}`,
    }),
  },
  {
    id: 'client-token-in-url',
    description: 'the URL carries the access token of the client',
    parts: (defaults) => {
      let clientToken = ''
      return {
        verifyToken(provider, token) {
          clientToken = token
          return defaults.verifyToken(provider, token)
        },
        connectUrl: (settings, elicitation) =>
          `${defaults.connectUrl(settings, elicitation)}&token=${clientToken}`,
      }
    },
  },
  {
    id: 'client-secret-in-url',
    description: 'the URL carries the secret of the server as an OAuth client',
    parts: (defaults) => ({
      connectUrl: (settings, elicitation) =>
        `${defaults.connectUrl(settings, elicitation)}&key=${encodeURIComponent(settings.clientSecret ?? '')}`,
    }),
  },
]

const nobody = {
  subject: 'nobody',
  clientId: '',
  audience: [] as readonly string[],
  scopes: [] as string[],
  expiresAt: Number.MAX_SAFE_INTEGER,
}

function isJwt(token: string): boolean {
  return token.split('.').length === 3
}

/** What a JWT says, whoever wrote it. */
function readIn(token: string) {
  const { sub = '', aud = [], exp = 0 } = decodeJwt(token)
  return { ...nobody, subject: sub, audience: [aud].flat(), expiresAt: exp }
}

function headerOf(token: string): ProtectedHeaderParameters {
  return isJwt(token) ? decodeProtectedHeader(token) : {}
}

/** The keys that somebody publishes. */
async function keysAt(provider: Provider, address = ''): Promise<JWTVerifyGetKey> {
  const response = await provider.fetch(address, {})
  return createLocalJWKSet((await response.json()) as JSONWebKeySet)
}

/** What a JWT says that this key has sealed. */
async function believed(token: string, key: Uint8Array | JWTVerifyGetKey) {
  const verified = typeof key === 'function' ? jwtVerify(token, key) : jwtVerify(token, key)
  const payload = await verified.then(
    (found) => found.payload,
    () => undefined,
  )
  const { sub = '', aud = [], exp = 0 } = payload ?? {}
  return payload && { ...nobody, subject: sub, audience: [aud].flat(), expiresAt: exp }
}

/** Agrees on one revision, and refuses requests that name another one. */
function speakingOnly(revision: string, defaults: Parts) {
  const agreeing = agreeingOn(defaults, revision)
  return {
    ...agreeing,
    ...alterHandling(agreeing, async (handle, request, more) => {
      const named = request.headers.get('mcp-protocol-version') ?? revision
      return named === revision ? handle(request, more) : new Response(null, { status: 400 })
    }),
  } satisfies Partial<Parts>
}

function sessionIsIdentity(defaults: Parts) {
  const owners = new Map<string, Principal>()
  return {
    ownsSession: () => true,
    principalOf(context) {
      const principal = defaults.principalOf(context)
      const { sessionId } = context
      if (sessionId === undefined) return principal
      const owner = owners.get(sessionId) ?? principal
      owners.set(sessionId, owner)
      return owner
    },
  } satisfies Partial<Parts>
}

function subjectOf(principal: Principal): string {
  return encodeURIComponent(principal.kind === 'user' ? principal.subject : principal.kind)
}

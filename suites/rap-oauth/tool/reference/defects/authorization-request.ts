/** Defects on the way to the user: the decision to ask, and the authorization URL. */

import { createHash, randomBytes } from 'node:crypto'

import { alterAuthorizationUrl, alterExchange, alterMessages, isResult } from './alter.ts'
import type { Parts } from '../parts.ts'
import { flowKey } from '../flow-store.ts'
import { pushing } from '../pushing.ts'
import type { Defect } from './defect.ts'

const unusable = { accessToken: 'none', refreshToken: null, expiresAt: null, scopes: [] }

export const authorizationRequestDefects: readonly Defect[] = [
  {
    id: 'tries-before-asking',
    description: 'the operation is tried with a made-up token before the user is asked',
    parts: (defaults) => ({
      loadTokens: async (files, key) => (await defaults.loadTokens(files, key)) ?? unusable,
    }),
  },
  // ------------------------------------------------------------- where it leads
  {
    id: 'auth-url-of-the-completed-call',
    description:
      'who has authorized once is shown the link of that call whenever another is needed',
    parts: (defaults) => {
      const users = new Map<string, string | null>()
      const urls = new Map<string, URL>()
      const completed = new Map<string | null, URL>()
      return {
        newState(call) {
          const state = defaults.newState(call)
          users.set(state, call.userId)
          return state
        },
        buildAuthorizationUrl(provider, request) {
          const url = defaults.buildAuthorizationUrl(provider, request)
          urls.set(flowKey(request.state), url)
          return completed.get(users.get(request.state) ?? null) ?? url
        },
        async claimFlow(flow, flows) {
          const url = urls.get(flow.key)
          if (url && flow.call.userId !== null) completed.set(flow.call.userId, url)
          return defaults.claimFlow(flow, flows)
        },
      }
    },
  },
  {
    id: 'auth-url-relative',
    description: 'auth_url has neither scheme nor host',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        if (isResult(message)) return message
        const { pathname, search } = new URL(String(message['auth_url']))
        return { ...message, auth_url: pathname + search }
      }),
  },
  {
    id: 'auth-url-elsewhere',
    description: 'auth_url leads to a path that the provider does not have',
    parts: (defaults) =>
      alterAuthorizationUrl(defaults, (_, url) => {
        url.pathname = '/oauth2/auth'
      }),
  },
  {
    id: 'auth-url-cut',
    description: 'auth_url ends at its first ampersand',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        if (isResult(message)) return message
        return { ...message, auth_url: String(message['auth_url']).split('&')[0] }
      }),
  },
  {
    id: 'http-auth-url',
    description: 'auth_url uses http, whatever the provider advertises',
    parts: (defaults) => ({
      ...alterAuthorizationUrl(defaults, (_, url) => {
        url.protocol = 'http:'
      }),
      requireHttps() {},
    }),
  },
  {
    id: 'http-auth-url-for-nobody',
    description: 'auth_url uses http where the invocation names no user',
    parts(defaults) {
      const anonymous = new Set<string>()
      return {
        newState(call) {
          const state = defaults.newState(call)
          if (call.userId === null) anonymous.add(state)
          return state
        },
        buildAuthorizationUrl(provider, request) {
          const url = defaults.buildAuthorizationUrl(provider, request)
          if (anonymous.has(request.state)) url.protocol = 'http:'
          return url
        },
        requireHttps() {},
      }
    },
  },
  {
    id: 'advertised-http-auth-url',
    description: 'an http authorization endpoint is used when the provider advertises one',
    parts: () => ({ requireHttps() {} }),
  },
  // ------------------------------------------------------------- what it asks
  {
    id: 'wrong-client-id',
    description: 'the authorization request names a client that is not registered',
    parts: (defaults) =>
      alterAuthorizationUrl(defaults, (query) => query.set('client_id', 'my-app')),
  },
  {
    id: 'implicit-grant',
    description: 'the authorization request has response_type token',
    parts: (defaults) =>
      alterAuthorizationUrl(defaults, (query) => query.set('response_type', 'token')),
  },
  {
    id: 'scope-missing',
    description: 'the authorization request has no scope',
    parts: (defaults) => alterAuthorizationUrl(defaults, (query) => query.delete('scope')),
  },
  {
    id: 'scope-of-another-operation',
    description: 'the authorization request has the scope of another operation',
    parts: (defaults) => ({
      requiredScopes: (request) =>
        defaults.requiredScopes(request).includes('items:read') ? ['items:write'] : ['items:read'],
    }),
  },
  {
    id: 'every-scope',
    description: 'the authorization request has the scopes of all operations',
    parts: () => ({ requiredScopes: () => ['items:read', 'items:write'] }),
  },
  {
    id: 'redirect-to-another-host',
    description: 'the redirect URI is that of a relay on another host',
    parts: () => ({ redirectUri: () => 'https://relay.example/oauth/callback' }),
  },
  {
    id: 'redirect-uri-per-call',
    description: 'the redirect URI names the call, beside state',
    parts: (defaults) => ({
      redirectUri: (publicUrl, call) =>
        `${defaults.redirectUri(publicUrl, call)}?call=${encodeURIComponent(call.id)}`,
    }),
  },
  {
    id: 'client-secret-in-auth-url',
    description: 'the client secret is a parameter of the authorization URL',
    parts: (defaults) => {
      let secret = ''
      return {
        discoverProvider(settings, fetch) {
          secret = settings.clientSecret ?? ''
          return defaults.discoverProvider(settings, fetch)
        },
        ...alterAuthorizationUrl(defaults, (query) => query.set('client_secret', secret)),
      }
    },
  },
  {
    id: 'token-in-auth-url',
    description: 'the last access token of anybody is handed over as id_token_hint',
    parts: (defaults) => {
      let last = 'none'
      return {
        async saveTokens(files, key, tokens) {
          last = tokens.accessToken
          await defaults.saveTokens(files, key, tokens)
        },
        ...alterAuthorizationUrl(defaults, (query) => query.set('id_token_hint', last)),
      }
    },
  },
  // ------------------------------------------------------------- state
  {
    id: 'state-is-the-call-id',
    description: 'state is the id of the call',
    parts: () => ({ newState: (call) => call.id }),
  },
  {
    id: 'state-is-a-hash-of-the-call-id',
    description: 'state is the SHA-256 of the id of the call',
    parts: () => ({ newState: (call) => createHash('sha256').update(call.id).digest('hex') }),
  },
  {
    id: 'state-is-a-short-hash-of-the-ids',
    description: 'state is the beginning of the SHA-1 of the ids of thread and call',
    parts: () => ({
      newState: ({ id, groupId }) =>
        createHash('sha1').update(`${groupId}${id}`).digest('hex').slice(0, 24),
    }),
  },
  {
    id: 'verifier-is-a-hash-of-the-state',
    description: 'the code_verifier is the SHA-256 of the state',
    parts(defaults) {
      let state = ''
      return {
        newState: (call) => (state = defaults.newState(call)),
        newVerifier: () => createHash('sha256').update(state).digest('base64url'),
      }
    },
  },
  {
    id: 'state-is-readable-json',
    description: 'state is base64url JSON of the ids of the call, unsigned',
    parts: () => ({
      newState: ({ id, groupId, userId }) =>
        Buffer.from(JSON.stringify({ id, groupId, userId })).toString('base64url'),
    }),
  },
  {
    id: 'state-counts',
    description: 'state is a counter behind a constant',
    parts: () => {
      let count = 1_000_000
      return { newState: () => `authorization-state-${(count += 1)}` }
    },
  },
  {
    id: 'state-is-an-object-id',
    description: 'state is an ObjectId: the time, what the process drew once, a counter',
    parts: (defaults) => {
      const [drawn, begun] = [randomBytes(5).toString('hex'), randomBytes(3).readUIntBE(0, 3)]
      let count = begun
      return {
        newState() {
          count = (count + 1) % 2 ** 24
          const time = Math.floor(defaults.now() / 1000).toString(16)
          return `${time}${drawn}${count.toString(16).padStart(6, '0')}`
        },
      }
    },
  },
  {
    id: 'state-is-the-time',
    description: 'state is the time of day and a short random number',
    parts: (defaults) => ({
      newState: () => `${defaults.now()}${Math.floor(Math.random() * 1_000_000)}`,
    }),
  },
  {
    id: 'random-alike-in-every-process',
    description: 'states and verifiers come from a generator that every process seeds alike',
    parts: () => {
      let count = 0
      const next = (what: string) =>
        createHash('sha256')
          .update(`${what} ${(count += 1)}`)
          .digest('base64url')
      return { newState: () => next('state'), newVerifier: () => next('verifier') }
    },
  },
  // ------------------------------------------------------------- PKCE
  {
    id: 'pkce-plain',
    description: 'the code challenge is the verifier itself, method plain',
    parts: () => ({
      pkceParameters: async (verifier) => ({
        code_challenge: verifier,
        code_challenge_method: 'plain',
      }),
    }),
  },
  {
    id: 'no-pkce',
    description: 'neither challenge nor verifier is sent',
    parts: (defaults) => ({
      ...alterAuthorizationUrl(defaults, (query) => {
        query.delete('code_challenge')
        query.delete('code_challenge_method')
      }),
      ...alterExchange(defaults, (form) => form.delete('code_verifier')),
    }),
  },
  {
    id: 'verifier-not-sent',
    description: 'a challenge is sent, its verifier never',
    parts: (defaults) => alterExchange(defaults, (form) => form.delete('code_verifier')),
  },
  {
    id: 'verifier-per-user',
    description: 'every flow of a user has the same code verifier',
    parts: (defaults) => {
      const known = new Map<string, string>()
      let user = ''
      return {
        newState(call) {
          user = call.userId ?? call.id
          return defaults.newState(call)
        },
        newVerifier() {
          const verifier = known.get(user) ?? defaults.newVerifier()
          known.set(user, verifier)
          return verifier
        },
      }
    },
  },
  {
    id: 'verifier-of-the-last-call',
    description:
      "codes are exchanged with the verifier of the user's last call; refused ones end in bare words",
    parts: (defaults) => {
      const lasts = new Map<string, string>()
      const users = new Map<string, string>()
      let user = ''
      return {
        newState(call) {
          user = call.userId ?? call.id
          return defaults.newState(call)
        },
        newVerifier() {
          const verifier = defaults.newVerifier()
          lasts.set(user, verifier)
          users.set(verifier, user)
          return verifier
        },
        async exchangeCode(provider, grant, now) {
          const verifier = lasts.get(users.get(grant.verifier) ?? '') ?? grant.verifier
          const exchanged = defaults.exchangeCode(provider, { ...grant, verifier }, now)
          return exchanged.catch((error: unknown) => {
            throw verifier === grant.verifier ? error : new RefusedForVerifier()
          })
        },
        describeError: (error) =>
          error instanceof RefusedForVerifier ? 'invalid_grant' : defaults.describeError(error),
      }
    },
  },
  {
    id: 'verifier-in-the-state',
    description: 'state holds the code verifier in base64',
    parts: verifierInState,
  },
  {
    id: 'verifier-in-the-state-of-a-pushed-request',
    description: 'the request is pushed, and its state holds the code verifier in base64',
    parts: (defaults) => ({ ...pushing(defaults), ...verifierInState(defaults) }),
  },
  {
    id: 'verifier-reused',
    description: 'one code verifier serves all flows of the process',
    parts: (defaults) => {
      const verifier = defaults.newVerifier()
      return { newVerifier: () => verifier }
    },
  },
]

/** A state is seen by the browser, whichever way the request took. */
function verifierInState(defaults: Parts): Partial<Parts> {
  let verifier = ''
  return {
    newState(call) {
      verifier = defaults.newVerifier()
      return `${defaults.newState(call)}.${Buffer.from(verifier).toString('base64url')}`
    },
    newVerifier: () => verifier,
  }
}

class RefusedForVerifier extends Error {}

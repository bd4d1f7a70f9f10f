/** Lawful variations of how clients are asked, and of how calls end. */

import { CallFailure } from '../failure.ts'
import type { Credential } from '../oauth.ts'
import type { Oddity } from '../variation.ts'
import { alterRequest } from '../defects/alter.ts'

export const askingOddities: readonly Oddity[] = [
  {
    id: 'no-options',
    description: 'no redirect URIs are offered beside the one of the request',
    permitted: 'SEP-1028, Authorization Request: redirect_uri_options is optional',
    touches: [
      'approve',
      'second-option',
      'options-visited',
      'callback-on-another-path',
      'callback-on-another-port',
    ],
    parts: (defaults) => ({
      ...alterRequest(defaults, (params) => ({ ...params, redirect_uri_options: undefined })),
      redirectOptions: () => [],
    }),
  },
  {
    id: 'options-with-session',
    description: 'a template with a place for a session is offered, first',
    permitted: 'SEP-1028, Authorization Request: placeholders like {port} or {session}',
    touches: ['approve', 'second-option', 'options-visited'],
    parts: (defaults) =>
      alterRequest(defaults, ({ redirect_uri_options: options = [], ...others }) => ({
        ...others,
        redirect_uri_options: ['https://callback.example.com/{session}', ...options],
      })),
  },
  {
    id: 'one-asking-for-waiting-calls',
    description: 'calls of a user who is being asked wait for what becomes of that',
    permitted: 'SEP-1028, Protocol Flow: how often a server asks is open',
    touches: ['two-calls-at-once', 'state-of-another-flow', 'approve'],
    parts: () => {
      const pending = new Map<string, Promise<Credential>>()
      return {
        attempt(authorize, { subject }) {
          const known = pending.get(subject)
          if (known) return known
          const begun = authorize().finally(() => pending.delete(subject))
          pending.set(subject, begun)
          return begun
        },
      }
    },
  },
  {
    id: 'asks-twice',
    description: 'a call asks twice, one request after the other, and works with what came last',
    permitted: 'SEP-1028, Protocol Flow: how often a server asks is open',
    touches: ['approve', 'two-calls-at-once', 'stored-token', 'two-sessions'],
    parts: () => ({ attempt: (authorize) => authorize().then(() => authorize()) }),
  },
  {
    id: 'more-members',
    description: 'auth/request has members that nobody knows, and a message in Japanese',
    permitted: 'MCP 2025-11-25, JSON-RPC messages: params may hold other members',
    touches: ['approve', 'declined'],
    parts: (defaults) =>
      alterRequest(defaults, (params) => ({
        ...params,
        message: 'アカウントへのアクセスが必要です。',
        _meta: { 'items.example/trace': 'x1' },
        title: 'Items',
      })),
  },
  {
    id: 'pushed-request',
    description: 'the authorization request is pushed; the url refers to it',
    permitted: 'RFC 9126 §4: client_id and request_uri are all that the URL needs',
    touches: ['approve', 'second-option', 'options-visited', 'authorization-requests-compared'],
    parts: (defaults) => ({
      async authorizationUrl(provider, request) {
        const url = new URL(await defaults.authorizationUrl(provider, request))
        const { pushed_authorization_request_endpoint: endpoint = '' } = provider.server
        const headers = new Headers()
        await provider.authentication(provider.server, provider.client, url.searchParams, headers)
        const response = await provider.fetch(endpoint, {
          method: 'POST',
          headers: Object.fromEntries(headers),
          body: url.searchParams,
        })
        const answer: unknown = await response.json()
        const { request_uri: reference } = Object(answer) as Record<string, string>
        const short = new URL(url.origin + url.pathname)
        short.searchParams.set('client_id', provider.client.client_id)
        short.searchParams.set('request_uri', reference ?? '')
        return short.href
      },
    }),
  },
  {
    id: 'url-with-more-parameters',
    description: 'the authorization URL has parameters of OpenID Connect and of nobody',
    permitted: 'RFC 6749 §3.1: unrecognized parameters are ignored; OpenID Connect Core §3.1.2.1',
    touches: ['approve', 'authorization-requests-compared'],
    parts: (defaults) => ({
      async authorizationUrl(...args) {
        const url = new URL(await defaults.authorizationUrl(...args))
        url.searchParams.set('prompt', 'consent')
        url.searchParams.set('login_hint', '')
        url.searchParams.set('x-items', 'a b&c')
        return url.href
      },
    }),
  },
  {
    id: 'failures-as-errors',
    description: 'a call that fails is answered by an error of JSON-RPC',
    permitted: 'MCP Tools, Error Handling: errors of the protocol, or of the tool in the result',
    touches: ['declined', 'no-capability', 'unsupported-invalid-params', 'state-altered'],
    parts: (defaults) => ({
      createTransport(options) {
        const transport = defaults.createTransport(options)
        const send = transport.send.bind(transport)
        transport.send = (message, sending) => {
          if (!('result' in message) || message.result['isError'] !== true)
            return send(message, sending)
          const { jsonrpc, id } = message
          const error = { code: -32_000, message: 'Listing items failed: no access.' }
          return send({ jsonrpc, id, error }, sending)
        }
        return transport
      },
    }),
  },
  {
    id: 'refusal-without-error-flag',
    description: 'that nothing was granted is said in a result without isError',
    permitted: 'MCP Tools, Error Handling: isError is a SHOULD; a refusal is no error of the tool',
    touches: ['declined', 'denied', 'no-capability', 'unsupported-internal-error'],
    parts: (defaults) => ({
      describeFailure(error) {
        const result = defaults.describeFailure(error)
        const ofUsers = ['declined', 'denied', 'cannot-ask']
        const isRefusal = error instanceof CallFailure && ofUsers.includes(error.code)
        return isRefusal ? { ...result, isError: false } : result
      },
    }),
  },
  {
    id: 'asks-again-after-mismatch',
    description: 'a callback that does not fit is not the end: the client is asked once more',
    permitted: 'SEP-1028, For Servers: errors are to be handled, how is open',
    touches: ['state-altered', 'callback-on-another-path', 'two-sessions'],
    parts: () => ({
      attempt: (authorize) =>
        authorize().catch((error: unknown) => {
          if (!(error instanceof CallFailure) || error.code !== 'callback-refused') throw error
          return authorize()
        }),
    }),
  },
  {
    id: 'asks-again-after-failures',
    description: 'whatever an authorization fails by, the client is asked anew, three times in all',
    permitted:
      'SEP-1028, For Servers: errors are to be handled, how is open; RFC 6749 §5.2 lets a client ask for another code',
    touches: [
      'declined',
      'expired-code',
      'unknown-code',
      'exchange-token-html',
      'exchange-token-empty-body',
      'exchange-token-error-invalid-grant',
      'authorization-error-server-error',
      'state-altered',
    ],
    parts: () => ({
      attempt: (authorize) => authorize().catch(authorize).catch(authorize),
    }),
  },
]

/** Oddities of the way to the provider: the client that it is, and what it asks for. */

import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import * as oauth from 'oauth4webapi'

import type { Settings } from '../config.ts'
import { alterAuthorizationUrl } from '../defects/alter.ts'
import type { Parts } from '../parts.ts'
import { pushing } from '../pushing.ts'
import type { Oddity } from './oddity.ts'

/** Where it shows how the client authenticates. */
const authenticated = [
  'authorize-and-complete',
  'access-token-expired',
  'exchange-token-error-invalid-client',
]

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' }
/** Made anew by whoever configures the tool, which gets the private half. */
const keys = generateKeyPairSync('ec', { namedCurve: ecdsa.namedCurve })

export const providerOddities: readonly Oddity[] = [
  {
    id: 'two-redirect-uris',
    description: 'two redirect URIs are registered, and flows take turns with them',
    permitted: 'RFC 6749 §3.1.2.3; RFC 9700 §2.1 asks for exact matching, not for one URI',
    touches: ['authorization-requests-compared', 'state-of-another-flow'],
    parts: (defaults) => {
      let flows = 0
      return {
        redirectUri(publicUrl, call) {
          flows += 1
          return `${defaults.redirectUri(publicUrl, call)}?way=${flows % 2 === 0 ? 'even' : 'odd'}`
        },
      }
    },
    configuration: {
      provider: {
        client: {
          redirectUris: ['even', 'odd'].map(
            (way) => `http://127.0.0.1:1/oauth/callback?way=${way}`,
          ),
        },
      },
    },
  },
  {
    id: 'whole-seconds',
    description:
      'times are kept in whole seconds, and a token is used up to the second in which it expires',
    permitted:
      'RFC 6749 §5.1: expires_in is in seconds; when a client refreshes is left to it (§1.5)',
    touches: [
      'access-token-expired',
      'refresh-without-rotation',
      'refresh-at-once',
      'refresh-then-restart',
      'refresh-held-back',
    ],
    parts: () => ({
      isExpired: ({ expiresAt }, now) =>
        expiresAt !== null && Math.floor(now / 1000) > Math.floor(expiresAt / 1000),
    }),
  },
  {
    id: 'request-pushed',
    description: 'the authorization request is pushed, and its URL names it',
    permitted: 'RFC 9126 §4: a request_uri is used once, which is how often a user needs it',
    touches: [
      'authorize-and-complete',
      'used-state-with-fresh-code',
      'denied-state-with-code',
      'state-of-failed-exchange',
      'two-callbacks-at-once',
    ],
    parts: pushing,
  },
  {
    id: 'token-type-assumed',
    description: 'a token response without token_type is taken for one of a bearer token',
    permitted: 'RFC 6749 §7.1 forbids only types that are not understood',
    touches: ['exchange-token-without-token-type', 'exchange-token-unknown-token-type'],
    parts: (defaults) => ({
      exchangeCode: (provider, grant, now) =>
        defaults.exchangeCode(
          {
            ...provider,
            async fetch(url, init) {
              const answer = await provider.fetch(url, init)
              const text = await answer.clone().text()
              if (!text.startsWith('{') || text.includes('"token_type"')) return answer
              return new Response(text.replace('{', '{"token_type":"bearer",'), answer)
            },
          },
          grant,
          now,
        ),
    }),
  },
  {
    id: 'refreshes-a-minute-early',
    description: 'a token that ends within a minute counts as expired',
    permitted: 'RFC 6749 §5.1: expires_in says how long a token lives at most, and clocks differ',
    touches: ['access-token-expired', 'refresh-refused', 'refresh-at-once', 'refresh-then-restart'],
    parts: (defaults) => ({
      isExpired: (tokens, now) => defaults.isExpired(tokens, now + 60_000),
    }),
    configuration: { declares: { refreshLeeway: '60s' } },
  },
  {
    id: 'two-requests-per-operation',
    description: 'an operation takes two requests to the API',
    permitted: 'RAP OAuth, Flow: how the operation is carried out is the affair of the tool',
    touches: ['resource-held-back', 'many-calls-while-held-back', 'stored-token'],
    parts: (defaults) => ({
      async performOperation(api, request, accessToken) {
        const first = await defaults.performOperation(
          api,
          { operation: 'list_items', arguments: {} },
          accessToken,
        )
        return first.done ? defaults.performOperation(api, request, accessToken) : first
      },
    }),
  },
  {
    id: 'public-client',
    description: 'it is a public client, without a secret',
    permitted: 'RFC 6749 §2.1; RAP OAuth leaves the client to the tool',
    touches: ['authorize-and-complete'],
    env: { OAUTH_CLIENT_SECRET: '' },
    configuration: { provider: { client: { auth: ['none'] } } },
  },
  {
    id: 'asks-for-no-scope',
    description: 'its operation needs no scope, and the authorization request has none',
    permitted: 'RFC 6749 §3.3: the parameter is optional; the provider has a default',
    touches: ['authorize-and-complete', 'stored-token', 'refresh-refused'],
    parts: (defaults) => ({
      requiredScopes: () => [],
      ...alterAuthorizationUrl(defaults, (query) => {
        if (query.get('scope') === '') query.delete('scope')
      }),
    }),
    configuration: { operation: { scopes: [] } },
  },
  {
    id: 'resource-indicator',
    description: 'the resource parameter says for which API a token is meant',
    permitted: 'RFC 8707 §2',
    touches: ['authorize-and-complete'],
    env: { RESOURCE_INDICATOR: '{resource.url}' },
  },
  {
    id: 'secret-in-the-body',
    description: 'its secret goes into the body of token requests, not into a header',
    permitted: 'RFC 6749 §2.3.1',
    touches: authenticated,
    parts: (defaults) =>
      authenticatedBy(defaults, ({ clientSecret }) => oauth.ClientSecretPost(clientSecret ?? '')),
  },
  {
    id: 'secret-signs-assertions',
    description: 'it authenticates by assertions that its secret signs',
    permitted: 'RFC 7523 §2.2; OpenID Connect Core §9, client_secret_jwt',
    touches: authenticated,
    parts: (defaults) =>
      authenticatedBy(defaults, ({ clientSecret }) => {
        return oauth.ClientSecretJwt(clientSecret ?? '')
      }),
    configuration: { provider: { client: { auth: ['client_secret_jwt'] } } },
  },
  {
    id: 'key-signs-assertions',
    description: 'it has no secret, and authenticates by assertions that its key signs',
    permitted: 'RFC 7523 §2.2; RFC 9700 §2.5 recommends asymmetric methods',
    touches: authenticated,
    env: {
      OAUTH_CLIENT_SECRET: '',
      OAUTH_CLIENT_KEY: JSON.stringify(keys.privateKey.export({ format: 'jwk' })),
    },
    parts: (defaults) =>
      authenticatedBy(defaults, async () => {
        const jwk = JSON.parse(process.env['OAUTH_CLIENT_KEY'] ?? '') as JsonWebKey
        return oauth.PrivateKeyJwt(
          await crypto.subtle.importKey('jwk', jwk, ecdsa, false, ['sign']),
        )
      }),
    configuration: {
      provider: {
        client: {
          auth: ['private_key_jwt'],
          keys: [keys.publicKey.export({ format: 'jwk' })],
        },
      },
    },
  },
  {
    id: 'state-names-its-call',
    description: 'state is a long random text and the id of the call, in base64url',
    permitted: 'RFC 6749 §10.12: a value that is bound to the user-agent and cannot be guessed',
    touches: [
      'authorize-and-complete',
      'state-altered',
      'state-altered-late',
      'unusual-identifiers',
    ],
    parts: (defaults) => ({
      newState(call) {
        const name = JSON.stringify([defaults.newState(call), call.id])
        return Buffer.from(name).toString('base64url')
      },
    }),
  },
]

/** Another way to authenticate; the settings have its secret. */
function authenticatedBy(
  { discoverProvider }: Parts,
  method: (settings: Settings) => oauth.ClientAuth | Promise<oauth.ClientAuth>,
): Partial<Parts> {
  return {
    async discoverProvider(settings, fetch) {
      const provider = await discoverProvider(settings, fetch)
      return { ...provider, authentication: await method(settings) }
    },
  }
}

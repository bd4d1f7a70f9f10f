/** Oddities of the way to the provider: the client that it is, and what it asks for. */

import * as oauth from 'oauth4webapi'

import { pushing } from '../pushing.ts'
import type { Oddity } from './oddity.ts'

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
    touches: [
      'authorize-and-complete',
      'access-token-expired',
      'exchange-token-error-invalid-client',
    ],
    parts: (defaults) => ({
      async discoverProvider(settings, fetch) {
        const provider = await defaults.discoverProvider(settings, fetch)
        const secret = settings.clientSecret ?? ''
        return { ...provider, authentication: oauth.ClientSecretPost(secret) }
      },
    }),
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

/** Defects of what is done with tokens, and with state that clients carry. */

import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'

import { CallFailure } from '../failure.ts'
import type { CallState } from '../mcp/request-state.ts'
import { decode, encode, followingRedirects } from './alter.ts'
import type { Defect } from './defect.ts'

export const tokenDefects: readonly Defect[] = [
  {
    id: 'owners-cut-short',
    description: 'of the name of a user only the last 16 characters are kept',
    parts: () => ({ recordOf: (owner) => owner.slice(-16) }),
  },
  {
    id: 'owners-in-any-case',
    description: 'names of users that differ in case are one',
    parts: (defaults) => ({ recordOf: (owner) => defaults.recordOf(owner.toLowerCase()) }),
  },
  {
    id: 'tokens-in-the-clear',
    description: 'tokens are kept as they are',
    parts: () => ({
      createCipher: () => ({
        seal: async (_name, text) => text,
        open: async (_name, text) => text,
      }),
    }),
  },
  {
    id: 'tokens-forgotten-at-restart',
    description: 'tokens are kept under names that are made up at each start',
    parts: () => {
      const start = crypto.randomUUID()
      return { recordOf: (owner) => `${start} ${owner}` }
    },
  },
  {
    id: 'expiry-ignored',
    description: 'a token is used although it has expired, and when it is refused the call fails',
    parts: () => ({ isExpired: () => false, nextStep: () => 'fail' }),
  },
  {
    id: 'refresh-not-used',
    description: 'a token that has expired is not refreshed: the user is asked again',
    parts: () => ({ refreshTokens: async () => undefined }),
  },
  {
    id: 'rotated-refresh-token-ignored',
    description: 'the refresh token that comes with a refresh is thrown away, the old one kept',
    parts: (defaults) => ({
      async refreshTokens(provider, tokens, now) {
        const fresh = await defaults.refreshTokens(provider, tokens, now)
        return fresh && { ...fresh, refreshToken: tokens.refreshToken }
      },
    }),
  },
  {
    id: 'refresh-token-forgotten-unless-replaced',
    description: 'a refresh that brings no new refresh token loses the old one',
    parts: (defaults) => ({
      async refreshTokens(provider, tokens, now) {
        const fresh = await defaults.refreshTokens(provider, tokens, now)
        return fresh?.refreshToken === tokens.refreshToken
          ? { ...fresh, refreshToken: null }
          : fresh
      },
    }),
  },
  {
    id: 'api-redirect-followed',
    description: 'a redirect of the API is followed, with the token',
    parts: (defaults) => ({
      fetchItems: (api, accessToken) =>
        defaults.fetchItems({ ...api, fetch: followingRedirects(api.fetch) }, accessToken),
    }),
  },
  {
    id: 'revoked-access-not-renewed',
    description: 'when the API refuses a token the call fails, now and ever after',
    parts: (defaults) => ({
      async fetchItems(...args) {
        const attempt = await defaults.fetchItems(...args)
        if (!attempt.done && attempt.refusal === 'invalid_token')
          throw new CallFailure('token-refused')
        return attempt
      },
    }),
  },
  {
    id: 'token-in-query',
    description: 'the API gets the token in the query',
    parts: (defaults) => ({
      fetchItems: (api, accessToken) =>
        defaults.fetchItems(
          {
            ...api,
            fetch: (url, init) => api.fetch(`${url}?access_token=${accessToken}`, init),
          },
          accessToken,
        ),
    }),
  },
  // ------------------------------------------------------------- request state (2026-07-28)
  {
    id: 'request-state-unsigned',
    description: 'requestState is JSON in base64url, and believed',
    parts: () => ({
      createStateCodec: () => ({
        mint: async (state) => encode(state),
        verify: async (state) => decode(state),
      }),
    }),
  },
  {
    id: 'request-state-plain-json',
    description: 'requestState is JSON as it stands, and believed',
    parts: () => ({
      createStateCodec: () => ({
        mint: async (state) => Buffer.from(encode(state), 'base64url').toString(),
        verify: async (state) => decode(Buffer.from(state).toString('base64url')),
      }),
    }),
  },
  {
    id: 'request-state-of-any-user',
    description: 'requestState is signed, but not bound to its user',
    parts: () => ({ createStateCodec: ({ tokenKey }) => codecOf(tokenKey) }),
  },
  {
    id: 'request-state-of-any-call',
    description: 'requestState is accepted with other arguments than those that it was made for',
    parts: () => ({ isStateOf: () => true }),
  },
  {
    id: 'request-state-altered-accepted',
    description: 'requestState whose signature is wrong is believed all the same',
    parts: (defaults) => ({
      createStateCodec(settings) {
        const codec = defaults.createStateCodec(settings)
        return {
          mint: (state, context) => codec.mint(state, context),
          verify: (state, context) =>
            codec.verify(state, context).catch(() => decode(state.split('.')[1] ?? '').p),
        }
      },
    }),
  },
  {
    id: 'request-state-signed-where-it-says-so',
    description: 'the signature of requestState, and whose it is, is compared where there is one',
    parts: (defaults) => ({
      createStateCodec(settings) {
        const codec = defaults.createStateCodec(settings)
        return {
          mint: (state, context) => codec.mint(state, context),
          async verify(state, context) {
            const [, payload = '', signature = ''] = state.split('.')
            return signature === '' ? decode(payload).p : codec.verify(state, context)
          },
        }
      },
    }),
  },
]

function codecOf(key: Uint8Array): RequestStateCodec<CallState> {
  return createRequestStateCodec<CallState>({ key })
}

/** Defects of the token store: whose tokens it keeps, for how long, and what happens when they end. */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'

import { CallFailure } from '../failure.ts'
import { tokensSchema, type Tokens } from '../tokens.ts'
import { withFetch } from './alter.ts'
import type { Defect } from './defect.ts'

export const tokenDefects: readonly Defect[] = [
  {
    id: 'user-of-the-thread',
    description: 'a call acts for the user who called first in its thread',
    parts: (defaults) => {
      const first = new Map<string, string | null>()
      return {
        checkCall(invocation) {
          const call = defaults.checkCall(invocation)
          const userId = first.get(call.groupId) ?? call.userId
          first.set(call.groupId, userId)
          return { ...call, userId }
        },
      }
    },
  },
  {
    id: 'flow-of-the-thread',
    description: 'calls that wait in one thread share one flow, whoever made them',
    parts: (defaults) => {
      const shared = new Map<string, { readonly state: string; readonly verifier: string }>()
      let group = ''
      const ofGroup = () => {
        const known = shared.get(group)
        if (!known) throw new Error('no flow')
        return known
      }
      return {
        newState(call) {
          group = call.groupId
          if (!shared.has(group)) {
            const verifier = defaults.newVerifier()
            shared.set(group, { state: defaults.newState(call), verifier })
          }
          return ofGroup().state
        },
        newVerifier: () => ofGroup().verifier,
        async claimFlow(flow, flows) {
          shared.delete(flow.call.groupId)
          return defaults.claimFlow(flow, flows)
        },
      }
    },
  },
  {
    id: 'user-ids-in-lower-case',
    description: 'users whose ids differ in case only count as one',
    parts: (defaults) => ({ recordName: (userId) => defaults.recordName(userId.toLowerCase()) }),
  },
  {
    id: 'user-ids-cut-at-128',
    description: 'user ids are kept in a column of 128 characters',
    parts: (defaults) => ({ recordName: (userId) => defaults.recordName(userId.slice(0, 128)) }),
  },
  {
    id: 'user-ids-cut-at-255',
    description: 'user ids are kept in a column of 255 characters',
    parts: (defaults) => ({ recordName: (userId) => defaults.recordName(userId.slice(0, 255)) }),
  },
  {
    id: 'user-ids-as-safe-file-names',
    description: 'user ids are kept under names in which every sign is an underscore',
    parts: (defaults) => ({
      recordName: (userId) => defaults.recordName(userId.replace(/[^\p{L}\p{M}\d ]/gu, '_')),
    }),
  },
  {
    id: 'user-ids-without-accents',
    description: 'user ids are compared without accents, as some databases do',
    parts: (defaults) => ({
      recordName: (userId) => defaults.recordName(userId.normalize('NFD').replace(/\p{M}/gu, '')),
    }),
  },
  {
    id: 'user-ids-without-tags',
    description: 'user ids are compared without what follows a plus sign, as in mail addresses',
    parts: (defaults) => ({
      recordName: (userId) => defaults.recordName(userId.replace(/\+.*$/s, '')),
    }),
  },
  {
    id: 'user-ids-in-ascii',
    description: 'what is not ASCII in user ids is a question mark to the tool',
    parts: (defaults) => ({
      recordName: (userId) => defaults.recordName(userId.replace(/[^\p{ASCII}]/gu, '?')),
    }),
  },
  {
    id: 'user-ids-as-numbers',
    description: 'user ids that are numbers are compared as numbers',
    parts: (defaults) => ({
      recordName: (userId) =>
        defaults.recordName(/^[+\d]/.test(userId) ? String(Number(userId)) : userId),
    }),
  },
  {
    id: 'anonymous-callers-share',
    description: 'callers without a user_id count as one user',
    parts: (defaults) => ({
      checkCall(invocation) {
        const call = defaults.checkCall(invocation)
        return { ...call, userId: call.userId ?? 'anonymous' }
      },
    }),
  },
  {
    id: 'token-not-stored',
    description: 'tokens are used once and not stored',
    parts: () => ({ saveTokens: async () => {} }),
  },
  {
    id: 'second-token-not-stored',
    description: 'who had to authorize again has to for every call: nothing replaces their record',
    parts: (defaults) => {
      const closed = new Set<string>()
      return {
        async deleteTokens(files, key) {
          closed.add(key)
          await defaults.deleteTokens(files, key)
        },
        async saveTokens(files, key, tokens) {
          if (!closed.has(key)) await defaults.saveTokens(files, key, tokens)
        },
      }
    },
  },
  {
    id: 'tokens-in-memory',
    description: 'tokens are kept in memory only',
    parts: () => {
      const kept = new Map<string, Tokens>()
      return {
        async saveTokens(_files, key, tokens) {
          kept.set(key, tokens)
        },
        loadTokens: async (_files, key) => kept.get(key),
        async deleteTokens(_files, key) {
          kept.delete(key)
        },
      }
    },
  },
  {
    id: 'user-id-as-file-name',
    description: 'the user_id is the name of the file with the tokens',
    parts: () => ({ recordName: (userId) => userId }),
  },
  {
    id: 'tokens-in-plain-text',
    description: 'stored records are plain JSON',
    parts: () => ({
      createCipher: () => ({
        seal: async (_name, text) => text,
        open: async (_name, text) => text,
      }),
    }),
  },
  {
    id: 'tokens-in-base64',
    description: 'stored records are base64 instead of encrypted',
    parts: () => ({
      createCipher: () => ({
        seal: async (_name, text) => Buffer.from(text).toString('base64'),
        open: async (_name, sealed) => Buffer.from(sealed, 'base64').toString(),
      }),
    }),
  },
  {
    id: 'tokens-compressed',
    description: 'stored records are compressed instead of encrypted',
    parts: () => ({
      async saveTokens({ directory }, key, tokens) {
        await mkdir(directory, { recursive: true })
        await writeFile(join(directory, key), deflateSync(JSON.stringify(tokens)))
      },
      async loadTokens({ directory }, key) {
        const stored = await readFile(join(directory, key)).catch(() => undefined)
        return stored && tokensSchema.parse(JSON.parse(inflateSync(stored).toString()))
      },
      deleteTokens: ({ directory }, key) => rm(join(directory, key), { force: true }),
    }),
  },
  // ------------------------------------------------------------- expiry and refresh
  {
    id: 'never-refreshes',
    description: 'the refresh token is never used; the user is asked again instead',
    parts: () => ({ refreshTokens: async () => undefined }),
  },
  {
    id: 'refreshed-token-not-stored',
    description: 'the answer to a refresh is used once and not stored',
    parts: (defaults) => {
      const refreshed = new WeakSet<Tokens>()
      return {
        async refreshTokens(provider, tokens, now) {
          const fresh = await defaults.refreshTokens(provider, tokens, now)
          if (fresh !== undefined) refreshed.add(fresh)
          return fresh
        },
        async saveTokens(files, key, tokens) {
          if (!refreshed.has(tokens)) await defaults.saveTokens(files, key, tokens)
        },
      }
    },
  },
  {
    id: 'refresh-token-forgotten-unless-replaced',
    description: 'a refresh that brings no new refresh token loses the old one',
    parts: (defaults) => ({
      async refreshTokens(provider, tokens, now) {
        const fresh = await defaults.refreshTokens(provider, tokens, now)
        return fresh && fresh.refreshToken === tokens.refreshToken
          ? { ...fresh, refreshToken: null }
          : fresh
      },
    }),
  },
  {
    id: 'refresh-token-in-query',
    description: 'the refresh token stands in the URL of the token request, too',
    parts: (defaults) => ({
      refreshTokens: (provider, tokens, now) =>
        defaults.refreshTokens(
          withFetch(provider, (url, init) => {
            const named = new URL(url)
            named.searchParams.set('refresh_token', tokens.refreshToken ?? '')
            return provider.fetch(named.href, init)
          }),
          tokens,
          now,
        ),
    }),
  },
  {
    id: 'old-refresh-token-kept',
    description: 'after a rotation the old refresh token is kept',
    parts: (defaults) => ({
      async refreshTokens(provider, tokens, now) {
        const fresh = await defaults.refreshTokens(provider, tokens, now)
        return fresh && { ...fresh, refreshToken: tokens.refreshToken }
      },
    }),
  },
  {
    id: 'dead-refresh-token-is-final',
    description: 'a refused refresh ends the call with an error, and so every later call',
    parts: (defaults) => ({
      async refreshTokens(provider, tokens, now) {
        const fresh = await defaults.refreshTokens(provider, tokens, now)
        if (fresh === undefined) throw new CallFailure('refresh-failed')
        return fresh
      },
    }),
  },
  {
    id: 'refused-token-is-final',
    description: 'a stored token that the service refuses ends the call with an error',
    parts: () => ({ nextStep: () => 'fail' }),
  },
]

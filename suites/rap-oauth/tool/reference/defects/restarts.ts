/** Defects that only a restart, or calls that meet, bring to light. */

import type { Tokens } from '../tokens.ts'
import { pause } from './alter.ts'
import type { Defect } from './defect.ts'

export const restartDefects: readonly Defect[] = [
  {
    id: 'used-states-in-memory',
    description: 'which states were used is kept in memory only',
    parts: () => {
      const used = new Set<string>()
      return {
        async claimFlow({ key }) {
          const first = !used.has(key)
          used.add(key)
          return first
        },
      }
    },
  },
  {
    id: 'pending-calls-in-memory',
    description: 'calls that wait for their user are forgotten by a restart',
    parts: (defaults) => {
      const own = new Set<string>()
      return {
        newState(call) {
          own.add(call.id)
          return defaults.newState(call)
        },
        async validateState(query, flows, now) {
          const flow = await defaults.validateState(query, flows, now)
          return flow && own.has(flow.call.id) ? flow : undefined
        },
        async expireFlow(flow, flows, fail) {
          if (own.has(flow.call.id)) await defaults.expireFlow(flow, flows, fail)
        },
      }
    },
  },
  {
    id: 'verifiers-in-memory',
    description: 'a call that waits for its user is kept on disk without its code_verifier',
    parts: (defaults) => {
      const own = new Set<string>()
      return {
        newVerifier() {
          const verifier = defaults.newVerifier()
          own.add(verifier)
          return verifier
        },
        exchangeCode(provider, grant, now) {
          const verifier = own.has(grant.verifier) ? grant.verifier : defaults.newVerifier()
          return defaults.exchangeCode(provider, { ...grant, verifier }, now)
        },
      }
    },
  },
  {
    id: 'rotated-tokens-in-memory',
    description: 'what a refresh brings is kept in memory, and the first tokens on disk',
    parts: (defaults) => {
      const refreshed = new WeakSet<Tokens>()
      const kept = new Map<string, Tokens>()
      return {
        async refreshTokens(provider, tokens, now) {
          const fresh = await defaults.refreshTokens(provider, tokens, now)
          if (fresh !== undefined) refreshed.add(fresh)
          return fresh
        },
        async saveTokens(files, key, tokens) {
          if (refreshed.has(tokens)) kept.set(key, tokens)
          else await defaults.saveTokens(files, key, tokens)
        },
        loadTokens: async (files, key) => kept.get(key) ?? defaults.loadTokens(files, key),
      }
    },
  },
  {
    id: 'refreshed-by-each-call',
    description: 'calls that meet at an expired token refresh it one by one',
    parts: (defaults) => {
      const read = new Map<string, { readonly tokens: Tokens; readonly at: number }>()
      return {
        // What a call has read goes on counting for those that meet it.
        async loadTokens(files, key) {
          const known = read.get(key)
          if (known && defaults.now() - known.at < 1000) return known.tokens
          const tokens = await defaults.loadTokens(files, key)
          if (tokens && defaults.isExpired(tokens, defaults.now()))
            read.set(key, { tokens, at: defaults.now() })
          return tokens
        },
        async refreshTokens(provider, tokens, now) {
          const fresh = await defaults.refreshTokens(provider, tokens, now)
          await pause(20)
          return fresh
        },
      }
    },
  },
  {
    id: 'state-reopened-after-failed-exchange',
    description: 'when the exchange fails, the state is put back to be used again',
    parts: (defaults) => {
      const claimed = new Map<string, () => Promise<void>>()
      return {
        async claimFlow(flow, flows) {
          claimed.set(flow.verifier, () => flows.save(flow))
          return defaults.claimFlow(flow, flows)
        },
        async exchangeCode(provider, grant, now) {
          try {
            return await defaults.exchangeCode(provider, grant, now)
          } catch (error) {
            await claimed.get(grant.verifier)?.()
            throw error
          }
        },
      }
    },
  },
]

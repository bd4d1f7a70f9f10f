/** Defects that only a later flow of a user brings to light, who has authorized before. */

import { flowKey } from '../flow-store.ts'
import type { Parts } from '../parts.ts'
import { callInRedirectUri, flowOfCall } from './callback.ts'
import type { Defect } from './defect.ts'

export const laterFlowDefects: readonly Defect[] = [
  {
    id: 'state-ignored-in-later-flows',
    description: 'the call is named in the redirect URI, and state is compared once for each user',
    parts: (defaults) => {
      const seen = new Set<string | null>()
      return {
        ...callInRedirectUri(defaults),
        async validateState(query, flows, now) {
          const flow = await flowOfCall(query, flows, now)
          if (flow === undefined || seen.has(flow.call.userId)) return flow
          if (flow.key !== flowKey(query.get('state') ?? '')) return undefined
          if (query.has('code')) seen.add(flow.call.userId)
          return flow
        },
      }
    },
  },
  {
    id: 'state-of-earlier-flow-taken',
    description: 'any state that was made for a user is good for the call that waits for them',
    parts: (defaults) => {
      const owners = new Map<string, string | null>()
      return {
        newState(call) {
          const state = defaults.newState(call)
          owners.set(state, call.userId)
          return state
        },
        async validateState(query, flows, now) {
          const owner = owners.get(query.get('state') ?? '')
          const known = await defaults.validateState(query, flows, now)
          if (known !== undefined || typeof owner !== 'string') return known
          return (await flows.pending()).find(({ call }) => call.userId === owner)
        },
      }
    },
  },
  {
    id: 'issuer-compared-once',
    description: 'the iss of a response is compared in the first flow of a user alone',
    parts: (defaults) => {
      const { validateState, isLater } = rememberingUsers(defaults)
      return {
        validateState,
        validateResponse(provider, query) {
          const known = new URLSearchParams(query)
          if (isLater(query)) known.set('iss', provider.server.issuer)
          return defaults.validateResponse(provider, known)
        },
      }
    },
  },
  {
    id: 'later-errors-ignored',
    description: 'an error that answers a later authorization of a user is no answer',
    parts: (defaults) => {
      const { validateState, isLater } = rememberingUsers(defaults)
      return {
        validateState,
        isAnswer: (query) => !(isLater(query) && query.has('error')) && defaults.isAnswer(query),
      }
    },
  },
]

/** Which callbacks belong to a later flow of a user for whom a code has come before. */
function rememberingUsers(defaults: Parts) {
  const seen = new Set<string | null>()
  const later = new WeakSet<URLSearchParams>()
  const validateState: Parts['validateState'] = async (query, flows, now) => {
    const flow = await defaults.validateState(query, flows, now)
    if (flow && seen.has(flow.call.userId)) later.add(query)
    else if (flow && query.has('code')) seen.add(flow.call.userId)
    return flow
  }
  return { validateState, isLater: (query: URLSearchParams): boolean => later.has(query) }
}

/** Defects that let secrets out. */

import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'

/** Remembers the token that was used last. */
function watching(defaults: Parts) {
  const seen = { token: '' }
  const callApi: Parts['callApi'] = (base, fetch, tool, values, token) => {
    seen.token = token
    return defaults.callApi(base, fetch, tool, values, token)
  }
  return { seen, callApi }
}

export const leakDefects: readonly Defect[] = [
  {
    id: 'token-in-result',
    description: 'the result of a tool has the token that it was made with',
    parts: () => ({ describeResult: (result, token) => ({ ...result, token }) }),
  },
  {
    id: 'token-to-model',
    description: 'the model is told the token in words',
    parts: (defaults) => {
      const { seen, callApi } = watching(defaults)
      return {
        callApi,
        contentsOf: (session) => [
          ...defaults.contentsOf(session),
          ...(seen.token === '' ? [] : [{ role: 'user' as const, parts: [{ text: seen.token }] }]),
        ],
      }
    },
  },
  {
    id: 'token-in-session-state',
    description: 'the state of a session has the token',
    parts: (defaults) => {
      const { seen, callApi } = watching(defaults)
      return {
        callApi,
        describeSession: (session) => ({
          ...defaults.describeSession(session),
          state: { 'items-token': seen.token },
        }),
      }
    },
  },
  {
    id: 'token-logged',
    description: 'the token is logged',
    parts: (defaults) => ({
      callApi(...args) {
        process.stderr.write(`calls the API with ${args[4]}\n`)
        return defaults.callApi(...args)
      },
    }),
  },
]

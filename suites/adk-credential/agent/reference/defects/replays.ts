/** Defects: calls that are replayed otherwise than they were paused. */

import { placeholder, type ToolCall } from '../session.ts'
import { tools } from '../tools.ts'
import type { Defect } from './defect.ts'

export const replayDefects: readonly Defect[] = [
  {
    id: 'arguments-of-newest-call',
    description: 'a call is replayed with the arguments of the newest one of its tool that waits',
    parts: (defaults) => ({
      matchPending(session, answer) {
        const pending = defaults.matchPending(session, answer)
        const newest = session.pending.findLast(({ call }) => call.name === pending?.call.name)
        return (
          pending && newest && { ...pending, call: { ...pending.call, args: newest.call.args } }
        )
      },
    }),
  },
  {
    id: 'second-tool-of-key-forgotten',
    description: 'a call whose credential another tool has asked for waits for ever',
    parts: ({ credentialKey }) => {
      const keyOf = (name: string) => {
        const tool = tools.find((each) => each.name === name)
        return tool && credentialKey(tool)
      }
      return {
        insteadOfAsking: ({ pending }, { name }) =>
          pending.some(({ call }) => call.name !== name && keyOf(call.name) === keyOf(name))
            ? placeholder
            : undefined,
      }
    },
  },
  {
    id: 'results-misnamed',
    description: 'the results of a turn all have the name of its last call',
    parts: (defaults) => {
      const names = new Map<string, string>()
      return {
        callsSaid(text, calls) {
          for (const call of calls) names.set(call.id, (calls.at(-1) ?? call).name)
          return defaults.callsSaid(text, calls)
        },
        resultsSaid: (results) =>
          defaults.resultsSaid(
            results.map(({ call, response }) => ({
              call: { ...call, name: names.get(call.id) ?? call.name },
              response,
            })),
          ),
      }
    },
  },
  {
    id: 'arguments-forgotten-at-restart',
    description:
      'the arguments of a call that waits are known only to the process that asked for it',
    parts: (defaults) => {
      const known = new Map<string, ToolCall['args']>()
      return {
        requestSaid(id, call, ...rest) {
          known.set(call.id, call.args)
          return defaults.requestSaid(id, call, ...rest)
        },
        matchPending(session, answer) {
          const pending = defaults.matchPending(session, answer)
          if (!pending) return undefined
          return { ...pending, call: { ...pending.call, args: known.get(pending.call.id) ?? {} } }
        },
      }
    },
  },
]

/** Oddities of how much may be asked of the tool at a time. */

import type { Oddity } from './oddity.ts'

const windowMs = 1000
const atMost = 3

export const limitOddities: readonly Oddity[] = [
  {
    id: 'calls-of-a-user-limited',
    description: 'of the calls that a user makes within a second the fourth and later ones fail',
    permitted: 'RAP Tool Invocation, Error Responses: rate limits SHOULD be told by a tool result',
    touches: ['many-calls-while-held-back', 'refresh-at-once', 'two-calls-of-one-user'],
    parts(defaults) {
      const begun = new Map<string, readonly number[]>()
      return {
        checkCall(invocation) {
          const call = defaults.checkCall(invocation)
          const now = defaults.now()
          const whose = call.userId ?? call.id
          const recent = (begun.get(whose) ?? []).filter((at) => now - at < windowMs)
          begun.set(whose, [...recent, now])
          if (recent.length >= atMost) throw new TooManyCalls()
          return call
        },
        describeError: (error) =>
          error instanceof TooManyCalls
            ? 'Error: too many calls. Try again in a second.'
            : defaults.describeError(error),
      }
    },
  },
]

class TooManyCalls extends Error {}

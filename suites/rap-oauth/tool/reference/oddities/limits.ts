/** Oddities of how much may be asked of the tool at a time. */

import type { Parts } from '../parts.ts'
import type { Oddity } from './oddity.ts'

const windowMs = 1000
const atMost = 3
const permitted =
  'RAP Tool Invocation, Error Responses and Security Considerations: rate limits SHOULD be there, and told by a tool result'
const byStatus =
  'RAP Tool Invocation, Error Responses: another status than 200 says that it is not accepted'

/** Limits of a proxy before the tool count by the clock: what is refused in one second may come in the next. */
const callbacksLimited: Oddity = {
  id: 'callbacks-limited',
  description: 'of the callbacks within a second the sixteenth and later ones are answered 429',
  permitted:
    'RFC 6585 §4; RAP Tool Invocation, Security Considerations: rate limits SHOULD be there',
  touches: ['twenty-users-at-once', 'denied-consent', 'state-altered', 'grant-revoked'],
  parts(defaults) {
    let second = 0
    let taken = 0
    const isTooMuch = (): boolean => {
      const now = Math.floor(defaults.now() / windowMs)
      if (now !== second) taken = 0
      second = now
      taken += 1
      return taken > 15
    }
    return {
      serve: (request, route) =>
        new URL(request.url).pathname === '/oauth/callback' && isTooMuch()
          ? new Response('Too many requests', { status: 429, headers: { 'retry-after': '1' } })
          : defaults.serve(request, route),
    }
  },
}

/** One of their users' calls waits; the others end. */
const oneCallWaits: Oddity = {
  id: 'one-call-of-a-user-waits',
  description: 'a user who is asked already is not asked again: the later call ends with an error',
  permitted:
    'RAP Tool Invocation, Processing: an error is told by a tool result; docs/readings.md, 78',
  touches: [
    'two-calls-of-one-user',
    'two-calls-of-one-turn',
    'two-calls-of-one-user-denied',
    'state-of-another-flow',
  ],
  parts(defaults) {
    const users = new Map<string, string>()
    const placeOf = (groupId: unknown, id: unknown): string => JSON.stringify([groupId, id])
    return {
      checkCall(invocation) {
        const call = defaults.checkCall(invocation)
        const place = placeOf(call.groupId, call.id)
        if (call.userId === null) return call
        if ([...users.values()].includes(call.userId)) throw new AskedAlready()
        users.set(place, call.userId)
        return call
      },
      deliver(delivery, means) {
        const { type, group_id: groupId, id } = delivery.message
        if (type === 'tool_result') users.delete(placeOf(groupId, id))
        return defaults.deliver(delivery, means)
      },
      describeError: (error) =>
        error instanceof AskedAlready
          ? 'Error: this user is asked to authorize another call already.'
          : defaults.describeError(error),
    }
  },
}

export const limitOddities: readonly Oddity[] = [
  {
    id: 'calls-of-a-user-limited',
    description: 'of the calls that a user makes within a second the fourth and later ones fail',
    permitted,
    touches: ['many-calls-while-held-back', 'refresh-at-once', 'two-calls-of-one-user'],
    parts: (defaults) => failing(defaults, (call) => call.userId ?? call.id),
  },
  {
    id: 'calls-limited',
    description: 'of the calls of all callers within a second the fourth and later ones fail',
    permitted,
    touches: ['twenty-users-at-once', 'denied-consent', 'unknown-operation', 'grant-revoked'],
    parts: (defaults) => failing(defaults, () => 'everybody'),
  },
  {
    id: 'calls-limited-in-other-words',
    description: 'of the calls within a second the fourth and later ones fail, in words of its own',
    permitted: `${permitted}; RAP Tool Result, Result Content: no format is prescribed`,
    touches: ['denied-consent', 'unknown-operation', 'grant-revoked'],
    parts: (defaults) => failing(defaults, () => 'everybody', 'Error: slow down, please.'),
  },
  {
    id: 'calls-limited-by-status',
    description: 'of the calls within a second the fourth and later ones are answered 429',
    permitted: byStatus,
    touches: ['twenty-users-at-once', 'denied-consent', 'unknown-operation', 'grant-revoked'],
    parts: (defaults) => refusing(defaults, 429),
  },
  {
    id: 'calls-limited-by-503',
    description: 'of the calls within a second the fourth and later ones are answered 503',
    permitted: `${byStatus}; RFC 9110 §15.6.4`,
    touches: ['twenty-users-at-once', 'denied-consent', 'unknown-operation', 'grant-revoked'],
    parts: (defaults) => refusing(defaults, 503),
  },
  callbacksLimited,
  oneCallWaits,
]

type Call = ReturnType<Parts['checkCall']>

function refusing(defaults: Parts, status: 429 | 503): Partial<Parts> {
  const isTooMuch = limit(defaults)
  return {
    acknowledge: (http, work) =>
      isTooMuch('everybody')
        ? http.json({ error: 'slow down' }, status, { 'retry-after': '1' })
        : defaults.acknowledge(http, work),
  }
}

function failing(
  defaults: Parts,
  whose: (call: Call) => string,
  words = 'Error: too many calls. Try again in a second.',
): Partial<Parts> {
  const isTooMuch = limit(defaults)
  return {
    checkCall(invocation) {
      const call = defaults.checkCall(invocation)
      if (isTooMuch(whose(call))) throw new TooManyCalls()
      return call
    },
    describeError: (error) =>
      error instanceof TooManyCalls ? words : defaults.describeError(error),
  }
}

/** Counts what is begun, what is refused as well. */
function limit({ now }: Parts): (whose: string) => boolean {
  const begun = new Map<string, readonly number[]>()
  return (whose) => {
    const at = now()
    const recent = (begun.get(whose) ?? []).filter((before) => at - before < windowMs)
    begun.set(whose, [...recent, at])
    return recent.length >= atMost
  }
}

class TooManyCalls extends Error {}

class AskedAlready extends Error {}

/** What scenarios need and a correct tool need not offer, and how a whole run shows that it is offered after all. */

import { isAfter, servedPath } from '../../../../harness/engine/index.ts'
import type { Need, Transcript } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { callsOf } from '../view.ts'
import { isServed } from './served.ts'

/** A tool inside this process is called without any connection that could be held or cut. */
export function needsConnections({ driven }: Declared): string | undefined {
  return driven === 'module' ? 'a tool inside this process uses no connections' : undefined
}

/** Only instances of their own show it: what the shared one asks for cannot be told to belong to a call. */
export function requestWhileInvoked(what: string, isThere: (path: string) => boolean): Need {
  return {
    what: `a request for ${what} during a call`,
    seen: (run) => first([...run.values()].flatMap((t) => requestsDuring(t, isThere))),
  }
}

/** While the first call of a recording had no answer yet. */
function requestsDuring(t: Transcript, isThere: (path: string) => boolean) {
  const [call] = callsOf(t)
  const answer = call?.answers[0]
  return t
    .requests('provider')
    .filter((request) => isThere(servedPath(request)))
    .filter((request) => isAfter(request, call?.request) && !isAfter(request, answer?.event))
}

/** A tool may refuse a `user_id` or an `id` of a form that it does not take, by an error as for any other invocation. */
export function asksFor(scenario: string, whose: string): Need {
  return {
    what: `consent asked for in a call ${whose}`,
    seen(run) {
      const t = run.get(scenario)
      return t && first(callsOf(t).flatMap(({ oauth }) => oauth))?.event
    },
  }
}

/** A tool may have one call of a user wait for consent, and end the others with an error (docs/readings.md, 78). */
export const callsTogether: Need = {
  what: 'two calls of one user that wait for consent together and are both served',
  seen: (run) => first([...run.values()].flatMap(servedTogether)),
}

/** What came of the later one of two calls that were made before their user consented to anything. */
function servedTogether(t: Transcript) {
  const calls = callsOf(t)
  return calls.flatMap((call) => {
    const { user } = call
    if (typeof user !== 'string') return []
    const grant = first(
      calls.filter((other) => other.user === user).flatMap((other) => issuedGrant(other) ?? []),
    )
    const both = calls.filter((other) => other.user === user && !isAfter(other.request!, grant))
    const done = both.filter((other) => isServed(calls, other))
    return grant && done.length > 1 ? done.slice(-1).map(({ results }) => results[0]!.event) : []
  })
}

/** A tool may refuse to start when the metadata that it reads then is of no use. */
export function startsAllTheSame(scenario: string): Need {
  return {
    what: "a start although the provider's metadata is of no use",
    seen: (run) =>
      first(
        run
          .get(scenario)
          ?.steps('deployment')
          .filter(({ detail }) => detail['name'] !== 'shared') ?? [],
      ),
  }
}

function first<T>(found: readonly T[]): T | undefined {
  return found[0]
}

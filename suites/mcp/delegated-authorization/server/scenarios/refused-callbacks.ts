/** What becomes of a call whose callback the server has to refuse: the request is answered, so nothing more can come to it. */

import { pass } from '../../../../../harness/engine/index.ts'
import { judgesOf, type Prerequisite } from '../../../../oauth-client/judges.ts'
import { citeEvents } from '../../../../oauth-client/view.ts'
import { handoff } from '../handoff.ts'
import type { Call } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf } from '../view.ts'
import { check, type ServerScenario } from './define.ts'

const { endsByItself } = judgesOf(handoff)

/** That the call ends, or asks anew, whatever the server makes of the callback. What is asked anew nobody answers here. */
export const endsRefused = (reached: Prerequisite, name?: string) => {
  const endsOrAsks = endsByItself('a callback that it has to refuse', reached, name)
  return check(
    'oauth-client/never-permanently-pending',
    'ends the call, or asks anew',
    (t, context) => {
      const call = callOf(t, name)
      const since = reached(call, t)
      const anew =
        typeof since !== 'string' &&
        call.asked.find(({ event }) => since.some(({ seq }) => seq < event.seq))
      return anew
        ? pass('the user is asked again', [...since, ...citeEvents(anew)])
        : endsOrAsks(t, context)
    },
  )
}

/** The scenario with the waiting for its calls, of which those that were answered have to end. */
export function awaitingEnds(each: ServerScenario): ServerScenario {
  return {
    ...each,
    async drive(fixtures) {
      const calls: Call[] = []
      const begin: Fixtures['begin'] = (...args) => {
        const call = fixtures.begin(...args)
        calls.push(call)
        return call
      }
      await each.drive({ ...fixtures, begin })
      await Promise.all(calls.map((call) => call.settle()))
    },
  }
}

/** What a client checks of its first callback is checked of those of later flows, too (RFC 9700 §4.7). */

import { NotOffered, Unreached, type Need } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { alteredState, stateIn } from '../other-states.ts'
import { scenario, type ClientScenario } from './define.ts'
import { forgeFirst } from './drives.ts'
import { forgeryJudgesOf } from './forgery.ts'

/** Nobody has to send a user away again who has just denied. */
const anotherFlow: Need = {
  what: 'a flow of a user who has denied before',
  seen: () => undefined,
}

export function laterForgeryScenario(handoff: Handoff): ClientScenario {
  const { noTokenRequest } = forgeryJudgesOf(handoff)
  return scenario({
    id: 'state-altered-after-denial',
    title: 'a user who has denied calls again, and a callback with another state comes',
    control: handoff.control,
    needs: anotherFlow,
    async drive(fixtures) {
      const { begin, user } = fixtures
      const denied = begin(user)
      await user.deny(denied)
      await denied.settle()
      const call = begin(user, denied)
      const flow = await user.consent(call).catch((error: unknown) => {
        if (!(error instanceof Unreached)) throw error
        throw new NotOffered(error.message)
      })
      await forgeFirst(fixtures, flow, { state: alteredState(stateIn(flow.redirect)) })
      await call.settle()
    },
    checks: [
      check(
        'oauth-client/validate-state',
        'refuses a callback with another state in a later flow',
        noTokenRequest('call-2'),
      ),
    ],
  })
}

/** What a restart must not change: states that were used. */

import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { scenario, type ClientScenario } from './define.ts'
import { forgeryJudgesOf } from './forgery.ts'
import { needsOwnInstance } from './needs.ts'

export function replayAfterRestart(handoff: Handoff): ClientScenario {
  const { control, endsOnce } = handoff
  const { refusesUsed } = forgeryJudgesOf(handoff)
  return scenario({
    id: 'callback-replayed-after-restart',
    title: 'the callback of a completed flow once more, after a restart',
    control,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    async drive({ ownInstance, observe, mark }) {
      const { begin, user, restart } = await ownInstance()
      const call = begin(user)
      const flow = await user.approve(call)
      await call.ended()
      await restart()
      mark('forged')
      await user.follow(flow)
      await observe()
    },
    checks: [
      check('oauth-client/state-single-use', 'still knows that the state was used', refusesUsed),
      ...endsOnce('sends no second result'),
    ],
  })
}

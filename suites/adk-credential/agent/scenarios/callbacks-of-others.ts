/** A request is answered with the whole callback of another one: right in everything but whose it is. */

import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  Unreached,
  violation,
  type Need,
} from '../../../../harness/engine/index.ts'
import { forgeryReached, forgeryWindow } from '../../../oauth-client/scenarios/index.ts'
import { check } from '../checks.ts'
import { needsCallDialect } from '../conditions.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

/** The callback of the first call, in the answer to the request of the second one. */
const believesNoOther = (whose: string) =>
  check('adk-credential/agent/state-from-own-record', 'does nothing because of it', (t) => {
    const reached = forgeryReached(t)
    if (typeof reached === 'string') return inconclusive(reached)
    const { inside } = forgeryWindow(t)
    const [foreign, own] = [callOf(t), callOf(t, 'call-2')]
    const caused = [...foreign.grants, ...foreign.accesses, ...own.grants].find(inside)
    if (!caused) return pass('it caused nothing', reached)
    return violation(
      `the agent accepted ${whose}`,
      {
        expected: 'no token request: the state is that of another request',
        actual: caused.event,
      },
      [...reached, ...cite(caused)],
    )
  })

export const callbackOfAnother = scenario({
  id: 'callback-of-another-user',
  title:
    'a user answers their own request with the whole callback of somebody else, who then answers, too',
  control,
  async drive({ begin, user, newUser, give, observe, mark }) {
    const other = newUser('attacker')
    const [foreign, own] = [begin(other), begin(user)]
    const flow = await other.consent(foreign)
    await user.consent(own)
    mark('forged')
    await give(own, flow.redirect, {})
    await observe()
    mark('genuine')
    await other.follow(flow)
    await foreign.settle()
  },
  checks: [believesNoOther("another user's callback")],
})

const twoAtOnce: Need = {
  what: 'a request of its own for a call in a session in which another one waits',
  seen: (run) => {
    const t = run.get('two-pauses')
    const known = t ? callOf(t).requests.map(({ id }) => id) : []
    return t && callOf(t, 'call-2').requests.find(({ id }) => !known.includes(id))?.event
  },
}

export const callbackOfAnotherRequest = scenario({
  id: 'callback-of-another-request',
  title:
    'of two requests that wait in one session the later is answered with the whole callback of the earlier, which is then answered itself',
  control,
  needs: twoAtOnce,
  // In the dialect of responses the state is compared at the consent leg.
  notApplicable: needsCallDialect,
  async drive({ begin, user, give, observe, mark }) {
    const earlier = begin(user)
    const flow = await user.consent(earlier)
    const later = begin(user, { session: earlier.session })
    const how = await later.answered().catch((error: unknown) => {
      // The call may wait for the request that there is.
      if (error instanceof Unreached) return 'silent'
      throw error
    })
    const isSame = earlier.requests.some(({ id }) => id === later.requests[0]?.id)
    if (how !== 'asked' || isSame) throw new NotOffered('the later call has no request of its own')
    await user.consent(later)
    mark('forged')
    await give(later, flow.redirect, {})
    await observe()
    mark('genuine')
    await user.follow(flow)
    await earlier.settle()
  },
  checks: [believesNoOther('the callback of another request')],
})

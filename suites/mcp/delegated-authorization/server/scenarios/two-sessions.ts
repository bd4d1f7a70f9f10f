import {
  cite,
  inconclusive,
  pass,
  violation,
  watched,
} from '../../../../../harness/engine/index.ts'
import { forgeryReached } from '../../../../oauth-client/scenarios/index.ts'
import { citeEvents, issuedGrant } from '../../../../oauth-client/view.ts'
import { callOf } from '../view.ts'
import { check, control, scenario } from './define.ts'
import { endsRefused } from './refused-callbacks.ts'

export const twoSessions = scenario({
  id: 'two-sessions',
  title: 'the client of one user answers with the callback of another',
  control,
  async drive({ begin, user, newUser, observe, mark }) {
    const attacker = newUser('attacker')
    const [own, foreign] = [begin(user), begin(attacker)]
    const flow = await user.consent(own)
    await foreign.asked()
    mark('forged')
    await foreign.returned(flow.redirect)
    await observe()
    await foreign.settle()
  },
  checks: [
    endsRefused((_, t) => forgeryReached(t), 'call-2'),
    check('mcp-delegated-authorization/server/bind-session', 'redeems nothing for it', (t) => {
      const [own, foreign] = [callOf(t), callOf(t, 'call-2')]
      const reached = forgeryReached(t)
      if (typeof reached === 'string') return inconclusive(reached)
      const issued = issuedGrant(own) ?? issuedGrant(foreign)
      if (issued) {
        return violation(
          'the callback of one session was redeemed by the answer of another',
          { expected: 'no token request', actual: 'tokens were issued' },
          [...reached, ...cite(issued), ...citeEvents(foreign.ended[0])],
        )
      }
      if (watched(t) === undefined) return inconclusive('the run did not watch what happens next')
      return pass('nothing was redeemed', reached)
    }),
  ],
})

import { cite, inconclusive, pass, violation } from '../../../../harness/engine/index.ts'
import { forgeryWindow } from '../../../oauth-client/scenarios/index.ts'
import { check } from '../checks.ts'
import { needsConsentLeg } from '../conditions.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

export const flowOfAnotherUser = scenario({
  id: 'flow-of-another-user',
  title:
    'the flow of a user is completed for somebody else, with the right state and code, then for them',
  control,
  notApplicable: needsConsentLeg,
  async drive({ begin, user, newUser, completeFor, observe, mark }) {
    const call = begin(user)
    const flow = await user.consent(call)
    mark('forged')
    await completeFor(newUser('attacker'), call, flow.redirect)
    await observe()
    mark('genuine')
    await user.follow(flow)
    await call.settle()
  },
  checks: [
    check('adk-credential/agent/flow-bound-to-user', 'makes no credential of it', (t) => {
      const call = callOf(t)
      const { inside } = forgeryWindow(t)
      const asked = t.requests('consent', call.name).find(inside)
      const answer = asked && t.answer(asked)
      if (answer?.type !== 'response')
        return inconclusive('nobody else completed the flow, or that was not answered')
      const reached = cite(asked, answer)
      const redeemed = call.grants.find(inside)
      if (!redeemed) return pass('its code was not redeemed', reached)
      return violation(
        'the flow of one user was completed for another one',
        {
          expected: 'no token request: the flow was begun for somebody else',
          actual: redeemed.event,
        },
        [...reached, ...cite(redeemed)],
      )
    }),
  ],
})

/** What is refused in the first flow of a user is refused in a later one, too. */

import { alteredState, stateIn } from '../../../oauth-client/other-states.ts'
import { forgeryJudgesOf } from '../../../oauth-client/scenarios/index.ts'
import { check } from '../checks.ts'
import { needsOtherCredential } from '../conditions.ts'
import { handoff } from '../handoff.ts'
import { control, scenario } from './define.ts'

const { noTokenRequest } = forgeryJudgesOf(handoff)

const laterState = scenario({
  id: 'state-altered-in-later-flow',
  title:
    'a user who has authorized one tool is asked for another, and its callback has an altered state',
  control,
  notApplicable: needsOtherCredential,
  async drive({ begin, user, configuration, mark, observe }) {
    const first = begin(user)
    await user.approve(first)
    await first.ended()
    const tools = [configuration.others.otherCredential!]
    const second = begin(user, { tools, session: first.session })
    const flow = await user.consent(second)
    mark('forged')
    await user.follow(flow, user.tampered(flow, { state: alteredState(stateIn(flow.redirect)) }))
    await observe()
    mark('genuine')
    await user.follow(flow)
    await second.settle()
  },
  checks: [
    check('oauth-client/validate-state', 'refuses it there as well', noTokenRequest('call-2')),
  ],
})

export const laterFlowScenarios = [laterState]

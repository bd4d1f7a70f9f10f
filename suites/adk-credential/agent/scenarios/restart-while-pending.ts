import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
} from '../../../../harness/engine/index.ts'
import { needsOwnInstance } from '../../../oauth-client/scenarios/index.ts'
import { apiRequests, issuedGrant } from '../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { needsDurability } from '../conditions.ts'
import { lostArgument } from '../replayed-arguments.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

/** The call goes on with what its user has granted; whoever lost no more than the flow may ask anew. */
const goesOn: Judge = (t, { control: twin }) => {
  const [since] = t.steps('restarted')
  const back = t.requests('browser', 'call-1').find((each) => isAfter(each, since))
  const page = back && t.answer(back)
  if (!since || page?.type !== 'response')
    return inconclusive('the answer did not reach the agent after the restart')
  const call = callOf(t)
  const [request] = call.requests
  const reached = cite(request?.event, since, back, page)
  const anew = call.requests.find(({ event }) => isAfter(event, since))
  if (anew) return pass('the user is asked again', [...reached, ...cite(anew.event)])
  const end = call.ended.find(({ event }) => isAfter(event, since))
  const issued = issuedGrant(call)
  if (issued && end) {
    const requests = apiRequests(call)
    const lost = requests.length > 0 ? lostArgument(twin, call, requests) : undefined
    const evidence = [...reached, ...cite(issued, requests[0], end.event)]
    return lost
      ? violation('after a restart the call was replayed with other arguments', lost, evidence)
      : pass('the call went on', evidence)
  }
  if (!twin || !issuedGrant(callOf(twin)))
    return inconclusive('no code is exchanged even in the normal case', reached)
  return violation(
    'a credential request was lost by a restart',
    {
      expected: 'a token, and the result of the paused call',
      actual: show(end?.text ?? (issued ? 'a token, and no result' : 'neither')),
    },
    reached,
  )
}

export const restartWhilePending = scenario({
  id: 'restart-while-pending',
  title: 'the agent restarts after its user has consented, before the client application answers',
  control,
  ownInstance: true,
  notApplicable: (declared) => needsDurability(declared) ?? needsOwnInstance(declared),
  async drive({ ownInstance }) {
    const { begin, user, restart } = await ownInstance()
    const call = begin(user)
    const flow = await user.consent(call)
    await restart()
    await user.follow(flow)
    await call.settle()
  },
  checks: [
    check('adk-credential/agent/pending-survives-restart', 'still takes the answer', goesOn),
  ],
})

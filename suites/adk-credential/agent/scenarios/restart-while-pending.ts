/** What a restart must not change: requests that were not answered yet, and what their answers are compared with. */

import { randomBytes } from 'node:crypto'
import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
} from '../../../../harness/engine/index.ts'
import { alteredState, stateIn } from '../../../oauth-client/other-states.ts'
import { forgeryJudgesOf, needsOwnInstance } from '../../../oauth-client/scenarios/index.ts'
import { apiRequests, issuedGrant } from '../../../oauth-client/view.ts'
import { believesNothing, check, type Judge } from '../checks.ts'
import { needsDurability } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import { lostArgument } from '../replayed-arguments.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

const { noTokenRequest } = forgeryJudgesOf(handoff)

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

const needsDurableInstance = (declared: Declared): string | undefined =>
  needsDurability(declared) ?? needsOwnInstance(declared)

const restartWhilePending = scenario({
  id: 'restart-while-pending',
  title: 'the agent restarts after its user has consented, before the client application answers',
  control,
  ownInstance: true,
  notApplicable: needsDurableInstance,
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

const forgedAfterRestart = scenario({
  id: 'forged-after-restart',
  title:
    'the agent restarts after three users have consented; then comes a callback with another state, an answer with another id, and one in the name of somebody else',
  control: 'restart-while-pending',
  ownInstance: true,
  notApplicable: needsDurableInstance,
  async drive({ ownInstance }) {
    const { begin, user, newUser, give, mark, observe, restart } = await ownInstance()
    const consented = async (each: typeof user) => {
      const call = begin(each)
      return { call, flow: await each.consent(call) }
    }
    const { flow } = await consented(user)
    const misnamed = await consented(newUser('second'))
    const robbed = await consented(newUser('third'))
    await restart()
    mark('forged')
    await user.follow(flow, user.tampered(flow, { state: alteredState(stateIn(flow.redirect)) }))
    const id = `adk-${randomBytes(16).toString('hex')}`
    await give(misnamed.call, misnamed.flow.redirect, { id })
    await give(robbed.call, robbed.flow.redirect, { user: newUser('attacker').id })
    await observe()
  },
  checks: [
    check(
      'oauth-client/validate-state',
      'still compares the state',
      noTokenRequest('call-1', 'a callback with another state'),
    ),
    check(
      'adk-credential/agent/answer-id-matches',
      'still compares the id',
      believesNothing('an answer to no request', 'call-2'),
    ),
    check(
      'oauth-client/token-bound-to-user',
      'still compares the user',
      believesNothing('an answer in the name of somebody else', 'call-3'),
    ),
  ],
})

export const restartScenarios = [restartWhilePending, forgedAfterRestart]

/** What a restart should not change: pending calls. */

import { needsOwnInstance } from '../../../oauth-client/scenarios/needs.ts'
import { ends } from '../handoff.ts'
import {
  cite,
  gaveUpAfter,
  inconclusive,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { check, type Context } from '../checks.ts'
import { mayHaveTimedOut } from '../../../oauth-client/view.ts'
import { callOf, citeMessages } from '../view.ts'
import type { HandedCall } from '../../../oauth-client/handed-call.ts'
import { scenario } from './define.ts'

const control = 'authorize-and-complete'

export const restartWhilePending = scenario({
  id: 'restart-while-pending',
  title: 'the tool restarts while two users have not yet approved; one does, the other never',
  control,
  ownInstance: true,
  notApplicable: needsOwnInstance,
  async drive({ ownInstance }) {
    const fixtures = await ownInstance()
    const { tool, user, newUser, restart, pendingTimeoutMs = 0, timing } = fixtures
    const approved = tool.invoke({ as: user })
    const flow = await user.consent(approved)
    const absent = newUser('absent')
    const abandoned = tool.invoke({ as: absent })
    await abandoned.asked()
    await restart()
    await user.follow(flow)
    await approved.settle()
    const longest = pendingTimeoutMs + timing.graceMs
    if (pendingTimeoutMs > 0 && longest <= timing.maxWaitMs) await abandoned.settle(longest)
    // Whoever has got the token of the other user by the restart is served with it now: the whole run is searched for that.
    await tool.invoke({ as: absent }).answered()
  },
  checks: [
    check(
      'rap-oauth/tool/persist-pending-calls',
      'takes up what was pending',
      (t, context) =>
        abandonedAfterRestart(t, context) ??
        failedAfterReturn(t, context) ??
        ends('call-1', afterReturn, 'the restart')(t, context),
    ),
  ],
})

const returnOf = (call: HandedCall, t: Transcript) =>
  t.requests('browser', call.name).find(({ url }) => url.includes('code='))

function afterReturn(call: HandedCall, t: Transcript) {
  const [restarted] = t.steps('restarted')
  const returned = returnOf(call, t)
  if (!restarted || !returned) return 'nobody came back after a restart'
  return cite(restarted, returned)
}

/** What a call needs to go on is more than its state: without its code_verifier or its client it only fails. */
function failedAfterReturn(t: Transcript, { control: undisturbed, declared }: Context) {
  const [usual] = undisturbed ? callOf(undisturbed).ended : []
  if (!usual || usual.error) return undefined
  const call = callOf(t, 'call-1')
  const [end] = call.ended
  const cited = afterReturn(call, t)
  if (typeof cited === 'string' || !end?.error) return undefined
  const returned = returnOf(call, t)
  if (returned && mayHaveTimedOut(call, returned, declared.pendingTimeoutMs))
    return inconclusive(
      'the declared pendingTimeout may have been over when the tool had started again: declare a longer one',
      [...cited, ...cite(end.event)],
    )
  return violation(
    'a call that was pending at the restart fails although its user has approved',
    {
      expected:
        'the result of the operation: the provider and the API answer as before the restart',
      actual: end.text,
    },
    [...cited, ...cite(end.event)],
  )
}

/** The timer of a call that nobody finishes must go on after the restart, if the call is still pending then. */
function abandonedAfterRestart(t: Transcript, { declared, timing }: Context) {
  const [restarted] = t.steps('restarted')
  const call = callOf(t, 'call-2')
  const waited = gaveUpAfter(t, call.name)
  if (!restarted || call.results.length > 0 || waited === undefined) return undefined
  if (waited < (declared.pendingTimeoutMs ?? Infinity) + timing.graceMs) return undefined
  return violation(
    'a call that was pending at the restart never ends',
    {
      expected: `a tool_result within the declared pendingTimeout of ${declared.pendingTimeoutMs} ms`,
      actual: `none within ${waited} ms`,
    },
    [...cite(call.request, restarted), ...citeMessages(call.oauth[0])],
  )
}

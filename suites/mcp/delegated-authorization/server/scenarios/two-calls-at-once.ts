/** Two calls of one user wait at once, and the client answers the second one first. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  worstOf,
  type Judgement,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { eachAsked, flowPerCall } from '../../../../oauth-client/scenarios/index.ts'
import { waitedFor } from '../../../../oauth-client/endings.ts'
import {
  citeEvents,
  mayHaveTimedOut,
  served,
  tokenAccesses,
} from '../../../../oauth-client/view.ts'
import { handoff } from '../handoff.ts'
import { callOf, type CallView } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

/** What the API served with the tokens of either call: a server may use those of the other one. */
function servedIn(t: Transcript) {
  return ['call-1', 'call-2'].flatMap((name) => tokenAccesses(callOf(t, name)).filter(served))
}

/** One of them, whose user has authorized it. */
function completed(t: Transcript, call: CallView): Judgement {
  const callback = t.requests('browser', call.name).find((each) => t.answer(each))
  if (!callback) return inconclusive(`no callback was returned to ${call.name}`)
  const [end] = call.ended
  const evidence = [...cite(callback), ...citeEvents(end)]
  if (!end && !waitedFor(call, t))
    return inconclusive(`the run did not wait for the end of ${call.name}`, evidence)
  if (!end || end.error) {
    return violation(
      'of two calls of one user at once, both authorized, one is not completed',
      { expected: 'the result of the operation', actual: end ? end.text : 'no result' },
      evidence,
    )
  }
  const access = servedIn(t).find((each) => isAfter(each, call.request) && isAfter(end.event, each))
  return access
    ? pass('the operation was carried out', [...evidence, ...cite(access)])
    : inconclusive('nobody knows what the result was made of', evidence)
}

/** One flow at a time for each user: the other call is asked when the time of the first is up (docs/readings.md, OAuth clients 12). */
function oneAtATime(t: Transcript, pendingTimeoutMs: number | undefined): Judgement | undefined {
  const calls = ['call-1', 'call-2'].map((name) => callOf(t, name))
  for (const [before, after] of [calls, calls.toReversed()]) {
    const [end] = before?.ended ?? []
    const [asked] = after?.asked ?? []
    if (!before || !end || !asked || !isAfter(asked.event, end.event)) continue
    if (mayHaveTimedOut(before, end.event, pendingTimeoutMs))
      return pass('the calls were asked one after the other', citeEvents(end, asked))
  }
  return undefined
}

const completesBoth: Judge = (t, { declared }) => {
  const inTurn = oneAtATime(t, declared.pendingTimeoutMs)
  if (inTurn) return inTurn
  const both = ['call-1', 'call-2'].map((name) => completed(t, callOf(t, name)))
  return (
    worstOf(both) ??
    pass(
      'both were completed',
      both.flatMap(({ evidence }) => evidence),
    )
  )
}

export const twoCallsAtOnce = scenario({
  id: 'two-calls-at-once',
  title: 'two calls of one user wait at once; the second one is answered first',
  control,
  needs: flowPerCall(handoff),
  async drive({ begin, user }) {
    const [first, second] = [begin(user), begin(user)]
    await eachAsked(first, second)
    await user.approve(second)
    await user.approve(first)
    await Promise.all([second.ended(), first.ended()])
  },
  checks: [check('oauth-client/complete-call', 'completes both', completesBoth)],
})

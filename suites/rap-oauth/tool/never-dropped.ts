/** An invocation that was taken is answered, whoever calls (RAP Tool Invocation, Validation). */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  violation,
} from '../../../harness/engine/index.ts'
import { check, type Judge } from './checks.ts'
import { callOf, callsOf, isAnswered, isTaken, type CallView } from './view.ts'

const judge: Judge = (t, { timing, control }) => {
  if (!control || callOf(control).answers.length === 0)
    return inconclusive('no other call was answered either')
  const calls = callsOf(t)
  const dropped = calls.find(
    (call) =>
      isTaken(call) &&
      call.answers.length === 0 &&
      (gaveUpAfter(t, call.name) ?? 0) >= timing.maxWaitMs &&
      t.steps('gone', call.name).length === 0 &&
      !isUserAsked(calls, call),
  )
  if (dropped)
    return violation(
      'an invocation was acknowledged and then dropped',
      {
        expected: 'an oauth message, or a tool_result',
        actual: `no message within ${gaveUpAfter(t, dropped.name)} ms`,
      },
      cite(dropped.request, dropped.ack),
    )
  const answered = calls.filter(isAnswered)
  if (answered.length < Math.max(1, calls.length))
    return inconclusive(`${answered.length} of ${calls.length} calls were answered`)
  return pass(
    `${answered.length} calls were answered`,
    cite(...answered.slice(0, 3).map(({ request }) => request)),
  )
}

/** Each of them is answered by a message, or was not taken. */
export const dropsNone = check('rap-oauth/tool/never-drop-invocation', 'answers every call', judge)

/** Who is asked because of another call at that time may be told of this one, too, once they have consented. */
function isUserAsked(calls: readonly CallView[], { user, request }: CallView): boolean {
  return calls.some(
    (other) =>
      other.user === user &&
      other.oauth.length > 0 &&
      !other.results.some(({ event }) => request && isAfter(request, event)),
  )
}

/** A user who takes their time: a runtime without a timeout that anybody was told of keeps the call for them. */

import { inconclusive, type Transcript } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversResult } from '../judges/given-results.ts'
import { claimsBetween, keepsPending } from '../judges/pending-calls.ts'
import { cancellationsOf } from '../interruption.ts'
import { callOf, delivered, isAfter, waitedInVain } from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const ended = 'the call was not ended by the runtime'

/** What a runtime is told as its timeout, where it takes {user.timeoutMs}, is twice as long. */
const longestMs = 5 * 60_000

export const pendingForLong = scenario({
  id: 'pending-for-long',
  title: 'the user authorizes only after a long time',
  control: controls.oauth,
  notApplicable: ({ callTimeoutMs }: Declared) =>
    callTimeoutMs === undefined
      ? undefined
      : 'it ends calls after a timeout of its own (declares.userTimeout), which runtime-timeout judges',
  async drive({ converse, observe, timing }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
    const within = Math.min(timing.maxWaitMs, longestMs)
    await goOn(call.awaitThat(ended, (_, t) => isEnded(t), within))
    await observe()
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check(
      'rap-oauth/runtime/keep-call-pending',
      'keeps the call pending for a user who takes their time',
      onceLong(keepsPending()),
    ),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the result to the model, however late it is',
      onceLong(deliversResult()),
    ),
  ],
})

/** Whether the model was told of an end, or the tools of a cancellation: nothing else can come then. */
function isEnded(t: Transcript): boolean {
  const call = callOf(t)
  const oauth = delivered(t, 'oauth')
  const told = claimsBetween(t, call, oauth, undefined)
  const cancelled = cancellationsOf(t, call).filter((each) => isAfter(each, oauth?.request))
  return told.length + cancelled.length > 0
}

function onceLong(judge: Judge): Judge {
  return (t, context) =>
    waitedInVain(t, ended) === undefined && !isEnded(t)
      ? inconclusive('the user did not take their time')
      : judge(t, context)
}

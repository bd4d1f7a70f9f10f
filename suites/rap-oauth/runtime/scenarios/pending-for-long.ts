/** A user who takes their time: a runtime without a timeout that anybody was told of keeps the call for them. */

import { inconclusive, type Timing } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversResult } from '../judges/given-results.ts'
import { keepsPending } from '../judges/pending-calls.ts'
import { controls, goOn, scenario } from './define.ts'

/** All that the run may wait. What a runtime is told as its timeout, where it takes {user.timeoutMs}, is twice the longest. */
const longOf = ({ maxWaitMs }: Timing): number => Math.min(maxWaitMs, 5 * 60_000)

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
    await observe(undefined, longOf(timing))
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

function onceLong(judge: Judge): Judge {
  return (t, context) =>
    t.steps('window').some(({ detail }) => Number(detail['ms']) >= longOf(context.timing))
      ? judge(t, context)
      : inconclusive('the user did not take their time')
}

/** The runtime restarts while a call is pending: its declared timeout still ends the call. */

import { inconclusive } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import { controls, scenario } from './define.ts'
import { restarts } from './restarts.ts'
import { awaitTimeout, endsInTime, tooEarly, withoutTimeout } from './timeout.ts'

export const timedOutAfterRestart = scenario({
  id: 'runtime-timeout-after-restart',
  ownInstance: true,
  title:
    "the runtime restarts while authorization is pending, then nobody comes until the runtime's own timeout",
  control: controls.oauth,
  notApplicable: (declared: Declared) => withoutTimeout(declared) ?? restarts(declared),
  async drive({ ownInstance, declared, timing }) {
    const { userTimeoutMs = 0 } = declared
    const { converse, restart } = await ownInstance({ timeoutMs: userTimeoutMs })
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    await restart()
    // It may count from its start: how long it was down, nobody knows.
    const within = Math.min(userTimeoutMs + timing.graceMs, timing.maxWaitMs)
    await awaitTimeout(conversation, call, userTimeoutMs, within)
  },
  checks: [
    check(
      'rap-oauth/runtime/documented-timeout',
      'ends a call from before the restart with an error result',
      stillEnds(endsInTime()),
    ),
  ],
})

/** That it stays pending until then is for the scenario in which its result arrives. */
function stillEnds(judge: Judge): Judge {
  return (t, context) => {
    if (!t.steps('restarted')[0]) return inconclusive('the runtime was not restarted')
    const found = judge(t, context)
    return found.outcome === 'violation' && found.message === tooEarly
      ? inconclusive('the call was ended with the restart, or before', found.evidence)
      : found
  }
}

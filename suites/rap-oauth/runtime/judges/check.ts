/** What a check of this profile is made of. */

import { inconclusive, type Check, type Transcript } from '../../../../harness/engine/index.ts'
import { type Declared } from '../configuration.ts'
import { callsOf } from '../view.ts'

export type Judge = Check<Declared>['judge']

/** A check of calls that wait for something; what may have ended one before its time is no violation. */
export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge: unlessOverdue(judge) }
}

/** A check that no timeout of the runtime can disturb. */
export function checkAnyway(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** On a machine that is slow enough, a runtime's own timeout ends calls before the scenario does. */
function unlessOverdue(judge: Judge): Judge {
  return (t, context) => {
    const judgement = judge(t, context)
    if (judgement.outcome !== 'violation' || !isOverdue(t, context.declared)) return judgement
    return inconclusive(
      `${judgement.message}; but the runtime's own timeout may have ended the call before (declares.userTimeout): set the runtime's timeout to {user.timeoutMs}, or run on a less busy machine`,
      judgement.evidence,
    )
  }
}

/** Whether something was sent for a call that the timeout which the runtime has by itself may have ended. */
function isOverdue(t: Transcript, { callTimeoutMs }: Declared): boolean {
  if (callTimeoutMs === undefined) return false
  return callsOf(t).some(({ toolCall, invocations, deliveries }) => {
    const begun = toolCall ?? invocations[0]
    // Nobody measures the same moments.
    return begun && deliveries.some(({ step }) => step.t - begun.t >= callTimeoutMs * 0.9)
  })
}

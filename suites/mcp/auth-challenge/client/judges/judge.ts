/** What judgements of this profile share. */

import {
  cite,
  inconclusive,
  violation,
  watchedAfter,
  type Check,
  type Evidence,
  type Judgement,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { flowAfter, type CallView } from '../view.ts'

export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** The first challenge of a call, and that somebody watched what came of it; otherwise why nothing can be said. */
export function watchedChallenge(
  t: Transcript,
  { challenges, attempts }: CallView,
): Evidence[] | string {
  const [challenge] = challenges
  if (attempts.length === 0) return 'the client did not call the tool'
  if (!challenge) return 'the client was not challenged'
  if (watchedAfter(t, challenge.event) === undefined) return 'nobody watched what came of it'
  return cite(challenge.event)
}

/** That no flow begins after the challenge of a call. */
export function noFlow(
  t: Transcript,
  call: CallView,
  { why, passes }: { readonly why: string; readonly passes: (evidence: Evidence[]) => Judgement },
): Judgement {
  const [challenge] = call.challenges
  const flow = challenge && flowAfter(call, challenge.event)
  if (flow) {
    return violation(
      why,
      { expected: 'no authorization request', actual: describeFlow(flow) },
      cite(challenge.event, flow),
    )
  }
  const reached = watchedChallenge(t, call)
  return typeof reached === 'string' ? inconclusive(reached) : passes(reached)
}

function describeFlow(event: RecordedEvent): string {
  return event.type === 'step'
    ? `opened ${String(event.detail['url'])}`
    : 'an authorization request at the provider'
}

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
import { callOf, flowAfter, type CallView } from '../view.ts'

export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** The first challenge of a call, and that somebody watched what came of it; otherwise why nothing can be said. */
export function watchedChallenge(
  t: Transcript,
  { challenges, attempts }: CallView,
  control?: Transcript,
): Evidence[] | string {
  const [challenge] = challenges
  if (attempts.length === 0) return 'the client did not call the tool'
  if (!challenge) return 'the client was not challenged'
  if (watchedAfter(t, challenge.event) === undefined)
    return 'the run did not watch what happened next'
  const watched = (t.steps('window').at(-1)?.t ?? 0) - challenge.event.t
  const usual = flowTime(control)
  if (watched < usual)
    return `it was watched for ${Math.round(watched)} ms, and a flow took ${Math.round(usual)} ms to begin`
  return cite(challenge.event)
}

/** Milliseconds from the challenge to the flow, where nothing is unusual. */
function flowTime(control: Transcript | undefined): number {
  const usual = control && callOf(control)
  const challenge = usual?.challenges[0]?.event
  const flow = usual && flowAfter(usual, challenge)
  return challenge && flow ? flow.t - challenge.t : 0
}

/** What no flow is judged by. */
export interface NoFlow {
  readonly why: string
  /** Where a flow begins. */
  readonly control: Transcript | undefined
  readonly passes: (evidence: Evidence[]) => Judgement
}

/** That no flow begins after the challenge of a call. */
export function noFlow(t: Transcript, call: CallView, { why, control, passes }: NoFlow): Judgement {
  const [challenge] = call.challenges
  const flow = challenge && flowAfter(call, challenge.event)
  if (flow) {
    return violation(
      why,
      { expected: 'no authorization request', actual: describeFlow(flow) },
      cite(challenge.event, flow),
    )
  }
  const reached = watchedChallenge(t, call, control)
  return typeof reached === 'string' ? inconclusive(reached) : passes(reached)
}

function describeFlow(event: RecordedEvent): string {
  return event.type === 'step'
    ? `opened ${String(event.detail['url'])}`
    : 'an authorization request at the provider'
}

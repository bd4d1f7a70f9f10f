/** States of the whole run, compared: those of one user too, and those of processes that never met. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Judgement,
  type RecordedEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { check } from '../judges.ts'

/** What a state was used for; the same `flow` again is no other use of it. */
export interface StateUse {
  readonly state: string
  readonly flow: unknown
  readonly event: RecordedEvent
}

/** The requests that arrived at the provider, pushed ones too (RFC 9126 §4): a link may be opened twice. */
export function arrivedStates(t: Transcript): readonly StateUse[] {
  return t.provider('authorization-request').flatMap((event) => {
    const { state, codeChallenge } = event.detail
    return typeof state === 'string' && state !== '' ? [{ state, flow: codeChallenge, event }] : []
  })
}

/** No state is used for two flows. */
export function statesDiffer(uses: readonly StateUse[]): Judgement {
  const first = new Map<string, StateUse>()
  for (const use of uses) {
    const before = first.get(use.state) ?? use
    first.set(use.state, before)
    if (before.flow === use.flow) continue
    return violation(
      'the same state is used for several flows',
      { expected: 'a new state for each authorization request', actual: show(use.state) },
      cite(before.event, use.event),
    )
  }
  const events = [...first.values()].map(({ event }) => event)
  if (events.length < 2) return inconclusive('fewer than two requests have a state of their own')
  return pass(`${events.length} states`, cite(...events.slice(0, 3)))
}

export const statesDifferInRun = check(
  'oauth-client/state-unpredictable',
  'uses no state twice in the whole run',
  (t) => statesDiffer(arrivedStates(t)),
)

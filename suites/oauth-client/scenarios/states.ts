/** States of the whole run, compared: those of one user too, and those of processes that never met. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type Check,
  type Judgement,
  type ProviderRecord,
  type Recorded,
  type RecordedEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { ClientDeclared } from '../declarations.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { partsOf } from '../parts.ts'

/** What a state was used for: the same flow again is no other use of it. */
export interface StateUse {
  readonly state: string
  /** What tells the flow wherever it is seen. */
  readonly flow: unknown
  /** Who it was for, where that is known. */
  readonly by?: string | undefined
  readonly event: RecordedEvent
}

type Calls = Pick<Handoff, 'callOf'>

/** The requests that arrived at the provider, pushed ones too (RFC 9126 §4): a link may be opened twice. */
export function arrivedStates(t: Transcript, calls: Calls): readonly StateUse[] {
  return t.provider('authorization-request').flatMap((event) => {
    const { state } = event.detail
    return typeof state === 'string' && state !== ''
      ? [{ state, flow: event.detail['codeChallenge'], by: callerOf(t, event, calls), event }]
      : []
  })
}

/**
 * Beside its code challenge, which nobody has to send, a flow is told by who was given the URL, as a state is bound to one
 * user agent (RFC 6749 §10.12), and by whether the state was redeemed before that call began, as it is for one use (RFC 9700
 * §4.7.1). Two calls of a user that wait together may have one URL. Of a request that the client pushes, and of one that
 * comes when its scenario is over, nobody knows whose it is.
 */
function callerOf(
  t: Transcript,
  event: Recorded<ProviderRecord>,
  { callOf }: Calls,
): string | undefined {
  const { state } = event.detail
  const part = event.call === undefined ? undefined : partsOf(t).get(event.scenario)
  if (!part) return undefined
  const { user, request } = callOf(part, event.call)
  const sharing = new Set(
    part
      .provider('authorization-request')
      .filter(({ detail }) => detail['state'] === state)
      .map(({ call }) => call),
  )
  const redeemed = part
    .provider('grant')
    .filter(({ call, detail }) => sharing.has(call) && detail['outcome'] === 'issued')
    .filter(({ detail }) => detail['grantType'] === 'authorization_code')
    .filter((grant) => request !== undefined && isAfter(request, grant))
  return JSON.stringify([event.scenario, user, redeemed.length])
}

function isSameFlow(one: StateUse, other: StateUse): boolean {
  const isSameCaller = one.by === undefined || other.by === undefined || one.by === other.by
  return one.flow === other.flow && isSameCaller
}

/** No state is used for two flows. */
export function statesDiffer(uses: readonly StateUse[]): Judgement {
  const first = new Map<string, StateUse>()
  for (const use of uses) {
    const before = first.get(use.state) ?? use
    // What tells most is compared with whatever comes.
    first.set(use.state, before.by === undefined ? use : before)
    if (isSameFlow(before, use)) continue
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

export function statesDifferInRun(handoff: Calls): Check<ClientDeclared> {
  return check('oauth-client/state-unpredictable', 'uses no state twice in the whole run', (t) =>
    statesDiffer(arrivedStates(t, handoff)),
  )
}

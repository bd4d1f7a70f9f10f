/** Judgements that several scenarios share; each says `inconclusive` unless the transcript proves its reach. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type Check,
  type JudgingContext,
  type RecordedEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { modelCalled } from '../../../harness/parties/model-called.ts'
import { forgeryReached, forgeryWindow } from '../../oauth-client/scenarios/index.ts'
import { readsLike } from '../../oauth-client/endings.ts'
import type { Ended } from '../../oauth-client/handed-call.ts'
import type { Declared } from './configuration.ts'
import { handoff } from './handoff.ts'
import { callOf, failureOf, type CallView } from './view.ts'

export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** A credential is asked for, and no real result comes before. */
export function asksBeforeResult(name = 'call-1'): Judge {
  return (t) => {
    const { requests, ended, ack } = callOf(t, name)
    const reached = modelCalled(t, name)
    if (typeof reached === 'string') return inconclusive(reached)
    const [request] = requests
    const [end] = ended
    if (end && (!request || isAfter(request.event, end.event))) {
      return violation(
        'the tool gave a result although its user had authorized nothing',
        { expected: 'a credential request', actual: end.text },
        [...reached, ...cite(end.event)],
      )
    }
    if (request) return pass('a credential was asked for', [...reached, ...cite(request.event)])
    if (ack?.type !== 'response') return inconclusive('the message was not answered', reached)
    return violation(
      'the model called the tool, and no credential was asked for',
      {
        expected: 'adk_request_credential',
        actual: failureOf(ack) ?? `HTTP ${ack.status} without it`,
      },
      [...reached, ...cite(ack)],
    )
  }
}

/** What an answer caused that must cause nothing, between the marks "forged" and "genuine". */
function causedBy(
  t: Transcript,
  call: CallView,
  { declared, control }: JudgingContext<Declared>,
): RecordedEvent | undefined {
  const { inside } = forgeryWindow(t)
  // In the dialect of responses the code is redeemed before the answer is made.
  const redeemed = declared.dialect === 'call' ? call.grants : []
  const [served] = control ? callOf(control).ended : []
  const results = call.ended.filter((end) => isData(end, served)).map(({ event }) => event)
  return [...redeemed, ...call.accesses, ...results].find(inside)
}

/** A result that reads like that of the undisturbed call; one in other words may say that nothing was done. */
function isData(end: Ended, served: Ended | undefined): boolean {
  if (end.error || !served) return !end.error
  return readsLike(handoff, end, served)
}

/** The forged answer redeems nothing, and runs no tool. */
export function believesNothing(what: string, name?: string): Judge {
  return (t, context) => {
    const reached = forgeryReached(t, name)
    if (typeof reached === 'string') return inconclusive(reached)
    const caused = causedBy(t, callOf(t, name), context)
    if (!caused) return pass('it caused nothing', reached)
    return violation(
      `${what} was believed`,
      {
        expected: 'no token request, and no run of the tool',
        actual: caused.type === 'provider' ? caused.event : 'a result of the tool',
      },
      [...reached, ...cite(caused)],
    )
  }
}

/** Gives checks their types, and what several of them ask. */

import {
  cite,
  inconclusive,
  isAfter,
  violation,
  type Check,
  type Judgement,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { issuedGrant, upstreamAt } from '../../oauth-client/view.ts'
import { callOf, runsSince } from '../view.ts'
import type { Declared } from './configuration.ts'

export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** What shows that a token of the call was stored: it was said to be, or a tool ran. */
function stored(t: Transcript, name = 'call-1') {
  const call = callOf(t, name)
  return (
    call.callbacks.find(({ detail }) => detail['outcome'] === 'stored') ??
    runsSince(call, call.pauses[0]?.event)[0]
  )
}

/** Why nothing is said of a callback that came to nothing, where none ever does. */
export const neverExchanges = 'no code is exchanged even in the normal case'

/** Whether a code is exchanged in the undisturbed twin. */
export function exchangesIn(twin: Transcript | undefined): boolean {
  return twin !== undefined && issuedGrant(callOf(twin)) !== undefined
}

/** The token endpoint was asked, and nothing of its answer was stored: the run pauses again, or ends without the tool. */
export function storesNothing(what: string): Judge {
  return (t, { control }): Judgement => {
    const call = callOf(t)
    const [asked] = upstreamAt(call, '/token')
    if (!asked) return inconclusive('no token request with the code of this flow was made')
    const evidence = cite(asked, t.answer(asked))
    if (!control || !stored(control))
      return inconclusive('no token is stored even in the normal case')
    const wrong = stored(t)
    if (wrong) {
      const actual =
        wrong.type === 'step' && wrong.action === 'callback-taken' ? 'stored' : 'the tool ran'
      return violation(what, { expected: 'a refusal', actual }, [...evidence, ...cite(wrong)])
    }
    const [refused] = call.callbacks
    const rested = call.outcomes.find((step) => isAfter(step, call.resumes[0]))
    if (!rested) return inconclusive('the run did not continue after it was resumed', evidence)
    return {
      outcome: 'pass',
      message: 'nothing was stored',
      evidence: [...evidence, ...cite(refused, rested)],
    }
  }
}

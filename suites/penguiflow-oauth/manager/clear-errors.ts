/** Whether the error of a refused callback says what failed. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type Evidence,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { callOf } from '../view.ts'
import type { Judge } from './checks.ts'

/** Errors by which a program says that it has stumbled over what it was given. */
export const stumbles =
  /^(TypeError|AttributeError|KeyError|IndexError|NameError|UnboundLocalError|ReferenceError|AssertionError|ZeroDivisionError|NullPointerException)$/

/** How clients in JavaScript call a request that found no answer. */
const isNetwork = /fetch failed|network|terminated|socket/i

/** The last callback that was refused since what is given, `what` in a finding, says in words what failed. */
export function saysWhatFailed(
  what: string,
  prerequisite: (t: Transcript) => readonly Evidence[] | string,
): Judge {
  return (t) => {
    const reached = prerequisite(t)
    if (typeof reached === 'string') return inconclusive(reached)
    const [first] = t.events.filter(({ seq }) => reached.some((each) => each.seq === seq))
    const refused = callOf(t).callbacks.findLast(
      (each) => each.detail['outcome'] === 'refused' && isAfter(each, first),
    )
    if (!refused)
      return inconclusive('the adapter did not say that the callback was refused', reached)
    const evidence = [...reached, ...cite(refused)]
    const [kind, message] = [refused.detail['kind'], refused.detail['message']].map((each) =>
      typeof each === 'string' ? each.trim() : '',
    )
    if (!message) {
      const difference = { expected: 'what failed, in words', actual: 'no message' }
      return violation(`${what} is not described`, difference, evidence)
    }
    if (kind && stumbles.test(kind) && !isNetwork.test(message)) {
      const difference = { expected: 'what failed, in words', actual: `${kind}: ${message}` }
      return violation(`${what} is reported as an internal error`, difference, evidence)
    }
    return pass(`${kind ?? ''}: ${message}`, evidence)
  }
}

/** Judges that a call of a tool hands its user over, and does not end instead. */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { Handoff } from '../../oauth-client/handoff.ts'
import type { Judge } from '../../oauth-client/judges.ts'
import { citeEvents, isRateLimit } from '../../oauth-client/view.ts'

/**
 * `expected` is what hands the user over: "an elicitation in URL mode". It may come when the call has ended, so `waited` says
 * whether somebody waited for that; default: nobody has to.
 */
export const asksUserOf =
  (
    callOf: Handoff['callOf'],
    expected: string,
    waited: (t: Transcript, name: string) => boolean = () => true,
  ) =>
  (name: string): Judge =>
  (t, { timing }) => {
    const { request, asked, ended } = callOf(t, name)
    const [first] = asked
    const [end] = ended
    if (first) return pass(`${expected} came`, citeEvents(first))
    if (!request) return inconclusive('the tool was not called')
    if (end && isRateLimit(end))
      return inconclusive(
        'the implementation was overloaded by calls at the same time',
        citeEvents(end),
      )
    if (end && !waited(t, name))
      return inconclusive('the run did not wait for what may come after the end', citeEvents(end))
    if (end) {
      const difference = { expected, actual: `a result: ${end.text}` }
      return violation('the call ended without asking', difference, [
        ...cite(request),
        ...citeEvents(end),
      ])
    }
    const ms = gaveUpAfter(t, name)
    if (ms === undefined || ms < timing.maxWaitMs)
      return inconclusive('the run did not wait long enough')
    const difference = { expected, actual: `nothing within ${ms} ms` }
    return violation('the call neither asked nor ended', difference, cite(request))
  }

/** Judges that a call of a tool hands its user over, and does not end instead. */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  violation,
} from '../../../harness/engine/index.ts'
import type { Handoff } from '../../oauth-client/handoff.ts'
import type { Judge } from '../../oauth-client/judges.ts'
import { citeEvents, isRateLimit } from '../../oauth-client/view.ts'

/** `asked` is what hands the user over: "an elicitation in URL mode". */
export const asksUserOf =
  (callOf: Handoff['callOf'], expected: string) =>
  (name: string): Judge =>
  (t, { timing }) => {
    const { request, asked, ended } = callOf(t, name)
    const [first] = asked
    const [end] = ended
    if (first && !(end && isAfter(first.event, end.event)))
      return pass(`${expected} came`, citeEvents(first))
    if (!request) return inconclusive('the tool was not called')
    if (end && isRateLimit(end))
      return inconclusive(
        'the implementation was overloaded by calls at the same time',
        citeEvents(end),
      )
    if (end) {
      const difference = { expected, actual: `a result: ${end.text}` }
      return violation('the call ended without asking', difference, [
        ...cite(request),
        ...citeEvents(end),
      ])
    }
    const waited = gaveUpAfter(t, name)
    if (waited === undefined || waited < timing.maxWaitMs)
      return inconclusive('the run did not wait long enough')
    const difference = { expected, actual: `nothing within ${waited} ms` }
    return violation('the call neither asked nor ended', difference, cite(request))
  }

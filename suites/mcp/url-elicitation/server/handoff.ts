/** How an MCP server hands its user over by a URL: what `oauth-client` needs to know to ask the rest. */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import type { Handoff } from '../../../oauth-client/handoff.ts'
import type { Judge } from '../../../oauth-client/judges.ts'
import { citeEvents, isRateLimit } from '../../../oauth-client/view.ts'
import { control } from './scenarios/define.ts'
import { callOf, callsOf } from './view.ts'

/** The user is asked to open a URL, and the call does not end instead. */
function asksUser(name: string): Judge {
  return (t, { timing }) => {
    const { request, asked, ended } = callOf(t, name)
    const [first] = asked
    const [end] = ended
    if (first && !(end && isAfter(first.event, end.event)))
      return pass('an elicitation asked for it', citeEvents(first))
    if (!request) return inconclusive('the tool was not called')
    if (end && isRateLimit(end)) return inconclusive('too much was asked at once', citeEvents(end))
    const expected = 'an elicitation in URL mode'
    if (end) {
      const difference = { expected, actual: `a result: ${end.text}` }
      return violation('the call ended without asking', difference, [
        ...cite(request),
        ...citeEvents(end),
      ])
    }
    const waited = gaveUpAfter(t, name)
    if (waited === undefined || waited < timing.maxWaitMs)
      return inconclusive('it was not waited for long enough')
    const difference = { expected, actual: `nothing within ${waited} ms` }
    return violation('the call neither asked nor ended', difference, cite(request))
  }
}

export const handoff: Handoff = {
  control,
  storedControl: 'stored-token',
  words: { asked: 'an elicitation in URL mode', ended: 'a result' },
  callOf,
  callsOf,
  mayAskAnew: true,
  asksUser,
  // A response belongs to its request by its id, so there cannot be two.
  endsOnce: () => [],
}

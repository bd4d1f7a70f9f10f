/** How an agent hands its user over by a credential request: what `oauth-client` needs to know to ask the rest. */

import { cite, inconclusive, pass, violation } from '../../../harness/engine/index.ts'
import type { Handoff } from '../../oauth-client/handoff.ts'
import type { Judge } from '../../oauth-client/judges.ts'
import { askedTooMuch, citeEvents, isRateLimit } from '../../oauth-client/view.ts'
import { readsAsServed } from '../../oauth-client/made-up.ts'
import { control } from './scenarios/define.ts'
import { callOf, callsOf, failureOf } from './view.ts'

/** A credential request comes, and the call does not end instead. */
function asksUser(name: string): Judge {
  return (t) => {
    const { request, ack, asked, ended } = callOf(t, name)
    const [first] = asked
    const [end] = ended
    if (first && !(end && end.event.seq < first.event.seq))
      return pass('a credential request asked for it', citeEvents(first))
    if (!request) return inconclusive('no call was made')
    if (end && isRateLimit(end)) return inconclusive(askedTooMuch, citeEvents(end))
    const expected = 'a credential request'
    if (end) {
      const difference = { expected, actual: `a result: ${end.text}` }
      return violation('the call ended without asking', difference, [
        ...cite(request),
        ...citeEvents(end),
      ])
    }
    if (ack?.type !== 'response') return inconclusive('the message was not answered')
    const difference = { expected, actual: failureOf(ack) ?? `HTTP ${ack.status} without one` }
    return violation('the call neither asked nor ended', difference, cite(request, ack))
  }
}

export const handoff: Handoff = {
  control,
  storedControl: 'stored-token',
  words: { asked: 'a credential request', ended: 'a result of the tool' },
  callOf,
  callsOf,
  // An answer that brought nothing leaves the call as it was: the agent may ask for it once more.
  mayAskAnew: true,
  // RFC 6750 §3.1 leaves it to the client whether it asks for another token within the same call.
  mayReportRefusal: true,
  asksUser,
  readsAsServed: (end, undisturbed) => !end.error && readsAsServed(end.text, undisturbed.text),
  // The row call-replayed judges results under the id of the call, wherever they come.
  endsOnce: () => [],
}

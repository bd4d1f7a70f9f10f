/** How a framework hands its user over by a pause: what `oauth-client` needs to know to ask the rest of its manager. */

import { cite, inconclusive, pass, violation } from '../../../harness/engine/index.ts'
import type { Handoff } from '../../oauth-client/handoff.ts'
import type { Judge } from '../../oauth-client/judges.ts'
import { citeEvents } from '../../oauth-client/view.ts'
import { modelCalled } from '../../../harness/parties/model-called.ts'
import { callOf, callsOf, subjectsTold } from '../view.ts'
import { control } from './scenarios/define.ts'

/** A pause comes, and the run does not end instead. */
function asksUser(name: string): Judge {
  return (t) => {
    const { message, asked, ended } = callOf(t, name)
    const [first] = asked
    const [end] = ended
    if (first && !(end && end.event.seq < first.event.seq))
      return pass('it paused', citeEvents(first))
    if (!message || !end) return inconclusive('the run neither paused nor ended')
    const difference = { expected: 'a pause', actual: end.text }
    return violation('the run ended without asking', difference, [
      ...cite(message),
      ...citeEvents(end),
    ])
  }
}

export const handoff: Handoff = {
  control,
  storedControl: 'stored-token',
  words: { asked: 'a pause', ended: 'the end of a run' },
  callOf,
  callsOf,
  // A run that is resumed without a token pauses once more.
  mayAskAnew: true,
  numbersAreNoTokens: true,
  dataGiven: (t, name) =>
    typeof modelCalled(t, name) === 'string' ? undefined : subjectsTold(callOf(t, name)),
  asksUser,
  // A run that has ended has no handle, so it cannot end twice.
  endsOnce: () => [],
}

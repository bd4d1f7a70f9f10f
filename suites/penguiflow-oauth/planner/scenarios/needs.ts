/** What a correct planner need not offer, and by what it is seen. */

import {
  isAfter,
  type Need,
  type OutputEvent,
  type Recorded,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { asksForConsent, callOf, callsOf } from '../../view.ts'

/** An API that fails has refused no token. Who tells the model that a token was refused, and ends, asks for a consent when somebody says it once more. */
export const pauseAfterRefusal: Need = {
  what: 'a pause in the run in which the API has refused a token',
  seen: (run) =>
    [...run.values()].flatMap((t) => {
      const refused = t
        .provider('resource-access')
        .filter(({ detail }) => detail['error'] === 'invalid_token')
      return callsOf(t).flatMap(({ name, message }) =>
        callOf(t, name)
          .pauses.filter(({ payload }) => asksForConsent(payload))
          .filter(({ event }) =>
            refused.some((access) => isAfter(access, message) && isAfter(event, access)),
          )
          .map(({ event }) => event),
      )
    })[0],
}

/** A planner may keep its pauses where its adapter shows nothing, such as in the handle, sealed. */
export const recordOfPause: Need = {
  what: 'a record of a pause',
  seen: (run) => [...run.values()].flatMap(pauseRecords)[0],
}

/** What was kept of pauses. */
export function pauseRecords(t: Transcript): readonly Recorded<OutputEvent>[] {
  return t.outputs().filter(({ source }) => source.startsWith('store pause '))
}

/** Judgements about credentials that travelled where they must not. */

import { isOwnAnswer, type Place } from '../../../../oauth-client/scenarios/index.ts'
import type { Judge } from '../checks.ts'
import { isFromServer, offWire, saidIn } from '../../../server/off-wire.ts'

/** What the third party issues, and what the server proves itself to it with. */
const credentials = [
  'access_token',
  'refresh_token',
  'authorization_code',
  'id_token',
  'client_secret',
  'code_verifier',
]

/** Nothing that a client got holds a secret of the third party. */
export const credentialsOffWire: Judge = offWire(credentials)

/** A message of the server that ends a call. */
export const isResult: Place = (event, sighting, t) =>
  isFromServer(event) && !isAsking(event, sighting, t) && /"(result|error)"\s*:/.test(saidIn(event))

/** A message of the server that brings a URL, as a request or in a result or error. */
export const isAsking: Place = (event) =>
  isFromServer(event) && /"mode"\s*:\s*"url"/.test(saidIn(event))

/** What the server answers to a browser. */
export const isPage: Place = (...seen) => {
  const [event] = seen
  return event.type === 'response' && event.channel === 'browser' && isOwnAnswer(...seen)
}

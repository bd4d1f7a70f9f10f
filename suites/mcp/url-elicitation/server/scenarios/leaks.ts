/** Judgements about credentials that travelled where they must not. */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  servedPath,
  violation,
  type RecordedEvent,
} from '../../../../../harness/engine/index.ts'
import { isApi, served } from '../../../../oauth-client/view.ts'
import { isOwnAnswer, type Place } from '../../../../oauth-client/scenarios/index.ts'
import type { Judge } from '../checks.ts'
import { bearersOf, isFromServer, offWire } from '../../../server/off-wire.ts'
import { needsAuthorization } from '../conditions.ts'

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

/** No token of an MCP client arrived at the API. */
export const noPassthrough: Judge = (t, { declared }) => {
  const reason = needsAuthorization(declared)
  if (reason !== undefined) return notApplicable(reason)
  const bearers = bearersOf(t)
  if (bearers.length === 0) return inconclusive('no client had a token')
  const passed =
    t.provider('resource-access').find(({ detail }) => bearers.includes(String(detail['token']))) ??
    t
      .requests('provider')
      .find(
        ({ secrets = [], ...request }) =>
          isApi(servedPath(request)) && secrets.some(({ id }) => bearers.includes(id)),
      )
  if (passed) {
    return violation(
      "the token of an MCP client was sent to the third party's API",
      { expected: 'a token that was issued to the server', actual: 'the token of the client' },
      cite(passed),
    )
  }
  const accesses = t.provider('resource-access').filter(served)
  if (accesses.length === 0) return inconclusive('the API was never called')
  return pass(`${accesses.length} requests to the API`, cite(...accesses.slice(0, 3)))
}

/** A message of the server that ends a call. */
export const isResult: Place = (event, sighting, t) =>
  isFromServer(event) &&
  !isAsking(event, sighting, t) &&
  bodyOf(event).some((text) => /"(result|error)"\s*:/.test(text))

/** A message of the server that brings a URL, as a request or in a result or error. */
export const isAsking: Place = (event) =>
  isFromServer(event) && bodyOf(event).some((text) => /"mode"\s*:\s*"url"/.test(text))

/** What the server answers to a browser. */
export const isPage: Place = (...seen) => {
  const [event] = seen
  return event.type === 'response' && event.channel === 'browser' && isOwnAnswer(...seen)
}

function bodyOf(event: RecordedEvent): string[] {
  return 'body' in event && event.body ? [event.body.text] : []
}

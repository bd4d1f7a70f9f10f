/** Judgements about credentials that travelled where they must not. */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  pathOf,
  unreadKind,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { isApi, served } from '../../../../oauth-client/view.ts'
import { isOwnAnswer, type Place } from '../../../../oauth-client/scenarios/index.ts'
import type { Judge } from '../checks.ts'
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
export const credentialsOffWire: Judge = (t) => {
  const issued = t.provider('grant').filter(({ detail }) => detail['outcome'] === 'issued')
  if (issued.length === 0) return inconclusive('no token was issued in the whole run')
  const bearers = bearersOf(t)
  const received = t.events.filter(isFromServer)
  for (const event of received) {
    const leak = event.secrets?.find(
      ({ kind, id }) => credentials.includes(kind) && !bearers.includes(id),
    )
    if (leak) {
      return violation(
        `${leak.kind} (${leak.id}) was sent to an MCP client`,
        { expected: 'no credential of the third party', actual: `${leak.at}, ${leak.encoding}` },
        cite(event),
      )
    }
  }
  const unread = received.find(({ secrets }) => secrets?.some(({ kind }) => kind === unreadKind))
  if (unread) return inconclusive('a message is nested beyond what is read', cite(unread))
  if (received.length === 0) return inconclusive('the server sent nothing')
  return pass(`${received.length} messages scanned`, cite(...received.slice(0, 3)))
}

/** Everything that a client got: messages, and all that answers of HTTP hold. */
function isFromServer(event: RecordedEvent): boolean {
  return (
    (event.type === 'response' && event.channel === 'mcp') ||
    (event.type === 'request' && event.channel === 'mcp-stream')
  )
}

/** The ids of the access tokens that MCP clients were given for the endpoint. */
function bearersOf(t: Transcript): string[] {
  return t.steps('connect').flatMap(({ detail }) => {
    const { bearer } = detail
    return typeof bearer === 'string' ? [bearer] : []
  })
}

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
        ({ url, secrets = [] }) =>
          isApi(pathOf(url)) && secrets.some(({ id }) => bearers.includes(id)),
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

/** Judgements about where tokens go. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  pathOf,
  violation,
  watchedAfter,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { issuedGrant } from '../../../../oauth-client/view.ts'
import { sentChannel } from '../../../wire/link.ts'
import { textIn } from '../../../wire/values.ts'
import { callOf, callsOf, metadataRequests, placesOf, requestsTo } from '../view.ts'
import { issuerChanged, metadataChannel, trapChannel } from '../vocabulary.ts'
import { isNamed } from './following.ts'
import { watchedChallenge, type Judge } from './judge.ts'

/** A token is for the server that it was requested for, and for nobody else. */
export const keepsTokensApart: Judge = (t) => {
  const [first, second] = placesOf(t).servers
  const called = mark(t, 'other-server')
  const used = t.provider('resource-access', 'call-1').find(({ detail }) => detail['token'])
  if (!used) return inconclusive('no token was used at the first server')
  const to = requestsTo(t, second).filter((request) => isAfter(request, called))
  // What stands above both is a resource as well (Canonical Server URI): a token for that is for both.
  const isForBoth = callOf(t).grants.some((grant) => isNamed(grant, [second]))
  const sent = isForBoth ? [] : tokensIn(requestsTo(t, first))
  const leak =
    requestsTo(t, second).find((request) => tokensIn([request]).some((id) => sent.includes(id))) ??
    metadataOf(first)(t).find(hasToken)
  if (leak) {
    return violation(
      'a token was sent to a server that it was not requested for',
      { expected: `tokens for ${first} go to ${first} alone`, actual: whereTo(leak) },
      cite(used, leak),
    )
  }
  if (!called || callOf(t, 'call-2').attempts.length === 0 || to.length === 0)
    return inconclusive('the second server was not called', cite(used))
  return isForBoth
    ? pass('its token was requested for both', cite(used, to[0]))
    : pass(`${to.length} requests to the second server have none`, cite(used, to[0]))
}

/** A request that the endpoint has redirected. */
export function redirectedRequest(t: Transcript): RecordedEvent | undefined {
  return requestsTo(t, placesOf(t).servers[0]).find((request) => {
    const answer = t.answer(request)
    return answer?.type === 'response' && answer.status === 307
  })
}

/** A server of ours by the name of the loopback interface, which is another host than its address. */
export function byName(endpoint: string): string {
  const url = new URL(endpoint)
  url.hostname = 'localhost'
  return url.href
}

/** The endpoint has redirected to the other server: tokens of the first do not go there. */
export const leavesTokenBehind: Judge = (t) => {
  const [first, second] = placesOf(t).servers
  const used = t.provider('resource-access', 'call-1').find(({ detail }) => detail['token'])
  if (!used) return inconclusive('no token was used at the first server')
  const moved = redirectedRequest(t)
  if (!moved) return inconclusive('no request was redirected', cite(used))
  const sent = tokensIn(requestsTo(t, first))
  const leak = [second, byName(second)]
    .flatMap((place) => requestsTo(t, place))
    .filter((request) => isAfter(request, moved))
    .find((request) => tokensIn([request]).some((id) => sent.includes(id)))
  if (leak) {
    return violation(
      'a token went along to where the server redirects',
      { expected: `tokens for ${first} go to ${first} alone`, actual: whereTo(leak) },
      cite(moved, leak),
    )
  }
  if (watchedAfter(t, moved) === undefined)
    return inconclusive('the run did not watch what happened next', cite(moved))
  return pass('no token followed the redirect', cite(used, moved))
}

/** The metadata names another authorization server by now, which has issued nothing: any token there is one of the first. */
export const keepsTokensOfIssuer: Judge = (t) => {
  const changed = mark(t, issuerChanged)
  const issued = issuedGrant(callOf(t))
  if (!changed || !issued) return inconclusive('no token was issued before the metadata changed')
  const { origin } = new URL(textIn(changed.detail['issuer']))
  const to = t.requests('provider').filter(({ url }) => url.startsWith(`${origin}/`))
  const kindsIn = ({ secrets = [] }: RecordedEvent): string[] =>
    secrets.map(({ kind }) => kind).filter((kind) => /^(access|refresh)_token$/.test(kind))
  const leak = to.find((request) => kindsIn(request).length > 0)
  if (leak) {
    return violation(
      'a token of one authorization server was sent to another',
      { expected: 'a flow of its own', actual: `${kindsIn(leak).join(', ')}: ${whereTo(leak)}` },
      cite(issued, changed, leak),
    )
  }
  const fetched = metadataRequests(t).find((request) => isAfter(request, changed))
  if (!fetched) return inconclusive('the metadata was not fetched again', cite(changed))
  const reached = watchedChallenge(t, callOf(t, 'call-2'))
  return typeof reached === 'string'
    ? inconclusive(reached, cite(changed))
    : pass(`${to.length} requests to the other one have none`, [
        ...cite(issued, fetched),
        ...reached,
      ])
}

const metadataOf = (endpoint: string) => (t: Parameters<Judge>[0]) =>
  requestsTo(t, endpoint).filter(({ channel }) => channel === metadataChannel)

/** In the whole run: no token in a request for metadata, of whichever server. */
export const tokensOutOfDiscovery: Judge = (t) => {
  const used = t.provider('resource-access').find(({ detail }) => detail['token'])
  if (!used) return inconclusive('no token was used in the whole run')
  const discovery = [
    ...t.requests(metadataChannel),
    ...t.requests(trapChannel),
    ...t.requests('provider').filter(({ url }) => pathOf(url).startsWith('/.well-known/')),
  ]
  const leak = discovery.find(hasToken)
  if (leak) {
    return violation(
      'a token was sent along when metadata was fetched',
      { expected: 'no Authorization header', actual: whereTo(leak) },
      cite(leak),
    )
  }
  if (discovery.length === 0) return inconclusive('no metadata was fetched')
  return pass(`${callsOf(t).length} calls, ${discovery.length} fetches`, cite(used, discovery[0]))
}

/** In the whole run: no token in the URL of a request to a server, whatever its header has. */
export const tokensOutOfUrls: Judge = (t) => {
  const requests = t.requests(sentChannel)
  const withToken = requests.filter(hasToken)
  if (withToken.length === 0) return inconclusive('no token was used in the whole run')
  const leak = withToken.find(({ secrets = [] }) =>
    secrets.some(({ kind, at }) => kind === 'access_token' && at.startsWith('url')),
  )
  if (leak) {
    return violation(
      'a token was sent in the URL of a request',
      { expected: 'Authorization: Bearer alone', actual: leak.url },
      cite(leak),
    )
  }
  return pass(`${withToken.length} requests with a token`, cite(withToken[0]))
}

function tokensIn(events: readonly RecordedEvent[]): readonly string[] {
  return events
    .flatMap(({ secrets = [] }) => secrets)
    .flatMap(({ kind, id }) => (kind === 'access_token' ? [id] : []))
}

function hasToken({ secrets = [] }: RecordedEvent): boolean {
  return secrets.some(({ kind }) => kind === 'access_token')
}

function whereTo(event: RecordedEvent): string {
  return event.type === 'request' ? `${event.method} ${event.url}` : event.type
}

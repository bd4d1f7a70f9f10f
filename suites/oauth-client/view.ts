/** What shared checks ask of a recording: flows at the provider, tokens, and requests upstream. */

import {
  cite,
  isAfter,
  servedPath,
  type Evidence,
  type ProviderRecord,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { Asked, Ended, HandedCall } from './handed-call.ts'

/**
 * Whether the declared pending timeout of a call may have been over at a moment. A tool may count from any moment
 * between the invocation and its oauth message, and a timer may be early: on a slow machine that decides.
 */
export function mayHaveTimedOut(
  { request }: HandedCall,
  { t }: { readonly t: number },
  pendingTimeoutMs: number | undefined,
): boolean {
  return request !== undefined && t - request.t >= (pendingTimeoutMs ?? Infinity) * 0.9
}

/** The first token request that was answered with tokens. */
export function issuedGrant(
  call: Pick<HandedCall, 'grants'>,
): Recorded<ProviderRecord> | undefined {
  return issuedGrants(call)[0]
}

/** Every token request that was answered with tokens. */
export function issuedGrants(call: Pick<HandedCall, 'grants'>): Recorded<ProviderRecord>[] {
  return call.grants.filter((grant) => grant.detail['outcome'] === 'issued')
}

/**
 * Requests to the protected API that carried a token the provider knows. Who somebody is may be asked of the provider at
 * any time (OpenID Connect Core §5.3), and is no use of what they authorized; where a preset has a path of its own for
 * it, as GitHub's `/user`, it is the API.
 */
export function tokenAccesses(call: HandedCall): Recorded<ProviderRecord>[] {
  return call.accesses.filter(isTokenAccess)
}

/** Whether a request of the API had a token; who somebody is, is no operation. */
export function isTokenAccess({ detail }: Recorded<ProviderRecord>): boolean {
  return typeof detail['token'] === 'string' && !String(detail['route']).endsWith(' /userinfo')
}

/**
 * Uses of the token of a user that the user's own calls cannot explain: each of those that got a result accounts
 * for one, even if it comes late. Only uses after the invocation of another call count.
 */
export function unexplainedUse(
  own: readonly HandedCall[],
  other: HandedCall,
): Recorded<ProviderRecord> | undefined {
  const explained = own.filter((call) => call.ended.length > 0).length
  return own
    .flatMap(tokenAccesses)
    .slice(explained)
    .find((access) => isAfter(access, other.request))
}

/** Requests to the provider whose path begins so. */
export function upstreamAt(call: HandedCall, path: string): Recorded<RequestEvent>[] {
  return call.upstream.filter((request) => servedPath(request).startsWith(path))
}

/** Requests to the protected API, whichever of the provider's two it is: the REST routes or the MCP server. */
export function apiRequests(call: HandedCall): Recorded<RequestEvent>[] {
  return call.upstream.filter((request) => isApi(servedPath(request)))
}

export function isApi(path: string): boolean {
  return path.startsWith('/resource') || path === '/mcp'
}

/** Whether a request to the API had a token, whoever issued it. */
export function hasToken({ detail }: Recorded<ProviderRecord>): boolean {
  return detail['credential'] !== 'none'
}

export function served(access: Recorded<ProviderRecord>): boolean {
  return access.detail['outcome'] === 'served'
}

/** Token requests with a code. One that was refused for how the client authenticated itself has not used the code. */
export function codeGrants(call: HandedCall): Recorded<ProviderRecord>[] {
  const tryAgain = ['invalid_client', 'use_dpop_nonce']
  return call.grants.filter(
    ({ detail }) =>
      detail['grantType'] === 'authorization_code' && !tryAgain.includes(String(detail['error'])),
  )
}

/**
 * The first that presents a code which was presented before, or one that nobody has issued: whoever asks twice for one
 * call has two codes.
 */
export function presentedAgain(
  grants: readonly Recorded<ProviderRecord>[],
): Recorded<ProviderRecord> | undefined {
  const codes = grants.map(({ detail }) => detail['presented'])
  return grants.find((_, index) => {
    const code = codes[index]
    return index > 0 && (code === undefined || codes.indexOf(code) < index)
  })
}

/** An end that says that too much is asked at once: it proves nothing about anything else. */
export function isRateLimit({ error, text }: Pick<Ended, 'error' | 'text'>): boolean {
  return (
    error &&
    /too many|rate.?limit|limit (exceeded|reached)|quota|throttl|overload|too busy|at capacity/i.test(
      text,
    )
  )
}

/** Where a call ended only because of how many there are. */
export const askedTooMuch =
  'the implementation may be overloaded: set timing.concurrency to 1 to send fewer calls at the same time'

/** What the vendor can do about a refusal of the provider, by its words. */
const remedies: Readonly<Record<string, string>> = {
  'The redirect URI is not registered':
    ' (provider.client.redirectUris says which are; provider.redirectMatching: "ignore-query" lets their query change)',
}

/** Why the provider refused an authorization request, in its words. */
export function problemOf({ detail }: Recorded<ProviderRecord>): string {
  return String(detail['problem'] ?? detail['error'])
}

/** How the provider refused the last authorization request of a call, as the reason why nothing goes on. */
export function refusedRequest(t: Transcript, call: string): string | undefined {
  const last = t.provider('authorization-request', call).at(-1)
  if (last?.detail['valid'] !== false) return undefined
  const problem = problemOf(last)
  return `the provider refused the authorization request of ${call}: ${problem}${remedies[problem] ?? ''}`
}

/** Whatever was said first of a call: that its user is needed, or its end. */
export function firstAnswer({ asked, ended }: HandedCall): Asked | Ended | undefined {
  return [...asked, ...ended].toSorted((a, b) => a.event.seq - b.event.seq)[0]
}

/** How a call was refused before anybody was asked: an error status, or an end in an error. */
export function refusalOf({ request, ack, asked, ended }: HandedCall): Evidence[] | undefined {
  if (ack?.type === 'response' && ack.status >= 400 && ack.status < 500)
    return ack.status === 429 ? undefined : cite(request, ack)
  const [end] = ended
  return asked.length === 0 && end?.error && !isRateLimit(end) ? citeEvents(end) : undefined
}

/** Why the provider refused a token request, in its words, and what the vendor can do about it. */
export function refusalIn({ detail }: Recorded<ProviderRecord>): string {
  const { error, problem = `verifier ${String(detail['verifier'])}` } = detail
  const isMethod = String(problem).startsWith('the client is registered for ')
  const remedy = isMethod ? ' (provider.client.auth says which methods it may use)' : ''
  return `${String(error)}: ${String(problem)}${remedy}`
}

/** Token requests by a refresh token, in the order in which they came. */
export function refreshesOf(t: Transcript): Recorded<ProviderRecord>[] {
  return t.provider('grant').filter((grant) => grant.detail['grantType'] === 'refresh_token')
}

/** Whether the provider issued a refresh token there. */
export function hasRefreshToken(grant: Recorded<ProviderRecord> | undefined): boolean {
  const issued = grant?.detail['issued']
  return Array.isArray(issued) && issued.some((id) => /(^|:)refresh_token/.test(String(id)))
}

/** Evidence for what handed the user over, or ended a call. */
export function citeEvents(...those: (Asked | Ended | undefined)[]): Evidence[] {
  return cite(...those.map((each) => each?.event))
}

/** Whether it names one of those who consented at the provider, as what the API serves does. */
export function namesAccount(t: Transcript, { text: words }: { readonly text: string }): boolean {
  return t.provider('decision').some(({ detail }) => words.includes(String(detail['subject'])))
}

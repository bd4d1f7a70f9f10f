/** What checks ask of a transcript in RAP's terms: calls, their messages, their flow at the provider. */

import {
  cite,
  jsonOf,
  type Answer,
  type Evidence,
  type ProviderRecord,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { textOf, type Invocation } from '../messages.ts'
import { isAfter } from '../recorded.ts'

export { isAfter, mark, show, watched } from '../recorded.ts'

/** A message that arrived on a callback URL, parsed as far as it is a JSON object. */
export interface Message {
  readonly event: Recorded<RequestEvent>
  readonly value: Readonly<Record<string, unknown>>
  readonly type: unknown
}

/** One invocation and everything that belongs to it. */
export interface CallView {
  readonly name: string
  readonly sent: Invocation
  readonly request: Recorded<RequestEvent> | undefined
  readonly ack: Answer
  /** Every request to the callback URL, also those that hold no message. */
  readonly deliveries: readonly Recorded<RequestEvent>[]
  readonly messages: readonly Message[]
  /** The messages that answer the call: `oauth` and `tool_result`, in the order in which they came. */
  readonly answers: readonly Message[]
  readonly oauth: readonly Message[]
  readonly results: readonly Message[]
  /** At the provider, for flows that this call's authorization URL began. */
  readonly authorizationRequests: readonly Recorded<ProviderRecord>[]
  readonly grants: readonly Recorded<ProviderRecord>[]
  readonly accesses: readonly Recorded<ProviderRecord>[]
  /** Every request to the provider, logged on arrival, also one that is held back. */
  readonly upstream: readonly Recorded<RequestEvent>[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  const known = views.get(t) ?? new Map<string, CallView>()
  views.set(t, known)
  const view = known.get(name) ?? viewOf(t, name)
  known.set(name, view)
  return view
}

/** Many questions are asked of one recording, and it never changes. */
const views = new WeakMap<Transcript, Map<string, CallView>>()

function viewOf(t: Transcript, name: string): CallView {
  const sent = t.steps('invoke', name)[0]?.detail['message'] as Invocation | undefined
  const request = t.requests('invocation', name).at(-1)
  const deliveries = t.requests('callback', name)
  const messages = deliveries.flatMap((event) => {
    const value = jsonOf(event.body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const fields = value as Record<string, unknown>
    return [{ event, value: fields, type: fields['type'] }]
  })
  return {
    name,
    sent: sent ?? { operation: '', arguments: {}, id: '', callback_url: '', group_id: '' },
    request,
    ack: request && t.answer(request),
    deliveries,
    messages,
    answers: messages.filter(({ type }) => type === 'oauth' || type === 'tool_result'),
    oauth: messages.filter((message) => message.type === 'oauth'),
    results: messages.filter((message) => message.type === 'tool_result'),
    authorizationRequests: t.provider('authorization-request', name),
    grants: t.provider('grant', name),
    accesses: t.provider('resource-access', name),
    upstream: t.requests('provider', name),
  }
}

/** Every call of the transcript, in the order in which they were invoked. */
export function callsOf(t: Transcript): CallView[] {
  return t.steps('invoke').map((step) => callOf(t, step.call))
}

/**
 * Whether the declared pending timeout of a call may have been over at a moment. A tool may count from any moment
 * between the invocation and its oauth message, and a timer may be early: on a slow machine that decides.
 */
export function mayHaveTimedOut(
  { request }: CallView,
  { t }: { readonly t: number },
  pendingTimeoutMs: number | undefined,
): boolean {
  return request !== undefined && t - request.t >= (pendingTimeoutMs ?? Infinity) * 0.9
}

/** A result that says that too much is asked of the tool at once: RAP has rate limits reported that way. */
export function isRateLimit(result: Message): boolean {
  return (
    isError(result) &&
    /too many|rate.?limit|limit exceeded|throttl|overload/i.test(textOf(result.value))
  )
}

/** A result that the tool itself marks as an error. */
export function isError(result: Message): boolean {
  return /^\s*error\b/i.test(textOf(result.value))
}

/** The accounts at the provider with which a user has decided, in any call of the transcript. */
export function subjectsOf(t: Transcript, userId: string | null | undefined): string[] {
  if (typeof userId !== 'string') return []
  const own = callsOf(t).filter(({ sent }) => sent.user_id === userId)
  return own.flatMap(({ name }) =>
    t.provider('decision', name).map(({ detail }) => String(detail['subject'])),
  )
}

/** The first token request that was answered with tokens. */
export function issuedGrant(call: CallView): Recorded<ProviderRecord> | undefined {
  return call.grants.find((grant) => grant.detail['outcome'] === 'issued')
}

/** Requests to the protected API that carried a token the provider knows. */
export function tokenAccesses(call: CallView): Recorded<ProviderRecord>[] {
  return call.accesses.filter((access) => typeof access.detail['token'] === 'string')
}

/**
 * Uses of the token of a user that the user's own calls cannot explain: each of those that got a result accounts
 * for one, even if it comes late. Only uses after the invocation of another call count.
 */
export function unexplainedUse(
  own: readonly CallView[],
  other: CallView,
): Recorded<ProviderRecord> | undefined {
  const explained = own.filter((call) => call.results.length > 0).length
  return own
    .flatMap(tokenAccesses)
    .slice(explained)
    .find((access) => isAfter(access, other.request))
}

/** Requests to the provider whose path begins so. */
export function upstreamAt(call: CallView, path: string): Recorded<RequestEvent>[] {
  return call.upstream.filter(({ url }) => pathOf(url).startsWith(path))
}

/** Requests to the protected API, whichever of the provider's two it is: the REST routes or the MCP server. */
export function apiRequests(call: CallView): Recorded<RequestEvent>[] {
  return call.upstream.filter(({ url }) => isApi(pathOf(url)))
}

export function isApi(path: string): boolean {
  return path.startsWith('/resource') || path === '/mcp'
}

/** Whether the invocation itself was refused: a status that tells the runtime not to try again. */
export function wasRefused({ ack }: CallView): boolean {
  return ack?.type === 'response' && ack.status >= 400 && ack.status < 500
}

/** The path of a recorded URL; of one that was withheld or is none, nothing. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}

export function served(access: Recorded<ProviderRecord>): boolean {
  return access.detail['outcome'] === 'served'
}

/** How long a message of this call was waited for in vain, in milliseconds. */
export function waitedInVain(t: Transcript, call: string): number | undefined {
  const waits = t.steps('gave-up', call).map(({ detail }) => Number(detail['within']))
  return waits.length > 0 ? Math.max(...waits) : undefined
}

/** Evidence for messages. */
export function citeMessages(...messages: (Message | undefined)[]): Evidence[] {
  return cite(...messages.map((message) => message?.event))
}

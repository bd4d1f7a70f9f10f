/** What checks ask of a transcript in RAP's terms: calls, their messages, their flow at the provider. */

import {
  cite,
  isAfter,
  jsonOf,
  perTranscript,
  type Answer,
  type Body,
  type Evidence,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { HandedCall } from '../../oauth-client/handed-call.ts'
import { isRateLimit } from '../../oauth-client/view.ts'
import { textOf, textsOf, type Invocation } from '../messages.ts'

/** A message that arrived on a callback URL, parsed as far as it is a JSON object. */
export interface Message {
  readonly event: Recorded<RequestEvent>
  readonly value: Readonly<Record<string, unknown>>
  readonly type: unknown
}

/** One invocation and everything that belongs to it. */
export interface CallView extends HandedCall {
  readonly request: Recorded<RequestEvent> | undefined
  readonly sent: Invocation
  /** Every request to the callback URL, also those that hold no message. */
  readonly deliveries: readonly Recorded<RequestEvent>[]
  readonly messages: readonly Message[]
  /** The messages that answer the call: `oauth` and `tool_result`, in the order in which they came. */
  readonly answers: readonly Message[]
  readonly oauth: readonly Message[]
  readonly results: readonly Message[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

const read = perTranscript(viewOf)

function viewOf(t: Transcript, name: string): CallView {
  // A call that was too many is made once more, with ids and a callback URL of its own: the last one counts.
  const attempts = t.steps('invoke', name).map(({ detail }) => detail['message'] as Invocation)
  const sent = attempts.at(-1)
  const before = new Set(attempts.slice(0, -1).map(({ callback_url }) => callback_url))
  const request = t.requests('invocation', name).at(-1)
  const deliveries = t.requests('callback', name).filter(({ url }) => !before.has(url))
  const messages = deliveries.flatMap((event) => {
    const value = fieldsOf(event.body)
    return value ? [{ event, value, type: value['type'] }] : []
  })
  const oauth = messages.filter((message) => message.type === 'oauth')
  const results = messages.filter((message) => message.type === 'tool_result')
  return {
    name,
    user: sent?.user_id ?? undefined,
    arguments: sent?.arguments ?? {},
    sentValues: {
      id: sent?.id,
      call_id: sent?.call_id,
      group_id: sent?.group_id,
      user_id: sent?.user_id,
      callback_url: sent?.callback_url,
    },
    sent: sent ?? { operation: '', arguments: {}, id: '', callback_url: '', group_id: '' },
    request,
    ack: request && t.answer(request),
    deliveries,
    messages,
    answers: messages.filter(({ type }) => type === 'oauth' || type === 'tool_result'),
    oauth,
    results,
    asked: oauth.map(({ event, value }) => ({ event, url: value['auth_url'] })),
    ended: results.map((result) => ({ event: result.event, ...wordsOf(result.value) })),
    authorizationRequests: t.provider('authorization-request', name),
    grants: t.provider('grant', name),
    accesses: t.provider('resource-access', name),
    upstream: t.requests('provider', name),
  }
}

/** What a message says, if it is a JSON object. */
export function fieldsOf(body: Body | undefined): Record<string, unknown> | undefined {
  const value = jsonOf(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as Record<string, unknown>
}

function wordsOf(value: Message['value']): { readonly text: string; readonly error: boolean } {
  return { text: textOf(value), error: textsOf(value).some((words) => /^\s*error\b/i.test(words)) }
}

/** Every call of the transcript, in the order in which they were invoked. */
export function callsOf(t: Transcript): CallView[] {
  const names = new Set(t.steps('invoke').map(({ call }) => call))
  return [...names].map((name) => callOf(t, name))
}

/** A result that the tool itself marks as an error. */
export function isError(result: Message): boolean {
  return wordsOf(result.value).error
}

/** Whether the invocation itself was refused: a status that tells the runtime not to try again. */
export function wasRefused({ ack }: CallView): boolean {
  return ack?.type === 'response' && ack.status >= 400 && ack.status < 500
}

/** Whether the invocation was not taken, for whatever reason (RAP Tool Invocation, Error Responses; docs/readings.md, 76). */
export function wasNotTaken({ ack }: CallView): boolean {
  return ack?.type === 'response' && ack.status >= 400
}

/** Whether it was acknowledged, so that a message has to follow. */
export function isTaken({ ack }: CallView): boolean {
  return ack?.type === 'response' && ack.status === 200
}

/** Whether a message came, or a status that says that none will. */
export function isAnswered(call: CallView): boolean {
  return call.answers.length > 0 || wasNotTaken(call)
}

/** Whether a status says that too much is asked, now: 429, or 503 for what is down for a while (RFC 9110 §15.6.4). */
export function saysNotNow(ack: Answer): boolean {
  return ack?.type === 'response' && (ack.status === 429 || ack.status === 503)
}

/** Whether too much was asked at once when this call was made, in a status or in words (docs/readings.md, 27). */
export function wasTooMany({ ack, asked, messages, ended: [end] }: CallView): boolean {
  if (saysNotNow(ack) && messages.length === 0) return true
  return asked.length === 0 && end !== undefined && isRateLimit(end)
}

/**
 * Whether that may be so, in words that are not known: the call ended before its user was asked, and before anything was
 * asked of the provider or its API. Any other failure of the server may pass, too. Data of somebody is no such words.
 */
export function mayBeTooMany(t: Transcript, call: CallView): boolean {
  const { ack, asked, messages, ended, request } = call
  if (messages.length === 0) return ack?.type === 'response' && ack.status >= 500
  // Who does not like a certificate leaves without a request.
  const asks = [...t.requests('provider'), ...t.steps('connection-unused')]
  const isIdle = !asks.some((each) => isAfter(each, request))
  const hasData = ended.some(({ text }) => text.includes('subject-of-'))
  return asked.length === 0 && ended.length > 0 && isIdle && !hasData
}

/** How a call ended, in a status or in words: what another call that was too many has in common with it. */
export function wordsOfEnd({ ack, ended: [end] }: CallView): string {
  return end?.text ?? String(ack?.type === 'response' && ack.status)
}

/** Whether a message says that too much is asked at once. */
export function saysTooMany(body: Body): boolean {
  const value = fieldsOf(body)
  return value?.['type'] === 'tool_result' && isRateLimit(wordsOf(value))
}

/** Evidence for messages. */
export function citeMessages(...messages: (Message | undefined)[]): Evidence[] {
  return cite(...messages.map((message) => message?.event))
}

/** What checks ask of a transcript in RAP's terms: calls, their messages, their flow at the provider. */

import {
  cite,
  jsonOf,
  perTranscript,
  type Evidence,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { HandedCall } from '../../oauth-client/handed-call.ts'
import { textOf, type Invocation } from '../messages.ts'

/** A message that arrived on a callback URL, parsed as far as it is a JSON object. */
export interface Message {
  readonly event: Recorded<RequestEvent>
  readonly value: Readonly<Record<string, unknown>>
  readonly type: unknown
}

/** One invocation and everything that belongs to it. */
export interface CallView extends HandedCall {
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
  const sent = t.steps('invoke', name)[0]?.detail['message'] as Invocation | undefined
  const request = t.requests('invocation', name).at(-1)
  const deliveries = t.requests('callback', name)
  const messages = deliveries.flatMap((event) => {
    const value = jsonOf(event.body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const fields = value as Record<string, unknown>
    return [{ event, value: fields, type: fields['type'] }]
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
    ended: results.map((result) => ({
      event: result.event,
      text: textOf(result.value),
      error: isError(result),
    })),
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

/** A result that the tool itself marks as an error. */
export function isError(result: Message): boolean {
  return /^\s*error\b/i.test(textOf(result.value))
}

/** Whether the invocation itself was refused: a status that tells the runtime not to try again. */
export function wasRefused({ ack }: CallView): boolean {
  return ack?.type === 'response' && ack.status >= 400 && ack.status < 500
}

/** Evidence for messages. */
export function citeMessages(...messages: (Message | undefined)[]): Evidence[] {
  return cite(...messages.map((message) => message?.event))
}

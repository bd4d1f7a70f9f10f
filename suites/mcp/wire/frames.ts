/** The messages of a recording, whichever way they travelled. */

import {
  jsonOf,
  type Recorded,
  type RequestEvent,
  type ResponseEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { messagesIn, type Message } from './json-rpc.ts'
import { connectionOf, sentChannel, streamChannel } from './link.ts'

/** A message, and where it stands. */
export interface Frame<M extends Message = Message> {
  readonly event: Recorded<RequestEvent | ResponseEvent>
  readonly message: M
  readonly connection: string
  readonly call: string | undefined
}

/** A message that answers a request. */
export type Answering = Extract<Message, { readonly kind: 'result' | 'error' }>

/** Whether a message calls a tool. */
export function isToolCall({ message }: Frame): boolean {
  return message.kind === 'request' && message.method === 'tools/call'
}

/** Whether a message answers a request. */
export function isAnswer(frame: Frame): frame is Frame<Answering> {
  return frame.message.kind === 'result' || frame.message.kind === 'error'
}

/** What the client sent: all, or for one call. */
export function clientFrames(t: Transcript, call?: string): readonly Frame[] {
  return t.requests(sentChannel, call).flatMap((event) => framesOf(event))
}

/** What the server sent: in answers of HTTP and on streams, in the order in which it came. */
export function serverFrames(t: Transcript, call?: string): readonly Frame[] {
  const answers = t.requests(sentChannel, call).flatMap((request) => {
    const answer = t.answer(request)
    if (answer?.type !== 'response' || saysSessionIsOver(request.headers, answer.status)) return []
    return framesOf(answer)
  })
  const streamed = t.requests(streamChannel, call).flatMap((event) => framesOf(event))
  return [...answers, ...streamed].sort(({ event: a }, { event: b }) => a.t - b.t || a.seq - b.seq)
}

/** 2025-11-25, Transports, Session Management: what is said beside answers nothing, since the request is made anew. */
export function saysSessionIsOver(
  sent: Readonly<Record<string, string>>,
  status: number | undefined,
): boolean {
  return status === 404 && sent['mcp-session-id'] !== undefined
}

function framesOf(event: Recorded<RequestEvent | ResponseEvent>): Frame[] {
  const { call } = event
  const connection = connectionOf(event)
  return messagesIn(jsonOf(event.body)).map((message) => ({ event, message, connection, call }))
}

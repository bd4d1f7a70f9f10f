/** Calls of a tool in a recording, and how they were answered, whatever the profile. */

import type { Ended } from '../../oauth-client/handed-call.ts'
import type { Frame } from '../wire/frames.ts'
import type { Message } from '../wire/json-rpc.ts'
import { membersOf, textIn } from '../wire/values.ts'

/** A message that answers a request. */
export type Answering = Extract<Message, { readonly kind: 'result' | 'error' }>

/** How a call ended by such a message. */
export function endingOf({ event, message }: Frame<Answering>): Ended {
  const error = message.kind === 'error' || membersOf(message.result)['isError'] === true
  return { event, text: textOf(message), error }
}

/** Whether a message calls a tool. */
export function isToolCall({ message }: Frame): boolean {
  return message.kind === 'request' && message.method === 'tools/call'
}

/** Whether a message answers a request. */
export function isAnswer(frame: Frame): frame is Frame<Answering> {
  return frame.message.kind === 'result' || frame.message.kind === 'error'
}

/** The words of a result, whichever form it has; those of an error are its message. */
function textOf(message: Answering): string {
  if (message.kind === 'error') return textIn(message.message)
  const { content, structuredContent } = membersOf(message.result)
  const texts = Array.isArray(content)
    ? content.map((item) => membersOf(item)['text']).filter((text) => typeof text === 'string')
    : []
  if (texts.length > 0) return texts.join('\n')
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent)
}

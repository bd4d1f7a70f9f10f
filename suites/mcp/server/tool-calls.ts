/** Calls of a tool in a recording, and how they were answered, whatever the profile. */

import type { Ended } from '../../oauth-client/handed-call.ts'
import type { Answering, Frame } from '../wire/frames.ts'
import { membersOf, textIn } from '../wire/values.ts'

/** How a call ended by such a message. */
export function endingOf({ event, message }: Frame<Answering>): Ended {
  const error = message.kind === 'error' || membersOf(message.result)['isError'] === true
  return { event, text: textOf(message), error }
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

/** Calls of a tool in a recording, and how they were answered, whatever the profile. */

import { show } from '../../../harness/engine/index.ts'
import type { Ended } from '../../oauth-client/handed-call.ts'
import type { Answering, Frame } from '../wire/frames.ts'
import { unsupportedRevision } from '../wire/revisions.ts'
import { membersOf, textIn } from '../wire/values.ts'

/** How a call ended by such a message. */
export function endingOf({ event, message }: Frame<Answering>): Ended {
  const error = message.kind === 'error' || membersOf(message.result)['isError'] === true
  return { event, text: textOf(message), error }
}

/** Characters of an answer that are repeated. */
const mostWords = 200

/** That a call ended which was to ask for something, and how, for the author of the server. */
export function endedUnasked(name: string, reply: Frame<Answering> | undefined): string {
  const how = reply ? `: ${described(reply.message)}` : ''
  return `${name} ended instead of asking for anything${how}`
}

function described(message: Answering): string {
  const text = textOf(message).slice(0, mostWords)
  if (message.kind === 'result') return `a result, ${show(text)}`
  const { supported } = membersOf(message.data)
  const spoken = Array.isArray(supported) ? `, it speaks ${supported.map(textIn).join(', ')}` : ''
  const mend =
    message.code === unsupportedRevision
      ? `; it does not speak the revision that it was called in${spoken}: see target.revision`
      : ''
  return `the error ${show(message.code)}, ${show(text)}${mend}`
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

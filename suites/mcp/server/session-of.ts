/** Sessions, as the answers to `initialize` began them (2025-11-25, Transports, Session Management). */

import type { Recorded, ResponseEvent, Transcript } from '../../../harness/engine/index.ts'
import { serverFrames } from '../wire/frames.ts'
import { connectionOf, sentChannel, type Session } from '../wire/link.ts'
import { membersOf } from '../wire/values.ts'

/** What the last handshake of a connection agreed on. */
export function sessionOf(t: Transcript, connection: string): Session | undefined {
  const revision = serverFrames(t)
    .filter((frame) => frame.connection === connection)
    .map(({ message }) => message.kind === 'result' && membersOf(message.result)['protocolVersion'])
    .findLast((agreed) => typeof agreed === 'string')
  if (revision === undefined) return undefined
  const begun = beginningsOf(t).findLast(([request]) => connectionOf(request) === connection)
  return { id: begun?.[1].headers['mcp-session-id'], revision }
}

/** The answer that began the first session, where there are any. */
export function firstSession(t: Transcript): Recorded<ResponseEvent> | undefined {
  return beginningsOf(t)[0]?.[1]
}

function beginningsOf(t: Transcript) {
  return t.requests(sentChannel).flatMap((request) => {
    const answer = t.answer(request)
    const isOne = answer?.type === 'response' && answer.headers['mcp-session-id'] !== undefined
    return isOne ? [[request, answer] as const] : []
  })
}

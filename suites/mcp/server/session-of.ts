/** Sessions, as the answers to `initialize` began them (2025-11-25, Transports, Session Management). */

import type { Recorded, ResponseEvent, Transcript } from '../../../harness/engine/index.ts'
import { connectionOf, sentChannel } from '../wire/link.ts'

/** The session of a connection, where it has one. */
export function sessionOf(t: Transcript, connection: string): string | undefined {
  return beginningsOf(t).find(([request]) => connectionOf(request) === connection)?.[1].headers[
    'mcp-session-id'
  ]
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

/** Secrets of the third party in what a server sends to its clients. */

import {
  cite,
  inconclusive,
  jsonOf,
  pass,
  unreadKind,
  violation,
  type Check,
  type RecordedEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'

type Judge = Check['judge']

/** Nothing that a client got holds a secret of these kinds, but for the tokens that MCP clients were given themselves. */
export const offWire =
  (kinds: readonly string[]): Judge =>
  (t) => {
    const issued = t.provider('grant').filter(({ detail }) => detail['outcome'] === 'issued')
    if (issued.length === 0) return inconclusive('no token was issued in the whole run')
    const bearers = bearersOf(t)
    const received = t.events.filter(isFromServer)
    for (const event of received) {
      const leak = event.secrets?.find(
        ({ kind, id }) => kinds.includes(kind) && !bearers.includes(id),
      )
      if (leak) {
        return violation(
          `${leak.kind} (${leak.id}) was sent to an MCP client`,
          { expected: 'no secret of the third party', actual: `${leak.at}, ${leak.encoding}` },
          cite(event),
        )
      }
    }
    const unread = received.find(({ secrets }) => secrets?.some(({ kind }) => kind === unreadKind))
    if (unread) return inconclusive('a message is nested beyond what is read', cite(unread))
    if (received.length === 0) return inconclusive('the server sent nothing')
    return pass(`${received.length} messages scanned`, cite(...received.slice(0, 3)))
  }

/** Everything that a client got: messages, and all that answers of HTTP hold. */
export function isFromServer(event: RecordedEvent): boolean {
  return (
    (event.type === 'response' && event.channel === 'mcp') ||
    (event.type === 'request' && event.channel === 'mcp-stream')
  )
}

/** What an event says, with no escape that JSON does not need (RFC 8259 §7). */
export function saidIn(event: RecordedEvent): string {
  if (!('body' in event) || !event.body) return ''
  const json = jsonOf(event.body)
  return json === undefined ? event.body.text : JSON.stringify(json)
}

/** The ids of the access tokens that MCP clients were given for the endpoint. */
export function bearersOf(t: Transcript): string[] {
  return t.steps('connect').flatMap(({ detail }) => {
    const { bearer } = detail
    return typeof bearer === 'string' ? [bearer] : []
  })
}

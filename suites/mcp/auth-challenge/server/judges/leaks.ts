/** Judgements about tokens that came back. */

import {
  cite,
  inconclusive,
  pass,
  unreadKind,
  violation,
  type RecordedEvent,
} from '../../../../../harness/engine/index.ts'
import { misplacedToken } from '../view.ts'
import type { Judge } from '../scenarios/define.ts'

/** What the flows of a run are made of. */
const secrets = [
  'access_token',
  'refresh_token',
  'authorization_code',
  'code_verifier',
  'client_secret',
  'id_token',
]

export const keepsSecrets: Judge = (t, { declared }) => {
  const issued = t.provider('grant').find(({ detail }) => detail['outcome'] === 'issued')
  if (!issued) return inconclusive('no token was issued in the whole run')
  // Servers log and repeat URLs, which is why no token is to stand there.
  const sentInUrls = new Set(t.steps(misplacedToken).map(({ detail }) => detail['token']))
  const sent = t.events.filter((event) => event.type === 'output' || isFromServer(event))
  for (const event of sent) {
    const leak = event.secrets?.find(
      ({ kind, id }) => secrets.includes(kind) && !sentInUrls.has(id),
    )
    if (leak) {
      return violation(
        `${leak.kind} (${leak.id}) is in what the server ${event.type === 'output' ? 'wrote' : 'answered'}`,
        { expected: 'no token', actual: `${leak.at}, ${leak.encoding}` },
        cite(event),
      )
    }
  }
  const unread = sent.find((event) => event.secrets?.some(({ kind }) => kind === unreadKind))
  if (unread) return inconclusive('something is nested beyond what is read', cite(unread))
  const answers = sent.filter(isFromServer)
  if (answers.length === 0) return inconclusive('the server answered nothing')
  if (declared.logs && !t.outputs().some(({ source }) => source.startsWith('log ')))
    return inconclusive('none of the files in declares.logs could be read')
  return pass(`${sent.length} answers and lines scanned`, cite(...answers.slice(0, 3)))
}

/** Answers of HTTP, and messages on streams. */
function isFromServer(event: RecordedEvent): boolean {
  return (
    (event.type === 'response' && ['mcp', 'metadata'].includes(event.channel)) ||
    (event.type === 'request' && event.channel === 'mcp-stream')
  )
}

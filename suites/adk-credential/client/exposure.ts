/** Judgements about codes and tokens that are shown, printed, or sent elsewhere than in the answer. */

import {
  cite,
  inconclusive,
  pass,
  unreadKind,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { isLoopback } from '../../../harness/parties/user/loopback-origins.ts'
import { isForeign } from '../../oauth-client/page-resources.ts'
import { shownSecret } from '../shown-secret.ts'
import { fieldsOf, member } from '../wire.ts'
import type { Judge } from './checks.ts'
import { messagesOf } from './view.ts'
import { apiChannel, consentChannel } from './vocabulary.ts'

const kinds = ['authorization_code', 'access_token', 'refresh_token', 'code_verifier']
const shown = shownSecret(kinds)

interface Leak {
  readonly event: RecordedEvent
  readonly where: string
}

/** The first place where a code or a token is that it must not be. */
function leakIn(t: Transcript): Leak | undefined {
  for (const event of t.events) {
    const where = placeOf(event)
    if (where !== undefined) return { event, where }
  }
  for (const request of t.requests('browser')) {
    const answer = t.answer(request)
    const location = answer?.type === 'response' ? answer.headers['location'] : undefined
    const isBack = request.secrets?.some(({ kind }) => kind === 'authorization_code')
    if (isBack && location && shown.test(location) && isElsewhere(location, request.url))
      return { event: answer!, where: 'a redirect to another site' }
  }
  // Beside the answer, nothing of a message is for codes.
  for (const { event, parts } of messagesOf(t)) {
    const others = parts.filter((part) => member(fieldsOf(part), 'functionResponse') === undefined)
    if (shown.test(JSON.stringify(others))) return { event, where: 'words to the agent' }
  }
  return undefined
}

/** Whether a redirect leads to somebody else's site; a front end of the application may be at another port. */
function isElsewhere(location: string, at: string): boolean {
  if (!URL.canParse(location, at)) return false
  const url = new URL(location, at)
  return isForeign(url, at) && !isLoopback(url.origin)
}

function placeOf(event: RecordedEvent): string | undefined {
  if (event.type === 'surface' && shown.test(event.text)) return 'what the user is shown'
  if (event.type === 'output' && shown.test(event.text)) return `what is printed (${event.source})`
  if (event.type === 'response' && ['browser', 'message'].includes(event.channel))
    return shown.test(withoutScripts(event.body?.text ?? '')) ? 'a page' : undefined
  if (event.type === 'request' && [apiChannel, consentChannel].includes(event.channel))
    return shown.test(event.url) ? 'the URL of a request to the agent' : undefined
  return undefined
}

/** A script that hands the callback to the window that opened it shows nothing. */
function withoutScripts(page: string): string {
  return page.replaceAll(/<script\b[^<>]{0,2000}>[^]*?(?:<\/script\b[^<>]{0,100}>|$)/gi, '')
}

export const exposesNoCode: Judge = (t) => {
  const leak = leakIn(t)
  if (leak) {
    return violation(
      'a code or a token is shown outside the answer',
      { expected: 'only in the answer to the agent', actual: leak.where },
      cite(leak.event),
    )
  }
  const callback = t
    .requests('browser')
    .find((each) => each.secrets?.some(({ kind }) => kind === 'authorization_code'))
  if (!callback || t.answer(callback)?.type !== 'response')
    return inconclusive('no code reached the client application')
  const unread = t.events.find(({ secrets }) => secrets?.some(({ kind }) => kind === unreadKind))
  if (unread) return inconclusive('something is nested beyond what is read', cite(unread))
  return pass('codes and tokens are nowhere but in answers', cite(callback))
}

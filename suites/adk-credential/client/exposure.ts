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
    return placeOn(event.body?.text ?? '')
  if (event.type === 'request' && [apiChannel, consentChannel].includes(event.channel))
    return shown.test(event.url) ? 'the URL of a request to the agent' : undefined
  return undefined
}

const scripts = /<script\b[^<>]{0,2000}>[^]*?(?:<\/script\b[^<>]{0,100}>|$)/gi

/** A script that hands the callback to the window that opened it shows nothing, where it says whose window that has to be. */
function placeOn(page: string): string | undefined {
  if (shown.test(page.replaceAll(scripts, ''))) return 'a page'
  return (page.match(scripts) ?? []).some(tellsAnybody)
    ? 'a message of the page to whichever site has opened it (postMessage to "*")'
    : undefined
}

/** HTML, Cross-document messaging: a target origin of `*` lets the message go to any origin. */
const toAnybody = /\bpostMessage\s{0,20}\(([^;]{1,2000}?),\s{0,20}(['"`])\*\2/g
/** What a name stands for, where that is said at once. */
const declared = /\b(?:const|let|var)\s{1,20}(\w{1,100})\s{0,20}=([^;\n]{1,2000})/g

/** Whether a script tells any site the address of its page, which has the code, or the code itself. */
function tellsAnybody(script: string): boolean {
  const hasCode = (text = ''): boolean => /\blocation\b/.test(text) || shown.test(text)
  const names = [...script.matchAll(declared)].filter(([, , value]) => hasCode(value))
  return [...script.matchAll(toAnybody)].some(
    ([, message = '']) =>
      hasCode(message) || names.some(([, name]) => new RegExp(`\\b${name}\\b`).test(message)),
  )
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

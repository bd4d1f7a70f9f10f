/** Which callbacks of the browser got as far as the client. */

import {
  cite,
  type Answer,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import { responseParameters } from '../../harness/parties/user/tamper.ts'
import { elementsOf } from '../../harness/parties/user/markup.ts'
import type { Reached } from './handed-call.ts'

type Tells = (parameters: URLSearchParams, t: Transcript) => boolean

/** The status of what is one too many at a time (RFC 6585 §4): the client has not looked at it. */
export const tooManyRequests = 429

/**
 * The first callback of the browser to the client with this parameter, whose others tell that it is the one; the first that
 * was not one too many, where there is one.
 */
export function callbackWith(
  t: Transcript,
  name: string,
  parameter: string,
  tells: Tells = () => true,
): Recorded<RequestEvent> | undefined {
  const callbacks = t.requests('browser', name).filter(({ url }) => {
    if (!URL.canParse(url)) return false
    const parameters = responseParameters(url)
    return parameters.has(parameter) && tells(parameters, t)
  })
  return firstArrived(t, callbacks)
}

/** The first of these visits that got as far as the client; where none did, the first. */
export function firstArrived(
  t: Transcript,
  visits: readonly Recorded<RequestEvent>[],
): Recorded<RequestEvent> | undefined {
  return visits.find((visit) => arrived(t, visit)) ?? visits[0]
}

/** Proof that the client received and answered a callback with this parameter. */
export function answeredCallback(
  t: Transcript,
  name: string,
  parameter: string,
  tells?: Tells,
): Reached {
  const request = callbackWith(t, name, parameter, tells)
  if (!request) return `no callback with ${parameter} reached the implementation`
  if (!arrived(t, request)) return 'the callback could not be delivered to the implementation'
  return cite(request, t.answer(request))
}

/** Whether a request got as far as the client; no answer in time is still an arrival, and one too many is none. */
export function arrived(t: Transcript, request: Recorded<RequestEvent>): boolean {
  const answer = t.answer(request)
  if (wasOneTooMany(t, request)) return false
  return answer?.type !== 'failure' || answer.code === 'timeout'
}

/** Whether a request was refused as one too many at a time. */
export function wasOneTooMany(t: Transcript, request: Recorded<RequestEvent>): boolean {
  const answer = t.answer(request)
  return answer?.type === 'response' && answer.status === tooManyRequests
}

/** What takes a script further than its own page. */
const goesOn = /\b(fetch|XMLHttpRequest|sendBeacon|submit|location|import)\b/

/** Whether a page may go on by a script of its own (RFC 6749 §3.1.2.5). */
export function finishesByScript(answer: Answer | undefined): boolean {
  if (answer?.type !== 'response' || answer.status >= 400) return false
  return elementsOf(answer.body?.text ?? '').some(
    ({ name, attribute, text }) =>
      name === 'script' && (attribute('src') !== undefined || goesOn.test(text)),
  )
}

/** How a call ended, when, and what may have ended it; where it did not, what was waited for. */

import {
  gaveUpAfter,
  isAfter,
  type JudgingContext,
  type Recorded,
  type ResponseEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { ClientDeclared } from './declarations.ts'
import type { Ended, HandedCall, Reached } from './handed-call.ts'
import type { Handoff } from './handoff.ts'
import { mayHaveTimedOut } from './view.ts'

/** Whether somebody waited for what did not come: until the call ended, or as long as the run waits. */
export function waitedFor({ name, ended }: HandedCall, t: Transcript): boolean {
  return ended.length > 0 || gaveUpAfter(t, name) !== undefined
}

/** Whether an end says what another one said, or is built like it. */
export function readsLike({ readsAsServed }: Handoff, end: Ended, other: Ended): boolean {
  return end.text === other.text || readsAsServed?.(end, other) === true
}

/** Where an answer is complete without what is waited for, nothing more can come: hardly any time passes then. */
export function noneWithin(waited: number): string {
  return waited < 1000 ? 'none, and the call had ended' : `none within ${waited} ms`
}

/** The answer to the last request of the harness for a call, where it is one of failure: that is why nothing else came. */
export function lastFailure(
  { request, name }: HandedCall,
  t: Transcript,
): Recorded<ResponseEvent> | undefined {
  if (request?.type !== 'request') return undefined
  const last = t.requests(request.channel, name).at(-1)
  const answer = last && t.answer(last)
  return answer?.type === 'response' && answer.status >= 400 ? answer : undefined
}

export function statusOf(failed: Recorded<ResponseEvent> | undefined): string[] {
  return failed ? [`the last request of the call was answered by HTTP ${failed.status}`] : []
}

/** Whether what ended a call may be its pending timeout: on a slow machine that comes before everything else. */
export function timedOutBefore(
  call: HandedCall,
  { declared }: JudgingContext<ClientDeclared>,
): boolean {
  const [end] = call.ended
  return end !== undefined && mayHaveTimedOut(call, end.event, declared.pendingTimeoutMs)
}

/** The first end of a call that does not stand before everything that is cited; none if nothing was reached. */
export function endAfter({ ended }: HandedCall, reached: Reached): Ended | undefined {
  if (typeof reached === 'string') return undefined
  return ended.find(({ event }) => reached.some(({ seq }) => seq < event.seq))
}

/**
 * Where the end came when the declared timeout would have sent it anyway, and nothing that happened shortly
 * before explains it: how long nothing had happened, in milliseconds.
 */
export function timedOutAfter(
  { name, request, upstream }: HandedCall,
  { event }: Ended,
  t: Transcript,
  { declared }: JudgingContext<ClientDeclared>,
): number | undefined {
  // A client may count from any moment between the call and the handing over.
  const due = declared.pendingTimeoutMs ?? Infinity
  if (!request || event.t - request.t < due - timeoutSlack) return undefined
  const causes = [...t.requests('browser', name), ...upstream].filter((cause) =>
    isAfter(event, cause),
  )
  const last = Math.max(...causes.map((cause) => Math.max(cause.t, t.answer(cause)?.t ?? cause.t)))
  const pause = event.t - last
  return pause > due / 4 ? pause : undefined
}

/** Whether an end says that something was refused, and not that time was over. */
export function namesFailure({ text }: Ended): boolean {
  return failureWords.test(text) && !timeoutWords.test(text)
}

/** Denials, and the error codes of RFC 6749 §4.1.2.1 and §5.2, in words or as they are. */
const failureWords =
  /\b(access_denied|invalid_\w+|server_error|temporarily_unavailable|den(y|ied|ial)|declined?|refus(ed|al)|reject(ed|ion))\b/i
const timeoutWords =
  /time[ _-]?(d[ _-])?out|expire|too (late|long)|abandon|no(t|body)? (answer|finish|complet)/i

/** The longest that the client took for what it does at once: on a busy machine it takes long for everything. */
export function longestAnswer({ request, ack, asked }: HandedCall, t: Transcript): number {
  const answers = t.requests('browser').flatMap((visit) => {
    const answer = t.answer(visit)
    return answer ? [answer.t - visit.t] : []
  })
  const begun = request?.t ?? 0
  return Math.max(0, (ack?.t ?? begun) - begun, (asked[0]?.event.t ?? begun) - begun, ...answers)
}

/** Milliseconds by which a timer may be early. */
const timeoutSlack = 50

/** When a tool sends a message once more, and what came of it (RAP Transport, Delivery Requirements). */

import type {
  Answer,
  FailureEvent,
  Recorded,
  RequestEvent,
  ResponseEvent,
  StepEvent,
  Transcript,
} from '../../../harness/engine/index.ts'

/** Pauses before each further attempt in milliseconds: exponential backoff. */
export const pausesMs: readonly number[] = [500, 1_000, 2_000, 4_000]

/** Steps of the harness: another attempt at a delivery, and that there will be none. */
export const attempts = { again: 'redelivered', noMore: 'undelivered' } as const

/** Codes of failures in which nobody was there to take the message, or nobody ever answered it. */
export const unanswered: ReadonlySet<string> = new Set(['ECONNREFUSED', 'timeout'])

/** How an attempt ended. */
export type Ending = Pick<ResponseEvent, 'type' | 'status'> | Pick<FailureEvent, 'type' | 'code'>

/** Whether the next attempt may fare better: the runtime failed, or closed the connection. */
export function isTransient(ending: Ending): boolean {
  return ending.type === 'response' ? ending.status >= 500 : !unanswered.has(ending.code)
}

/** The first attempt at a delivery, and the answer to the last one as long as none is to follow. */
export function attemptsAt(
  t: Transcript,
  step: Recorded<StepEvent>,
): { readonly request: Recorded<RequestEvent> | undefined; readonly answer: Answer } {
  const first = step.detail['exchange']
  const own = (each: Recorded<StepEvent>): boolean =>
    each.scenario === step.scenario && each.detail['of'] === first
  const again = t.steps(attempts.again, step.call).filter(own)
  const exchanges = [first, ...again.map(({ detail }) => detail['exchange'])]
  const requests = t
    .requests('callback')
    .filter((each) => each.scenario === step.scenario && exchanges.includes(each.exchange))
  const answers = requests.map((each) => t.answer(each))
  const last = answers.at(-1)
  const [request] = requests
  // Where nobody listens any more, it is the attempt before to which something was done.
  if (answers.length > 1 && last?.type === 'failure' && last.code === 'ECONNREFUSED') {
    return { request, answer: answers.at(-2) }
  }
  const isLast = !last || !step.detail['redelivers'] || !isTransient(last)
  const ended = isLast || t.steps(attempts.noMore, step.call).some(own)
  return { request, answer: ended ? last : undefined }
}

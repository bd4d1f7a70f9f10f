/** Which callbacks of the browser got as far as the client. */

import {
  cite,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { Reached } from './handed-call.ts'

/** A callback of the browser to the client with the given parameter. */
export function callbackWith(
  t: Transcript,
  name: string,
  parameter: string,
): Recorded<RequestEvent> | undefined {
  return t
    .requests('browser', name)
    .find(
      (request) => URL.canParse(request.url) && new URL(request.url).searchParams.has(parameter),
    )
}

/** Proof that the client received and answered a callback with this parameter. */
export function answeredCallback(t: Transcript, name: string, parameter: string): Reached {
  const request = callbackWith(t, name, parameter)
  if (!request) return `no callback with ${parameter} reached the implementation`
  if (!arrived(t, request)) return 'the callback could not be delivered to the implementation'
  return cite(request, t.answer(request))
}

/** Whether a request got as far as the client; no answer in time is still an arrival. */
export function arrived(t: Transcript, request: Recorded<RequestEvent>): boolean {
  const answer = t.answer(request)
  return answer?.type !== 'failure' || answer.code === 'timeout'
}

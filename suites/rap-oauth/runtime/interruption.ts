/** How a call looks that was ended from the runtime's side: what its tools are told, and what its model. */

import { jsonOf, type Recorded, type RequestEvent } from '../../../harness/engine/index.ts'
import type { Transcript } from '../../../harness/engine/index.ts'
import { notesOf, type Note } from './model-input.ts'
import { claimedBy, tellsOfInterruption } from './pending-notice.ts'
import { idsOf, type CallView, type Moment } from './view.ts'

/** The notifications that this call was cancelled, whichever toolset got them (RAP Tool Cancellation, Request). */
export function cancellationsOf(t: Transcript, { sent }: CallView): Recorded<RequestEvent>[] {
  return t.requests('notification').filter((request) => {
    const { url, body } = request
    const value = jsonOf(body)
    if (typeof value !== 'object' || value === null) return false
    const { tool_call_id: call, thread_id: thread } = value as Record<string, unknown>
    const named = call !== undefined && call === sent['id'] && thread === sent['group_id']
    const answer = t.answer(request)
    // Where no toolset is, none was told.
    const lost = answer?.type === 'response' && answer.status === 404
    return named && !lost && url.endsWith('/cancel_tool_call')
  })
}

/** What the model was told after a moment in place of the call's result: that it failed or was interrupted. */
export function interruptionOf(t: Transcript, call: CallView, after: Moment): Note | undefined {
  return notesOf(t, call.conversation, after).find(
    ({ asked, callId, text, isError }) =>
      callId !== undefined &&
      idsOf(call, asked).includes(callId) &&
      (claimedBy(text, isError, undefined) === 'an error' || tellsOfInterruption(text)),
  )
}

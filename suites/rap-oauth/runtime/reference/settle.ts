/** The end of a call: it gets its one result, and its conversation goes on. */

import type { Ending } from './ending.ts'
import type { Call } from './records.ts'
import { show, type Work } from './work.ts'

/** The model is asked to continue when every call of that turn has its result; not after a cancellation. */
export function settle(work: Work, call: Call, { text, status }: Ending): void {
  const { parts, store } = work
  store.transaction(() => {
    parts.forgetAuthUrl(store, call)
    parts.injectResult(store, call, text)
    show(work, call.conversation, { type: 'tool_status', tool: call.tool, id: call.id, status })
    const complete = store.callsOf(call.turn).every((each) => each.state === 'settled')
    if (!complete || status === 'cancelled') return
    store.markUnseen(call.turn)
    work.wake(call.conversation)
  })
  clearTimeout(work.timers.get(call.seq))
  work.timers.delete(call.seq)
  parts.log({ event: 'call-settled', id: call.id, outcome: status })
}

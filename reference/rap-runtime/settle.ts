/** The end of a call: it gets its one result, and its conversation goes on. */

import type { Call } from './records.ts'
import type { Store } from './store.ts'
import { show, type Work } from './work.ts'

export interface Ending {
  readonly text: string
  readonly status: 'completed' | 'failed' | 'cancelled'
}

/** Makes the text the result of the call that it belongs to. */
export function injectResult(store: Store, call: Call, text: string): void {
  store.addResult(call.seq, text)
}

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

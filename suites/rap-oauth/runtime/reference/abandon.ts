/** Ending calls from this side: the user cancels, time is up, a restart came in between. */

import type { AbandonReason } from './ending.ts'
import type { Call } from './records.ts'
import { settle } from './settle.ts'
import type { Work } from './work.ts'

export function abandon(work: Work, call: Call, reason: AbandonReason): void {
  work.parts.log({ event: 'call-abandoned', id: call.id, outcome: reason })
  const { parts, settings, exchange, store } = work
  const end = (): void => {
    if (store.call(call.seq)?.state !== 'settled') settle(work, call, parts.syntheticResult(reason))
  }
  const notify = (): Promise<void> => parts.notifyCancellation(call, settings, exchange)
  work.background.run(() => parts.closeCall(end, notify))
}

/** Cancels everything that the conversation waits for; returns how many calls that were. */
export function cancelCalls(work: Work, conversation: string): number {
  const calls = work.parts.callsToCancel(work.store, conversation)
  work.store.transaction(() => {
    for (const call of calls) abandon(work, call, 'cancelled')
  })
  return calls.length
}

/** Ends the call at its deadline, also when it began before a restart. */
export function armTimer(work: Work, call: Call): void {
  const { settings, parts, store, timers } = work
  if (settings.callTimeoutMs === undefined) return
  const expire = () => {
    const current = store.call(call.seq)
    if (current && current.state !== 'settled') abandon(work, current, 'timed-out')
  }
  const left = parts.timeLeft(call, settings.callTimeoutMs, parts.now())
  timers.set(call.seq, setTimeout(expire, left))
}

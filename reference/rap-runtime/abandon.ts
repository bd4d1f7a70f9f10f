/** Ending calls from this side: the user cancels, time is up, a restart came in between. */

import type { Settings } from './config.ts'
import type { Exchange } from './exchange.ts'
import type { Call } from './records.ts'
import { settle, type Ending } from './settle.ts'
import { toolHeaders } from './tool-headers.ts'
import type { Work } from './work.ts'

export type AbandonReason = 'cancelled' | 'timed-out' | 'interrupted'

const notificationTimeoutMs = 5_000

const endings: Readonly<Record<AbandonReason, Ending>> = {
  cancelled: { text: 'Error: The user cancelled this tool call.', status: 'cancelled' },
  'timed-out': { text: 'Error: The tool did not deliver a result in time.', status: 'failed' },
  interrupted: {
    text: 'Error: The runtime was restarted while it called the tool. Whether the tool did its work is not known.',
    status: 'failed',
  },
}

/** The result that the model gets in place of the tool's; a later one is discarded. */
export function syntheticResult(reason: AbandonReason): Ending {
  return endings[reason]
}

export function abandon(work: Work, call: Call, reason: AbandonReason): void {
  work.parts.log({ event: 'call-abandoned', id: call.id, outcome: reason })
  settle(work, call, work.parts.syntheticResult(reason))
  const { parts, settings, exchange } = work
  work.background.run(() => parts.notifyCancellation(call, settings, exchange))
}

/** Cancels everything that the conversation waits for; returns how many calls that were. */
export function cancelCalls(work: Work, conversation: string): number {
  const calls = work.store.openCalls(conversation)
  work.store.transaction(() => {
    for (const call of calls) abandon(work, call, 'cancelled')
  })
  return calls.length
}

/** RAP, Tool Cancellation: best effort, never repeated. */
export async function notifyCancellation(
  call: Call,
  settings: Settings,
  exchange: Exchange,
): Promise<void> {
  if (call.toolset === null) return
  const url = `${call.toolset}/cancel_tool_call`
  await exchange
    .status({
      method: 'POST',
      url,
      headers: toolHeaders(settings, call.toolset, url),
      body: { thread_id: call.conversation, tool_call_id: call.id },
      timeoutMs: notificationTimeoutMs,
    })
    .catch(() => {})
}

/** Milliseconds until the call ends; the time before a restart counts. */
export function timeLeft(call: Call, timeoutMs: number, now: number): number {
  return Math.max(0, call.createdAt + timeoutMs - now)
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

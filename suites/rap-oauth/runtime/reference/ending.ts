/** How a call can end: by its result, by one made here, or not at all before a restart. */

import type { Settings } from './config.ts'
import type { Exchange } from './exchange.ts'
import type { Call } from './records.ts'
import type { Store } from './store.ts'
import { toolHeaders } from './tool-headers.ts'

export interface Ending {
  readonly text: string
  readonly status: 'completed' | 'failed' | 'cancelled'
}

/** Makes the text the result of the call that it belongs to. */
export function injectResult(store: Store, call: Call, text: string): void {
  store.addResult(call.seq, text)
}

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

/** RAP, Tool Cancellation: to every tool server, at the same time; best effort, never repeated. */
export async function notifyCancellation(
  call: Call,
  settings: Settings,
  exchange: Exchange,
): Promise<void> {
  const notify = (toolset: string): Promise<unknown> => {
    const url = `${toolset}/cancel_tool_call`
    return exchange.status({
      method: 'POST',
      url,
      headers: toolHeaders(settings, toolset, url),
      body: { thread_id: call.conversation, tool_call_id: call.id },
      timeoutMs: notificationTimeoutMs,
    })
  }
  await Promise.allSettled(settings.toolsets.map(notify))
}

/** Milliseconds until the call ends; the time before a restart counts. */
export function timeLeft(call: Call, timeoutMs: number, now: number): number {
  return Math.max(0, call.createdAt + timeoutMs - now)
}

/**
 * A call that arrived at its tool goes on, however long ago that was: its result may still come. Of one
 * that did not, nobody knows; sending it again could do the work twice.
 */
export function resumeCall(call: Call): 'keep' | 'interrupted' {
  return call.state === 'pending' ? 'keep' : 'interrupted'
}

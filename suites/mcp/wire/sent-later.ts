/** A request that is too many for the server is sent again later, as clients do (RFC 6585 §4; RFC 9110 §15.6.4). */

import { setTimeout as delay } from 'node:timers/promises'
import type { StreamedResponse } from '../../../harness/parties/streaming.ts'
import { bounded } from './bounded.ts'
import { wireLimits } from './limits.ts'

/** Milliseconds before it is sent again: at first, and at most. */
const [least, most] = [250, 5000]

/** What is told of it. */
export interface Deferral {
  readonly status: number
  /** Milliseconds until it is sent again. */
  readonly pause: number
}

/** The answer of the server; one that asks for patience is told to `onDeferred`, and not given while there is hope. */
export async function sentLater(
  send: () => Promise<StreamedResponse>,
  signal: AbortSignal,
  onDeferred: (deferral: Deferral) => void,
  pausing = wait,
): Promise<StreamedResponse> {
  for (let times = 0; ; times += 1) {
    const answer = await send()
    const { status, headers } = answer
    const asked = secondsIn(headers['retry-after'])
    const isTooMany = status === 429 || (status === 503 && asked !== undefined)
    if (!isTooMany || times >= wireLimits.deferrals || signal.aborted) return answer
    const pause = Math.min(most, Math.max(least * 1.5 ** times, (asked ?? 0) * 1000))
    onDeferred({ status, pause })
    await leave(answer)
    await pausing(pause, signal)
  }
}

/** Lets milliseconds pass, or the waiting be over. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** Reads what else there is of an answer, so that its connection is free; one that is long is left. */
async function leave({ chunks }: StreamedResponse): Promise<void> {
  for await (const _ of bounded(chunks, wireLimits.message));
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function secondsIn(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

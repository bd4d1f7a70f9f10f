/** Delivers one message to the runtime, with the retries that RAP asks for. */

import { withDeadline } from './deadline.ts'
import type { Post } from './post.ts'

export interface Delivery {
  readonly url: string
  readonly message: Readonly<Record<string, unknown>>
}

export interface DeliveryMeans {
  readonly post: (post: Post, signal: AbortSignal) => Promise<number>
  readonly shouldRetry: (status: number | 'unreachable') => boolean
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs: number
  /** Aborted when the tool begins to shut down: what failed until then is not tried again. */
  readonly stopping: AbortSignal
  /** Ends all attempts when the tool shuts down. */
  readonly signal: AbortSignal
}

/** Long enough that a busy runtime is not mistaken for a dead one, which would get the message twice. */
export const deliveryTimeoutMs = 15_000

const attempts = 8
const firstDelayMs = 100

/** RAP: retry on 5xx and connection failures, never on 4xx. A redirect is no failure to wait out. */
export function shouldRetry(status: number | 'unreachable'): boolean {
  return status === 'unreachable' || status >= 500
}

/** Resolves with how it ended; never rejects, since nobody is left to tell. */
export async function deliver(delivery: Delivery, means: DeliveryMeans): Promise<boolean> {
  const post: Post = {
    url: delivery.url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(delivery.message),
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) {
      await pause(backoff(attempt), means.stopping)
      if (means.stopping.aborted) return false
    }
    if (means.signal.aborted) return false
    const status = await tryOnce(post, means)
    if (status !== 'unreachable' && status >= 200 && status < 300) return true
    if (!means.shouldRetry(status)) return false
  }
  return false
}

async function tryOnce(post: Post, means: DeliveryMeans): Promise<number | 'unreachable'> {
  try {
    return await withDeadline(means.timeoutMs, means.signal, (signal) => means.post(post, signal))
  } catch {
    return 'unreachable'
  }
}

/** Doubles with every attempt; the jitter keeps many waiting calls from returning in step. */
function backoff(attempt: number): number {
  return firstDelayMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

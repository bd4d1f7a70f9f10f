/** Work that always ends, and waiting that can be cut short. */

/**
 * Calls `work` with a signal that aborts after `ms` milliseconds (reason: a TimeoutError) or when
 * `closing` does. `AbortSignal.any([AbortSignal.timeout(ms), closing])` would be shorter, but on
 * Node 20 such a timeout can be collected as garbage before it fires.
 */
export async function withDeadline<T>(
  ms: number,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const close = () => controller.abort(closing.reason)
  const expire = () => controller.abort(new DOMException('deadline passed', 'TimeoutError'))
  const timer = setTimeout(expire, ms)
  if (closing.aborted) close()
  closing.addEventListener('abort', close, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', close)
  }
}

export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    if (signal.aborted) return done()
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

/** Doubles with every attempt; the jitter keeps many that wait from coming back in step. */
export function backoff(firstMs: number, attempt: number): number {
  return firstMs * 2 ** (attempt - 1) * (0.8 + Math.random() * 0.4)
}

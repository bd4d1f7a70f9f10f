/** Work that always ends: aborted at a deadline or together with the server. */

/**
 * Calls `work` with a signal that aborts after `ms` milliseconds or when `closing` does.
 * `AbortSignal.any([AbortSignal.timeout(ms), ...])` would be shorter, but on Node 20 such a timeout can be
 * collected as garbage before it fires, and then a call hangs for ever.
 */
export async function withDeadline<T>(
  ms: number,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('deadline passed', 'TimeoutError'))
  const timer = setTimeout(abort, ms)
  if (closing.aborted) abort()
  closing.addEventListener('abort', abort, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', abort)
  }
}

/** Runs something with a signal that aborts at a deadline, or with another signal, and never gets lost. */

/** Why the signal of {@link withDeadline} was aborted, if the time was up. */
export const timeIsUp = new Error('the deadline has passed')

/**
 * Calls `work` with a signal that aborts after `ms` milliseconds or together with `parent`.
 *
 * Not `AbortSignal.any([AbortSignal.timeout(ms), parent])`: on Node 20 the timeout signal can be collected as
 * garbage before it fires, and then nothing ends the waiting.
 */
export async function withDeadline<T>(
  ms: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(timeIsUp), ms)
  const follow = (): void => controller.abort(parent?.reason)
  if (parent?.aborted) follow()
  parent?.addEventListener('abort', follow, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    parent?.removeEventListener('abort', follow)
  }
}

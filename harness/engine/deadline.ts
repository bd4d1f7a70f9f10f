/** Runs something with a signal that aborts at a deadline, or with another signal, and never gets lost. */

/** Why the signal of {@link withDeadline} was aborted, if the time was up. */
export const timeIsUp = new Error('the deadline has passed')

/** Whether this machine was too busy in the last so many milliseconds for what is waited for to have come. */
export type BusyFor = (ms: number) => boolean

/** How often a wait that a busy machine spoilt begins anew. */
const mostBusyWaits = 2

/**
 * Calls back after `ms` milliseconds, and returns what stops it. Where the machine was too busy meanwhile it begins anew,
 * twice at most: what is right must not be called missing for that.
 */
export function deadlineAfter(ms: number, call: () => void, busyFor?: BusyFor): () => void {
  let again = mostBusyWaits
  const timeIsOver = (): void => {
    if (again === 0 || !busyFor?.(ms)) return call()
    again -= 1
    timer = setTimeout(timeIsOver, ms)
  }
  let timer = setTimeout(timeIsOver, ms)
  return () => clearTimeout(timer)
}

/**
 * Calls `work` with a signal that aborts after `ms` milliseconds ({@link deadlineAfter}) or together with `parent`.
 *
 * Not `AbortSignal.any([AbortSignal.timeout(ms), parent])`: on Node 20 the timeout signal can be collected as
 * garbage before it fires, and then nothing ends the waiting.
 */
export async function withDeadline<T>(
  ms: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  busyFor?: BusyFor,
): Promise<T> {
  const controller = new AbortController()
  const stop = deadlineAfter(ms, () => controller.abort(timeIsUp), busyFor)
  const follow = (): void => controller.abort(parent?.reason)
  if (parent?.aborted) follow()
  parent?.addEventListener('abort', follow, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    stop()
    parent?.removeEventListener('abort', follow)
  }
}

/** Waits for what comes slowly, as long as there are signs that it is still being worked on. */

export interface Waiting<T> {
  /** Milliseconds without any sign after which nothing is expected any more. */
  readonly within: number
  /** Milliseconds after which nobody waits any longer, whatever is seen. */
  readonly atMost: number
  /** Waits for so many milliseconds. */
  readonly wait: (within: number) => Promise<T | undefined>
  /** How many signs there were so far. */
  readonly signs: () => number
}

/** What came, or nothing: where a whole period had no sign of it, or where the longest wait is over. */
export async function keepWaiting<T>(waiting: Waiting<T>): Promise<T | undefined> {
  const { within, atMost, wait, signs } = waiting
  for (let left = atMost; left > 0; left -= within) {
    const before = signs()
    const found = await wait(Math.min(within, left))
    if (found !== undefined || signs() === before) return found
  }
  return undefined
}

/** Where the user of a runtime sees things: each way of looking reports texts until it is told to stop. */

/** Something that a user was shown. */
export interface Sighted {
  readonly source: string
  readonly text: string
  /** The conversation whose surface it is, where the surface tells. */
  readonly conversation?: string | undefined
  /** Whether it is all that stands there at once, what was seen before included. */
  readonly whole?: true | undefined
}

/** A surface to watch, until `signal` is aborted. */
export interface Watch {
  readonly url: string
  readonly source: string
  readonly conversation?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onText: (sighted: Sighted) => void
  /** Told after each attempt to open it why that has failed; `undefined`: it was opened. */
  readonly onState?: (problem: string | undefined) => void
}

/** Milliseconds between two looks at something that cannot tell by itself, or after a lost connection. */
const pause = 50

/** Waits, or returns early when the watch ends. */
export function rest(signal: AbortSignal, ms = pause): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish, { once: true })
  })
}

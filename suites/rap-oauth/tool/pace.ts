/** How long one step is waited for: as long as this implementation showed itself to need, up to `--max-wait`. */

import type { Timing } from '../../../harness/engine/index.ts'

/** What a tool may take its time for: its message to the runtime, and its page for the browser. */
export type Step = 'message' | 'page'

export class Pace {
  readonly #timing: Timing
  readonly #longest = new Map<Step, number>()

  constructor(timing: Timing) {
    this.#timing = timing
  }

  /** Milliseconds to wait. RAP sets no limit, so the first one of its kind gets all the time that there is. */
  within(step: Step): number {
    const { stepMs, maxWaitMs } = this.#timing
    const longest = this.#longest.get(step)
    return longest === undefined
      ? maxWaitMs
      : Math.round(Math.max(stepMs, Math.min(maxWaitMs, 4 * longest)))
  }

  /** A step took so long. */
  took(step: Step, ms: number): void {
    this.#longest.set(step, Math.max(ms, this.#longest.get(step) ?? 0))
  }

  /** A step was waited for in vain: the next ones are not worth more than any other step, unless one was seen. */
  missed(step: Step): void {
    if (!this.#longest.has(step)) this.#longest.set(step, 0)
  }
}

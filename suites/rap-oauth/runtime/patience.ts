/** How long is waited for what should come: RAP sets no limits, so it is as long as the implementation has needed. */

import type { Timing } from '../../../harness/engine/index.ts'

/** Nobody needs the same time twice. */
const margin = 3

export class Patience {
  readonly #timing: Timing
  /** The longest time that each kind of event has taken, in milliseconds. */
  readonly #needed = new Map<string, number>()

  constructor(timing: Timing) {
    this.#timing = timing
  }

  /**
   * Milliseconds that an event of this kind may take: `timing.step`, or more where an earlier one needed more. The first
   * of its kind may take as long as the run waits at all.
   */
  within(kind: string, atLeast = this.#timing.stepMs): number {
    const { maxWaitMs } = this.#timing
    const needed = this.#needed.get(kind)
    return Math.max(
      atLeast,
      needed === undefined ? maxWaitMs : Math.min(maxWaitMs, needed * margin),
    )
  }

  /** An event of this kind came after so many milliseconds; 0 for one that never came. */
  learn(kind: string, ms: number): void {
    this.#needed.set(kind, Math.max(this.#needed.get(kind) ?? 0, ms))
  }
}

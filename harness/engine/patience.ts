/** How long is waited for what should come: as long as the implementation was seen to need, within the limits of the run. */

import { EventEmitter, once } from 'node:events'
import { withDeadline } from './deadline.ts'
import type { Timing } from './scenario.ts'

/** Nobody needs the same time twice. */
const margin = 4

/** What limits it, of a run's timing. */
type Limits = Pick<Timing, 'stepMs' | 'maxWaitMs'>

/** The times that each kind of event has taken in one run; protocols such as RAP set no limits of their own. */
export class Patience {
  readonly #timing: Limits
  /** The longest time that each kind of event has taken, in milliseconds. */
  readonly #needed = new Map<string, number>()
  readonly #learnt = new EventEmitter().setMaxListeners(0)

  constructor(timing: Limits) {
    this.#timing = timing
  }

  /**
   * Milliseconds that an event of this kind may take: `timing.step`, or more where an earlier one needed more. The first
   * of its kind may take as long as the run waits at all.
   */
  within(kind: string, atLeast = this.#timing.stepMs): number {
    const { maxWaitMs } = this.#timing
    const needed = this.#needed.get(kind)
    const expected = needed === undefined ? maxWaitMs : Math.min(maxWaitMs, needed * margin)
    return Math.round(Math.max(atLeast, expected))
  }

  /** An event of this kind came after so many milliseconds; 0 for one that never came. */
  learn(kind: string, ms: number): void {
    this.#needed.set(kind, Math.max(this.#needed.get(kind) ?? 0, ms))
    this.#learnt.emit(kind)
  }

  /** Resolves once anything is known of this kind; where nothing ever is, after the longest wait of the run. */
  async known(kind: string, signal: AbortSignal): Promise<void> {
    if (this.#needed.has(kind)) return
    await withDeadline(this.#timing.maxWaitMs, signal, (limit) =>
      once(this.#learnt, kind, { signal: limit }),
    ).catch(() => undefined)
  }
}

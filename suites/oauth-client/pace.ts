/** When what was too much at once, calls or pages, is asked for once more: one after the other, and slower while that is too fast. */

import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two of them: at first, and at most. */
const [least, most] = [250, 1000]
/** How many in a row may be too many again: where that is known, and where it only may be so. */
const [times, timesInDoubt] = [12, 24]

/** What the calls of a run, or its pages, have in common: that they take turns, and whether that is of any use. */
export class Pace {
  readonly #pause: typeof pause
  #last: Promise<unknown> = Promise.resolve()
  #ms = least
  #inVain = 0
  #doubtsInVain = 0
  #isBegun = false
  readonly #helped = new Set<string>()

  constructor(pausing = pause) {
    this.#pause = pausing
  }

  /** Notes that a call is made; whether it is the first one, which nothing else can disturb. */
  isFirst(): boolean {
    const isFirst = !this.#isBegun
    this.#isBegun = true
    return isFirst
  }

  /** Waits for the turn of a call; false when there is none, as making calls once more does not help. */
  async turn(signal: AbortSignal, isKnown = true): Promise<boolean> {
    const isOfUse = (): boolean => (isKnown ? this.#inVain < times : this.mayDoubt)
    this.#last = this.#last.then(() => (isOfUse() ? this.#pause(this.#ms, signal) : undefined))
    await this.#last
    return isOfUse() && !signal.aborted
  }

  /** Notes whether a call that was made once more was too many again, and whether that is known. */
  note(tooMany: boolean, isKnown = true): void {
    // Once it is known that it does not help, that stays so: what can be judged is the same for all then.
    if (this.#inVain >= times) return
    if (isKnown) this.#inVain = tooMany ? this.#inVain + 1 : 0
    this.#doubtsInVain = tooMany ? this.#doubtsInVain + (isKnown ? 0 : 1) : 0
    this.#ms = tooMany ? Math.min(most, this.#ms * 1.5) : Math.max(least, this.#ms / 1.5)
  }

  /** Whether a call may be made once more of which it is not known that it was too many: not where that has helped nobody. */
  get mayDoubt(): boolean {
    return this.#doubtsInVain < timesInDoubt
  }

  /** Notes how a call ended that was made once more, and then went on. */
  learn(refusal: string): void {
    this.#helped.add(refusal)
  }

  /** Whether a call that ended so has gone on when it was made once more. */
  hasHelped(refusal: string): boolean {
    return this.#helped.has(refusal)
  }
}

/** Lets milliseconds pass, or the run be interrupted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** Limits how many scenarios act at once, so that each gets its answers quickly on a small machine. */

export class Slots {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Waits for a slot; the result gives it back and may be called once. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    return () => this.#leave()
  }

  /**
   * Gives the caller's slot away while a promise is pending, and takes one again afterwards, before
   * those that have not begun: what has begun is finished first.
   */
  async aside<T>(waiting: Promise<T>): Promise<T> {
    this.#leave()
    try {
      return await waiting
    } finally {
      if (this.#free > 0) this.#free -= 1
      else await new Promise<void>((resolve) => this.#queue.unshift(resolve))
    }
  }

  #leave(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#free += 1
  }
}

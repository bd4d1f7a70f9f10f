/** Collections that forget their oldest entries, so that a long-lived provider keeps a bounded memory. */

/** A `Map` of at most `limit` entries; inserting one more forgets the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    if (this.size > this.#limit) {
      const oldest = this.keys().next()
      if (!oldest.done) this.delete(oldest.value)
    }
    return this
  }
}

/** A list that keeps its newest entries, as many as weigh no more than `limit` together. */
export interface BoundedList<T> {
  readonly entries: readonly T[]
  push(entry: T): void
  clear(): void
}

/**
 * Creates a list bounded by weight. It overshoots the limit by up to an eighth before it is trimmed,
 * which makes pushing cheap on average.
 */
export function boundedList<T>(limit: number, weigh: (entry: T) => number): BoundedList<T> {
  const entries: T[] = []
  let weight = 0
  const trim = () => {
    let dropped = 0
    while (weight > limit && dropped < entries.length - 1) weight -= weigh(entries[dropped++]!)
    entries.splice(0, dropped)
  }
  return {
    entries,
    push(entry) {
      entries.push(entry)
      weight += weigh(entry)
      if (weight > limit * 1.125) trim()
    },
    clear() {
      entries.length = 0
      weight = 0
    },
  }
}

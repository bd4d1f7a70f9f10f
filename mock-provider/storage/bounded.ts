/** Collections that forget their oldest entries, so that a long-lived provider keeps a bounded memory. */

/**
 * A `Map` that tells its oldest key at once. A new iterator would have to step over everything that
 * was deleted before, so one is kept that never looks back.
 */
export class AgingMap<K, V> extends Map<K, V> {
  #keys = this.keys()
  #oldest: IteratorResult<K, undefined> | undefined

  /** The key that was inserted first of those there are. */
  oldest(): K | undefined {
    if (this.size === 0) return undefined
    this.#oldest ??= this.#keys.next()
    return this.#oldest.value
  }

  override delete(key: K): boolean {
    if (this.#oldest?.value === key) this.#oldest = undefined
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#keys = this.keys()
    this.#oldest = undefined
  }
}

/** A `Map` of at most `limit` entries; inserting one more forgets the oldest. */
export class BoundedMap<K, V> extends AgingMap<K, V> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    const oldest = this.size > this.#limit ? this.oldest() : undefined
    if (oldest !== undefined) this.delete(oldest)
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

/** Limits how many scenarios act at once, so that each gets its answers quickly on a small machine. */

/** Milliseconds for which a slot stays with a scenario that waits for an answer. */
const patience = 100
/** Milliseconds by which a timer may be late; where one is later, this machine has more to do than it can. */
const slack = 50
/** Milliseconds for which nothing more is lent then. */
const pause = 2000
/** How many times as many scenarios as there are slots may have lent theirs. */
const most = 6

/**
 * Who acts has a slot; who waits need not keep it. Of an implementation that takes its time over an answer many can be
 * awaited at once, but not where it is this machine that is slow: answers would get later still, and look like faults.
 */
export class Slots {
  #count: number
  #free: number
  #lent = 0
  #until = 0
  readonly #begun: Take[] = []
  readonly #fresh: Take[] = []
  readonly now: () => number

  /** @param now milliseconds, monotonic */
  constructor(count: number, now = () => performance.now()) {
    this.#count = count
    this.#free = count
    this.now = now
  }

  /** How many there are. */
  get count(): number {
    return this.#count
  }

  /** From now on there are no more than so many; who has one keeps it. */
  narrow(count: number): void {
    this.#free -= Math.max(0, this.#count - count)
    this.#count = Math.min(this.#count, count)
  }

  /** Waits for a slot. */
  async enter(): Promise<Slot> {
    await this.take('fresh')
    return new Slot(this)
  }

  /** Resolves in its turn: what has begun is finished before others begin. */
  take(turn: 'begun' | 'fresh'): Promise<void> {
    return new Promise((resolve) => {
      const queue = turn === 'begun' ? this.#begun : this.#fresh
      queue.push(resolve)
      this.#serve()
    })
  }

  give(): void {
    this.#free += 1
    this.#serve()
  }

  /** Notes how late a timer was, in milliseconds: the machine is the same for all. */
  late(ms: number): void {
    if (ms > slack) this.#until = this.now() + pause
  }

  /** Gives a slot until {@link Slots.unlend}, unless the machine is late or enough are lent already. */
  lend(): boolean {
    if (this.now() < this.#until || this.#lent >= most * this.#count) return false
    this.#lent += 1
    this.give()
    return true
  }

  unlend(): void {
    this.#lent -= 1
  }

  /** Takes a lent slot back at once, as an answer must not get old: nobody else begins until one is free again. */
  reclaim(): void {
    this.unlend()
    this.#free -= 1
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#begun.shift() ?? this.#fresh.shift()
      if (!next) return
      this.#free -= 1
      next()
    }
  }
}

type Take = () => void

/** The slot of one scenario. Parts of it may wait at the same time; whoever goes on has the slot. */
export class Slot {
  readonly #slots: Slots
  #state: 'held' | 'lent' | 'away' | 'left' = 'held'
  #returning: Promise<void> | undefined

  constructor(slots: Slots) {
    this.#slots = slots
  }

  /** Gives the slot away while a promise is pending. */
  async offSlot<T>(waiting: Promise<T>): Promise<T> {
    this.#release('away')
    try {
      return await waiting
    } finally {
      await this.#return()
    }
  }

  /** Lends the slot while an answer of the implementation is pending that does not come soon. */
  async lendSlot<T>(waiting: Promise<T>): Promise<T> {
    let due = this.#slots.now() + patience
    const lending = setInterval(() => {
      const now = this.#slots.now()
      this.#slots.late(now - due)
      due = now + patience
      if (this.#state === 'held' && this.#slots.lend()) this.#state = 'lent'
    }, patience)
    try {
      return await waiting
    } finally {
      clearInterval(lending)
      await this.#return()
    }
  }

  /** Gives the slot back for good. */
  leave(): void {
    this.#release('left')
  }

  #release(state: 'away' | 'left'): void {
    const before = this.#state
    if (before === 'left') return
    this.#state = state
    if (before === 'held') this.#slots.give()
    if (before === 'lent') this.#slots.unlend()
  }

  async #return(): Promise<void> {
    if (this.#state === 'held' || this.#state === 'left') return
    if (this.#state === 'lent') {
      this.#state = 'held'
      return this.#slots.reclaim()
    }
    this.#returning ??= this.#slots.take('begun').then(() => {
      this.#returning = undefined
      if (this.#state === 'left') return this.#slots.give()
      this.#state = 'held'
    })
    await this.#returning
  }
}

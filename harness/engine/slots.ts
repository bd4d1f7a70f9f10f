/** Limits how many scenarios act at once, so that each gets its answers quickly on a small machine. */

/** Milliseconds from which on an answer takes long; an implementation on a busy machine needs less for most. */
const long = 500
/** Milliseconds by which an answer may take longer than usual. */
const slack = 200
/** How many times as many scenarios as there are slots may wait beside those that have one: nobody knows for sure. */
const most = 3

/**
 * An implementation that takes its time over an answer although nobody else asks for one merely waits, and so the
 * slots of those who wait for it are lent to others. How many is learnt as it goes: an answer that takes little longer
 * than it does where one scenario acts alone, as the gate does, allows one more; one that takes much longer, because
 * the implementation is busy, halves them; so does any where the machine itself is.
 */
export class Slots {
  readonly #count: number
  #free: number
  /** The longest that an answer took while one scenario acted alone. */
  #usual = 0
  #lendable = 0
  #lent = 0
  readonly #queues = { lent: [] as Take[], begun: [] as Take[], fresh: [] as Take[] }
  readonly #offered = new Set<Slot>()

  /** Milliseconds, monotonic. */
  readonly now: () => number

  readonly #isBusy: () => boolean

  constructor(
    count: number,
    { now = () => performance.now(), isBusy = (): boolean => false } = {},
  ) {
    this.#count = count
    this.#free = count
    this.now = now
    this.#isBusy = isBusy
  }

  /** Waits for a slot. */
  async enter(): Promise<Slot> {
    await this.take('fresh')
    return new Slot(this)
  }

  /**
   * Resolves in its turn. What has begun is finished before others begin; and whose slot was lent takes that of
   * another who waits, so that nobody goes on later for having lent it.
   */
  take(turn: 'lent' | 'begun' | 'fresh'): Promise<void> {
    return new Promise((resolve) => {
      this.#queues[turn].push(resolve)
      this.#serve()
    })
  }

  give(): void {
    this.#free += 1
    this.#serve()
  }

  /** From now on the slot may be lent. */
  offer(slot: Slot): void {
    this.#offered.add(slot)
    this.#serve()
  }

  /** Ends that. One that was lent is gone: its scenario has to take another. */
  withdraw(slot: Slot): 'held' | 'lent' {
    if (this.#offered.delete(slot)) return 'held'
    this.#lent -= 1
    return 'lent'
  }

  /** Learns from an answer how many slots may be lent. */
  learn(ms: number): void {
    const alone = this.#count - this.#free === 1 && this.#lent === 0
    if (alone) this.#usual = Math.max(this.#usual, ms)
    if (ms < long) return
    const stands = ms < this.#usual + slack && !this.#isBusy()
    this.#lendable = stands ? Math.min(this.#lendable + 1, most * this.#count) : this.#lendable >> 1
  }

  #serve(): void {
    const { lent, begun, fresh } = this.#queues
    for (;;) {
      const queue = [lent, begun, fresh].find(({ length }) => length > 0)
      if (!queue || !(this.#free > 0 || this.#borrow(queue === lent))) return
      this.#free -= 1
      queue.shift()?.()
    }
  }

  #borrow(inReturn: boolean): boolean {
    const [slot] = this.#offered
    if (!slot || !(inReturn || this.#lent < this.#lendable)) return false
    this.#offered.delete(slot)
    this.#lent += 1
    this.#free += 1
    return true
  }
}

type Take = () => void

/** The slot of one scenario. Parts of it may wait at the same time; whoever goes on has the slot. */
export class Slot {
  readonly #slots: Slots
  #state: 'held' | 'offered' | 'away' | 'left' = 'held'
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

  /** Lets the slot be lent while an answer of the implementation is pending; `undefined` is none. */
  async lendSlot<T>(waiting: Promise<T>): Promise<T> {
    if (this.#state === 'held') {
      this.#state = 'offered'
      this.#slots.offer(this)
    }
    const began = this.#slots.now()
    try {
      const answer = await waiting
      // Away is who waits for what takes its time for other reasons.
      const telling = this.#state === 'offered' && answer !== undefined
      if (telling) this.#slots.learn(this.#slots.now() - began)
      return answer
    } finally {
      await this.#return()
    }
  }

  /** Gives the slot back for good. */
  leave(): void {
    this.#release('left')
  }

  #release(state: 'away' | 'left'): void {
    const offered = this.#state === 'offered' && this.#slots.withdraw(this)
    const holds = this.#state === 'held' || offered === 'held'
    if (this.#state !== 'left') this.#state = state
    if (holds) this.#slots.give()
  }

  async #return(): Promise<void> {
    const offered = this.#state === 'offered' ? this.#slots.withdraw(this) : undefined
    if (offered) this.#state = offered === 'held' ? 'held' : 'away'
    if (this.#state !== 'away') return
    this.#returning ??= this.#slots.take(offered === 'lent' ? 'lent' : 'begun').then(() => {
      this.#returning = undefined
      if (this.#state === 'away') this.#state = 'held'
      else this.#slots.give()
    })
    await this.#returning
  }
}

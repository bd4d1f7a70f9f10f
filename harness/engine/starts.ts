/** Limits how many implementations start at once: a start can take more of this machine than all else of a run. */

import { cpus } from 'node:os'

/** Milliseconds between two looks at what the processors do. */
const every = 50
/** Milliseconds by which a look may be late; where one is later, nothing is to spare, whatever the system says. */
const slack = 50
/** Processors that have to be idle for one more start. */
const needed = 0.5

/** Milliseconds for which all processors together were idle, since the machine was started. */
type IdleTime = () => number

/** How something has its turn. */
export interface Turn<T> {
  /** Whether it is to go on soon, and so does not wait for what is new. */
  readonly urgent?: boolean | undefined
  /** Resolves when it has done what a start takes; default: when it is started. */
  readonly settled?: ((started: T) => Promise<unknown>) | undefined
}

/** Starts what waits for its turn: one at a time, and more at a time while the machine has processors to spare. */
export class Starts {
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #idleTime: IdleTime
  #watch: NodeJS.Timeout | undefined

  constructor(idleTime: IdleTime = idleTimeOfMachine) {
    this.#idleTime = idleTime
  }

  /** Does in its turn what starts something. */
  async inTurn<T>(start: () => Promise<T>, { urgent, settled }: Turn<T> = {}): Promise<T> {
    await new Promise<void>((begin) => {
      if (urgent) this.#waiting.unshift(begin)
      else this.#waiting.push(begin)
      this.#serve()
    })
    const started = start()
    void started.then(settled).then(this.#end, this.#end)
    return started
  }

  readonly #end = (): void => {
    this.#running -= 1
    this.#serve()
  }

  #serve(): void {
    if (this.#running === 0) this.#next()
    if (this.#waiting.length === 0) this.#rest()
    else this.#look()
  }

  #next(): void {
    const begin = this.#waiting.shift()
    if (!begin) return
    this.#running += 1
    begin()
  }

  /** One more for each look that found something to spare. */
  #look(): void {
    if (this.#watch) return
    let before = { at: performance.now(), idle: this.#idleTime() }
    this.#watch = setInterval(() => {
      const now = { at: performance.now(), idle: this.#idleTime() }
      const passed = now.at - before.at
      const isLate = passed > every + slack
      if (!isLate && now.idle - before.idle >= needed * passed) this.#next()
      before = now
      if (this.#waiting.length === 0) this.#rest()
    }, every)
  }

  #rest(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }
}

/** Of every processor, also where this process may not use them all: what is late tells the rest. */
function idleTimeOfMachine(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}

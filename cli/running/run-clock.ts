/** When a run began and ended: by a clock that never jumps, whatever happens to that of the machine. */

/** Milliseconds by which the two clocks may differ; one is corrected all the time. */
const tolerated = 2000

export interface Span {
  readonly started: Date
  readonly finished: Date
  /** By how many milliseconds the clock of the machine jumped meanwhile, where it did. */
  readonly jump?: number
}

export interface Clocks {
  /** The clock of the machine, which may be set. */
  readonly wall: () => number
  readonly monotonic: () => number
}

const system: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() }

/** Milliseconds after which is looked again: a clock that was set may be set back before the end. */
const lookEvery = 1000

/** Begins now; what it returns ends it and tells the span. */
export function startClock({ wall, monotonic }: Clocks = system): () => Span {
  const [start, from] = [wall(), monotonic()]
  const now = (): number => Math.round(start + monotonic() - from)
  let jump = 0
  const look = (): void => {
    const found = Math.round(wall() - now())
    if (Math.abs(found) > Math.abs(jump)) jump = found
  }
  const looking = setInterval(look, lookEvery).unref()
  return () => {
    clearInterval(looking)
    look()
    return {
      started: new Date(start),
      finished: new Date(now()),
      ...(Math.abs(jump) > tolerated ? { jump } : {}),
    }
  }
}

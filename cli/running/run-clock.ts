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

/** Begins now; what it returns tells the span until it is called. */
export function startClock({ wall, monotonic }: Clocks = system): () => Span {
  const [start, from] = [wall(), monotonic()]
  return () => {
    const end = Math.round(start + monotonic() - from)
    const jump = Math.round(wall() - end)
    return {
      started: new Date(start),
      finished: new Date(end),
      ...(Math.abs(jump) > tolerated ? { jump } : {}),
    }
  }
}

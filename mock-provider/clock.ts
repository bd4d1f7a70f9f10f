/** A clock that can be moved forward, by which every lifetime of the provider is measured. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export interface MovableClock extends Clock {
  /** Moves time forward by `ms` milliseconds; everything the provider issued ages by as much. */
  advance(ms: number): void
}

/** Creates a clock that runs with `base` (the system's unless given) plus what it was advanced by. */
export function movableClock(base: Clock = Date): MovableClock {
  let offset = 0
  return {
    now: () => base.now() + offset,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError('time only moves forward')
      offset += ms
    },
  }
}

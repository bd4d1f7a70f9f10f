/** A clock that can be moved forward, by which every lifetime of the provider is measured. */
import { chain, type MaybePromise } from './maybe-promise.ts'
import type { Storage } from './storage.ts'

/** Tells the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** The clock of an issuer, which tests move instead of waiting. */
export interface MovableClock extends Clock {
  /**
   * Moves time forward by `ms` milliseconds; everything the provider issued ages by as much.
   * @throws RangeError for anything but a finite, non-negative number
   */
  advance(ms: number): void
}

/** The clock of one issuer: runs with its base plus an offset that all instances share. */
export interface SharedClock extends Clock {
  /** @throws RangeError for anything but a finite, non-negative number */
  advance(ms: number): MaybePromise<void>
  /** Learns by how much other instances moved the clock. */
  refresh(): MaybePromise<void>
}

/** Creates a clock whose offset is a record of the storage, once there is one. */
export function sharedClock(base: Clock): SharedClock & { share(storage: Storage): void } {
  let storage: Storage | undefined
  let offset = 0
  const learn = (record: unknown) => {
    offset = typeof record === 'number' ? record : 0
  }
  return {
    now: () => base.now() + offset,
    share: (shared) => void (storage = shared),
    refresh: () => chain(storage?.get('issuer', 'clock'), learn),
    advance(ms) {
      requireForward(ms)
      const add = (record: unknown) => (typeof record === 'number' ? record : 0) + ms
      return chain(storage?.update('issuer', 'clock', add), (before) => learn(add(before)))
    },
  }
}

/** @throws RangeError */
export function requireForward(ms: number): void {
  if (!Number.isFinite(ms) || ms < 0) throw new RangeError('time only moves forward')
}

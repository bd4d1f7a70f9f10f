/** Where everything is kept that the instances of one provider have in common: an interface of a few methods. */
import type { MaybePromise } from './maybe-promise.ts'

/**
 * Keeps records: JSON values that are never changed in place. A record is addressed by its
 * collection and its id, and may be forgotten when its lifetime is over.
 */
export interface Storage {
  /** Whether every method answers at once, so that the synchronous handles of a provider work. */
  readonly immediate: boolean
  /** The record, or undefined. */
  get(collection: string, id: string): MaybePromise<unknown>
  /** Writes a record that lives for `lifetime` milliseconds, for ever unless given. */
  set(collection: string, id: string, record: unknown, lifetime?: number): MaybePromise<void>
  /**
   * Changes a record atomically and returns what was there before; everything that must happen
   * exactly once rests on this. `change` may be called several times and returns the new record,
   * undefined to delete it, or what it was given to leave it alone. A record keeps its lifetime
   * unless another is given.
   */
  update(collection: string, id: string, change: Change, lifetime?: number): MaybePromise<unknown>
  /** Every record of a collection, oldest first where that is known. */
  list(collection: string): MaybePromise<readonly unknown[]>
  /** Forgets every record, of the collections whose names start with `prefix` if one is given. */
  clear(prefix?: string): MaybePromise<void>
  /** Ends connections and closes files. */
  close(): MaybePromise<void>
}

/** Thrown by `set` and `update` of a collection that may not forget anything before its time, and is full. */
export class StorageFullError extends Error {
  readonly code = 'storage_full'
  constructor(collection: string) {
    super(`${collection} holds as many records as it may`)
    this.name = 'StorageFullError'
  }
}

/** Makes a new record of the current one; called again where another instance was faster. */
export type Change = (current: unknown) => unknown

/** The value of a storage that answers at once. @throws TypeError for any other */
export function atOnce<T>(value: MaybePromise<T>): T {
  if (value instanceof Promise) throw new TypeError('this storage does not answer at once')
  return value
}

/** One kind of record in a storage, with its type. */
import type { MaybePromise } from './maybe-promise.ts'
import type { Storage } from './storage.ts'

export interface Collection<T> {
  get(id: string | undefined): MaybePromise<T | undefined>
  /** Writes a record that is kept for `lifetime` milliseconds, for ever unless given. */
  set(id: string, record: T, lifetime?: number): MaybePromise<void>
  /** Writes a record unless there is one; tells whether it did. Atomic. */
  add(id: string, record: T, lifetime?: number): Promise<boolean>
  /**
   * Changes a record, if there is one, and returns what was there before. Atomic: of several that
   * mark a record as used, one alone gets to see it unused.
   */
  update(id: string, change: (current: T) => T, lifetime?: number): MaybePromise<T | undefined>
  /** Removes a record and returns it. Atomic: one alone gets it. */
  take(id: string): MaybePromise<T | undefined>
  list(): MaybePromise<readonly T[]>
}

/** A collection holds what was written to it: records are not validated once more when they are read. */
export function collectionOf<T>(storage: Storage, name: string): Collection<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typed = (record: MaybePromise<unknown>) => record as MaybePromise<T | undefined>
  return {
    get: (id) => (id === undefined ? undefined : typed(storage.get(name, id))),
    set: (id, record, lifetime) => storage.set(name, id, record, lifetime),
    add: async (id, record, lifetime) =>
      (await storage.update(name, id, (current) => current ?? record, lifetime)) === undefined,
    update(id, change, lifetime) {
      const changed = (current: unknown) =>
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        current === undefined ? undefined : change(current as T)
      return typed(storage.update(name, id, changed, lifetime))
    },
    take: (id) => typed(storage.update(name, id, () => undefined)),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    list: () => storage.list(name) as MaybePromise<readonly T[]>,
  }
}

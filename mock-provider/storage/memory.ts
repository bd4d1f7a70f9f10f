/** The default storage: inside this process, bounded, gone with it. */
import type { Clock } from '../clock.ts'
import { limits, type Limits } from '../limits.ts'
import type { Storage } from './storage.ts'

export interface MemoryStorageOptions {
  /** By which lifetimes are measured. Default: the system's. */
  readonly clock?: Clock | undefined
  /** The most records that a collection keeps, by its name. */
  readonly limits?: Pick<Limits, 'records' | 'otherRecords'> | undefined
}

interface Entry {
  readonly record: unknown
  readonly expiresAt: number
}

/**
 * Creates an empty storage. A collection that exceeds its limit forgets its oldest records; each
 * write also forgets the oldest ones that have expired, so that memory follows what is alive.
 */
export function createMemoryStorage(options: MemoryStorageOptions = {}): Storage {
  const clock = options.clock ?? Date
  const { records, otherRecords } = options.limits ?? limits
  const mostOf = (collection: string) =>
    // a partition stands before the name
    records[collection.slice(collection.lastIndexOf('/') + 1)] ?? otherRecords
  const collections = new Map<string, Map<string, Entry>>()

  const entriesOf = (collection: string) => {
    const known = collections.get(collection)
    if (known) return known
    const entries = new Map<string, Entry>()
    collections.set(collection, entries)
    return entries
  }
  const find = (collection: string, id: string) => {
    const entry = collections.get(collection)?.get(id)
    return entry && clock.now() < entry.expiresAt ? entry : undefined
  }
  const write = (collection: string, id: string, entry: Entry) => {
    const entries = entriesOf(collection)
    entries.set(id, entry)
    trim(entries, mostOf(collection), clock.now())
  }

  return {
    immediate: true,
    get: (collection, id) => find(collection, id)?.record,
    set: (collection, id, record, lifetime = Infinity) =>
      write(collection, id, { record, expiresAt: clock.now() + lifetime }),
    update(collection, id, change, lifetime) {
      const before = find(collection, id)
      const record = change(before?.record)
      if (record === undefined) collections.get(collection)?.delete(id)
      else if (record !== before?.record) {
        const kept = lifetime === undefined ? before?.expiresAt : undefined
        const expiresAt = kept ?? clock.now() + (lifetime ?? Infinity)
        write(collection, id, { record, expiresAt })
      }
      return before?.record
    },
    list: (collection) =>
      [...entriesOf(collection).values()]
        .filter(({ expiresAt }) => clock.now() < expiresAt)
        .map(({ record }) => record),
    clear(prefix = '') {
      for (const name of collections.keys()) if (name.startsWith(prefix)) collections.delete(name)
    },
    close: () => collections.clear(),
  }
}

/** Forgets the oldest entries while there are too many of them, or while they have expired. */
function trim(entries: Map<string, Entry>, most: number, now: number): void {
  for (const [id, { expiresAt }] of entries) {
    if (entries.size <= most && now < expiresAt) return
    entries.delete(id)
  }
}

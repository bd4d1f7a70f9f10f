/** The default storage: inside this process, bounded, gone with it. */
import { AgingMap } from './bounded.ts'
import type { Clock } from './clock.ts'
import { limits, type Limits } from './limits.ts'
import { StorageFullError, type Storage } from './storage.ts'

/** How much is kept, and by which clock. */
export interface MemoryStorageOptions {
  /** By which lifetimes are measured. Default: the system's. */
  readonly clock?: Clock | undefined
  /** The most records that a collection keeps, by its name, and the most characters in all of them. */
  readonly limits?: Pick<Limits, 'records' | 'otherRecords' | 'collectionCharacters'> | undefined
}

/** Collections whose records protect somebody: a stranger who fills them must not make them forget. */
const unforgetting: readonly string[] = ['replays']
/** Milliseconds between two searches for what has expired in a collection that is full. */
const sweepEvery = 1000

interface Entry {
  readonly record: unknown
  readonly expiresAt: number
  readonly characters: number
}

/** A collection, and the most that it keeps. */
class Kept {
  readonly entries = new AgingMap<string, Entry>()
  readonly most: number
  readonly mostCharacters: number
  characters = 0
  sweptAt = -Infinity

  constructor(most: number, mostCharacters: number) {
    this.most = most
    this.mostCharacters = mostCharacters
  }

  set(id: string, record: unknown, expiresAt: number): void {
    const characters = id.length + charactersIn(record)
    this.characters += characters - (this.entries.get(id)?.characters ?? 0)
    this.entries.set(id, { record, expiresAt, characters })
  }

  delete(id: string): void {
    this.characters -= this.entries.get(id)?.characters ?? 0
    this.entries.delete(id)
  }

  get isTooLarge(): boolean {
    return (
      this.entries.size > this.most ||
      (this.characters > this.mostCharacters && this.entries.size > 1)
    )
  }
}

/** About as many characters as the JSON of a value has. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let sum = 2
  for (const [key, each] of Object.entries(value)) sum += key.length + 4 + charactersIn(each)
  return sum
}

/**
 * Creates an empty storage. A collection that exceeds its limit forgets its oldest records; each
 * write also forgets the oldest ones that have expired, so that memory follows what is alive.
 */
export function createMemoryStorage(options: MemoryStorageOptions = {}): Storage {
  const clock = options.clock ?? Date
  const { records, otherRecords, collectionCharacters } = options.limits ?? limits
  const mostOf = (collection: string) => records[nameOf(collection)] ?? otherRecords
  const collections = new Map<string, Kept>()

  const keptOf = (collection: string) => {
    const known = collections.get(collection)
    if (known) return known
    const kept = new Kept(mostOf(collection), collectionCharacters)
    collections.set(collection, kept)
    return kept
  }
  const find = (collection: string, id: string) => {
    const entry = collections.get(collection)?.entries.get(id)
    return entry && clock.now() < entry.expiresAt ? entry : undefined
  }
  const write = (collection: string, id: string, record: unknown, expiresAt: number) => {
    const kept = keptOf(collection)
    if (unforgetting.includes(nameOf(collection))) requireRoom(kept, collection, id, clock.now())
    kept.set(id, record, expiresAt)
    trim(kept, clock.now())
  }

  return {
    immediate: true,
    get: (collection, id) => find(collection, id)?.record,
    set: (collection, id, record, lifetime = Infinity) =>
      write(collection, id, record, clock.now() + lifetime),
    update(collection, id, change, lifetime) {
      const before = find(collection, id)
      const record = change(before?.record)
      if (record === undefined) collections.get(collection)?.delete(id)
      else if (record !== before?.record) {
        const kept = lifetime === undefined ? before?.expiresAt : undefined
        write(collection, id, record, kept ?? clock.now() + (lifetime ?? Infinity))
      }
      return before?.record
    },
    list: (collection) =>
      [...keptOf(collection).entries.values()]
        .filter(({ expiresAt }) => clock.now() < expiresAt)
        .map(({ record }) => record),
    clear(prefix = '') {
      for (const name of collections.keys()) if (name.startsWith(prefix)) collections.delete(name)
    },
    close: () => collections.clear(),
  }
}

/** A partition stands before the name. */
function nameOf(collection: string): string {
  return collection.slice(collection.lastIndexOf('/') + 1)
}

/** @throws {@link StorageFullError} where only what is still alive could make room */
function requireRoom(kept: Kept, collection: string, id: string, now: number): void {
  const { entries, most } = kept
  if (entries.size < most || entries.has(id)) return
  if (Math.abs(now - kept.sweptAt) >= sweepEvery) {
    kept.sweptAt = now
    for (const [each, { expiresAt }] of entries) if (now >= expiresAt) kept.delete(each)
  }
  if (entries.size >= most) throw new StorageFullError(collection)
}

/** Forgets the oldest entries while there are too many of them, or while they have expired. */
function trim(kept: Kept, now: number): void {
  const { entries } = kept
  for (let id = entries.oldest(); id !== undefined; id = entries.oldest()) {
    const expired = now >= (entries.get(id)?.expiresAt ?? 0)
    if (!kept.isTooLarge && !expired) return
    kept.delete(id)
  }
}

/** A part of a storage, so that several issuers can share one without seeing each other's records. */
import type { Storage } from './storage.ts'

/** The part with this name. Closing it closes nothing: the whole belongs to somebody else. */
export function partition(storage: Storage, name: string): Storage {
  const start = `${encodeURIComponent(name)}/`
  return {
    immediate: storage.immediate,
    get: (collection, id) => storage.get(start + collection, id),
    set: (collection, id, record, lifetime) =>
      storage.set(start + collection, id, record, lifetime),
    update: (collection, id, change, lifetime) =>
      storage.update(start + collection, id, change, lifetime),
    list: (collection) => storage.list(start + collection),
    clear: (prefix = '') => storage.clear(start + prefix),
    close: () => undefined,
  }
}

/** Remembers what may be presented once only, for as long as it would be accepted (RFC 7523 §3, RFC 9449 §11.1). */
import { createHash } from 'node:crypto'
import { BoundedMap } from './bounded.ts'
import { limits } from './limits.ts'

export interface Replays {
  /** Tells whether this comes for the first time; times are in milliseconds. */
  first(id: string, expiresAt: number, now: number): boolean
}

/** Creates an empty memory, bounded by `limits.replays`. */
export function createReplays(): Replays {
  const seen = new BoundedMap<string, number>(limits.replays)
  return {
    first(id, expiresAt, now) {
      // of a fixed size, whatever a stranger sends
      const key = createHash('sha256').update(id).digest('base64url')
      if ((seen.get(key) ?? 0) > now) return false
      seen.delete(key)
      seen.set(key, expiresAt)
      return true
    },
  }
}

/** Unguessable values: opaque, at least 160 bits (RFC 6749 §10.10), with a prefix that tells what they are. */
import { createHash, randomBytes } from 'node:crypto'

/** Returns that many random bytes. Inject a seeded one to make a run reproducible. */
export type RandomBytes = (size: number) => Uint8Array

/** The system's source. It is asked for many bytes at a time: a few cost as much as thousands. */
export function systemRandom(): RandomBytes {
  let rest = Buffer.alloc(0)
  return (size) => {
    if (rest.length < size) rest = randomBytes(Math.max(size, 4096))
    const bytes = rest.subarray(0, size)
    rest = rest.subarray(size)
    return bytes
  }
}

/** A source that returns the same bytes in the same order for the same seed: for reproducible runs only. */
export function seededRandom(seed: string): RandomBytes {
  let block = 0
  let rest = Buffer.alloc(0)
  return (size) => {
    while (rest.length < size) {
      const next = createHash('sha256').update(`${block++} ${seed}`).digest()
      rest = Buffer.concat([rest, next])
    }
    const bytes = rest.subarray(0, size)
    rest = rest.subarray(size)
    return bytes
  }
}

/** Returns `prefix` followed by 192 random bits in the base64url alphabet. */
export type Opaque = (prefix: string) => string

export function opaqueValues(random: RandomBytes): Opaque {
  return (prefix) => prefix + Buffer.from(random(24)).toString('base64url')
}

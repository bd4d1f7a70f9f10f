/** Unguessable values: opaque, at least 160 bits (RFC 6749 §10.10), with a prefix that tells what they are. */
import { randomBytes } from 'node:crypto'

/** Returns that many random bytes. Inject a seeded one to make a run reproducible. */
export type RandomBytes = (size: number) => Uint8Array

export const systemRandom: RandomBytes = (size) => randomBytes(size)

/** Returns `prefix` followed by 192 random bits in the base64url alphabet. */
export type Opaque = (prefix: string) => string

export function opaqueValues(random: RandomBytes): Opaque {
  return (prefix) => prefix + Buffer.from(random(24)).toString('base64url')
}

/** Compares secrets in a time that does not tell where they differ. */
import { hash, timingSafeEqual } from 'node:crypto'

/** Tells whether two secrets are the same. The digests have one length, whatever is presented. */
export function sameSecret(presented: string, expected: string): boolean {
  return timingSafeEqual(digest(presented), digest(expected))
}

const digest = (secret: string) => hash('sha256', secret, 'buffer')

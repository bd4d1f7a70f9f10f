/** The nonces that a provider demands in DPoP proofs (RFC 9449 §8): made from the time, so none is stored. */
import { createHmac, type KeyObject } from 'node:crypto'
import { sameSecret } from '../crypto/same-secret.ts'
import type { Clock } from '../storage/clock.ts'

export interface Nonces {
  current(): string
  /** Tells whether this is the current nonce or the one before. */
  accepts(nonce: unknown): boolean
}

/** Milliseconds after which there is another nonce. */
const period = 300_000

/** Creates the nonces of the provider that has this signing key; instances that share it accept each other's. */
export function createNonces(signingKey: KeyObject, clock: Clock): Nonces {
  const key = signingKey.export({ format: 'der', type: 'pkcs8' })
  const nonceOf = (slot: number) =>
    createHmac('sha256', key).update(`DPoP nonce ${slot}`).digest('base64url')
  const slot = () => Math.floor(clock.now() / period)
  return {
    current: () => nonceOf(slot()),
    accepts: (nonce) =>
      typeof nonce === 'string' &&
      [slot(), slot() - 1].some((each) => sameSecret(nonce, nonceOf(each))),
  }
}

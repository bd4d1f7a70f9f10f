/** Keys that certifications are signed with: Ed25519 or ECDSA P-256 (ES256), as PEM, JWK or JWK Set. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import { z } from 'zod'

/** Ed25519, or ECDSA with P-256 and SHA-256 (RFC 7518 §3.4). */
export type KeyType = 'ed25519' | 'es256'

/** A key that cannot be read or used; the message never holds a part of it. */
export class KeyError extends Error {
  readonly code = 'invalid_key'
  constructor(message: string) {
    super(message)
    this.name = 'KeyError'
  }
}

/** A pair of keys to sign with. */
export interface KeyPair {
  /** PKCS #8, PEM. */
  readonly privateKey: string
  /** SPKI, PEM. */
  readonly publicKey: string
}

/** Makes a new pair of keys to sign with. */
export function generateKeys(type: KeyType): KeyPair {
  const { privateKey, publicKey } =
    type === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

/** Reads a private key, PEM or JWK. @throws {@link KeyError} */
export function readPrivateKey(text: string): KeyObject {
  return usable(() => createPrivateKey(inputOf(text)), 'a private key, PEM or JWK')
}

/**
 * Reads one public key (PEM or JWK) or a JWK Set. Of a set, keys that are for something else, no longer valid or of an
 * unknown type are left out. A private key has no place at a verifier and is refused.
 * @throws {@link KeyError}
 */
export function readPublicKeys(text: string, now = new Date()): KeyObject[] {
  const set = keySet.safeParse(parseJson(text))
  if (!set.success) {
    const input = inputOf(text)
    const why = typeof input === 'string' ? undefined : unfit(input.key, now)
    if (why !== undefined) throw new KeyError(`the key ${why}`)
    return [publicKey(input)]
  }
  if (set.data.keys.length > mostKeys) throw new KeyError(`the set has more than ${mostKeys} keys`)
  const found = set.data.keys.map((key) => readFit(key, now))
  const keys = found.filter((each) => typeof each !== 'string')
  if (keys.length > 0) return keys
  const reasons = [...new Set(found.filter((each) => typeof each === 'string'))]
  throw new KeyError(`no key of the set can be used: one ${reasons.join(', one ')}`)
}

/** More keys than a signer has; each is tried on each signature. */
const mostKeys = 100

/** A key of a set, or why it is left out. */
function readFit(key: JsonWebKey, now: Date): KeyObject | string {
  requirePublic(jwkInput(key))
  const why = unfit(key, now)
  if (why !== undefined) return why
  try {
    return publicKey(jwkInput(key))
  } catch {
    return `is of type ${JSON.stringify(key.kty).slice(0, 40)}, which is not used here, or broken`
  }
}

/** What a JWK says of itself (RFC 7517 §4, RFC 7518 §6.2.1; `exp` and `revoked` as in OpenID Federation 1.0 §8.7). */
function unfit(key: JsonWebKey, now: Date): string | undefined {
  const { use, key_ops: operations, alg, exp, nbf, revoked } = key as Record<string, unknown>
  const seconds = now.getTime() / 1000
  if (use !== undefined && use !== 'sig') return 'is for another use'
  if (Array.isArray(operations) && !operations.includes('verify')) return 'is for another use'
  const algorithms = key.kty === 'OKP' ? ['EdDSA', 'Ed25519'] : ['ES256']
  if (alg !== undefined && !algorithms.some((each) => each === alg))
    return 'is for another algorithm'
  if (revoked !== undefined && revoked !== false && revoked !== null) return 'is revoked'
  if (exp !== undefined && !(typeof exp === 'number' && exp > seconds)) return 'has expired'
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= seconds)) return 'is not valid yet'
  return undefined
}

function publicKey(input: KeyInput): KeyObject {
  requirePublic(input)
  return usable(() => createPublicKey(input), 'a public key, PEM, JWK or JWK Set')
}

function requirePublic(input: KeyInput): void {
  if (typeof input === 'string' ? input.includes('PRIVATE KEY') : 'd' in input.key) {
    throw new KeyError('it is a private key; give the public one')
  }
}

/** The JWK thumbprint (RFC 7638, SHA-256) of a key, which is that of its public half. */
export async function keyId(key: KeyObject): Promise<string> {
  return calculateJwkThumbprint(await exportJWK(publicHalf(key)))
}

/** The public key as a JWK with its id, for a JWK Set. */
export async function publicJwk(key: KeyObject): Promise<Record<string, unknown>> {
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256'
  return { ...(await exportJWK(publicHalf(key))), kid: await keyId(key), alg, use: 'sig' }
}

function publicHalf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key
}

const jwk = z.looseObject({ kty: z.string() })
const keySet = z.object({ keys: z.array(jwk).min(1) })

type KeyInput = string | { readonly key: JsonWebKey; readonly format: 'jwk' }

function inputOf(text: string): KeyInput {
  const found = jwk.safeParse(parseJson(text))
  return found.success ? jwkInput(found.data) : text
}

function jwkInput(key: JsonWebKey): { readonly key: JsonWebKey; readonly format: 'jwk' } {
  return { key, format: 'jwk' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function usable(read: () => KeyObject, expected: string): KeyObject {
  const key = tryTo(read, expected)
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'ed25519' || (type === 'ec' && details?.namedCurve === 'prime256v1')) return key
  const found = [type, details?.namedCurve].filter(Boolean).join(' ')
  throw new KeyError(`expected an Ed25519 or P-256 (ES256) key, found ${found}`)
}

/** What Node says of a key that it cannot read might quote it. */
function tryTo(read: () => KeyObject, expected: string): KeyObject {
  try {
    return read()
  } catch {
    throw new KeyError(`expected ${expected}`)
  }
}

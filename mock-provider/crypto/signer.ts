/** Signs JSON Web Tokens with one of the provider's keys (RFC 7515, RFC 7518 §3.1, RFC 8037 §3.1). */
import {
  createHash,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  hash,
  sign,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { MaybePromise } from '../storage/maybe-promise.ts'

/** Algorithms by which the provider signs; OpenID Connect Discovery §3 demands the first. */
export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const

/** An algorithm by which the provider signs. */
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

export interface Signer {
  readonly algorithm: SigningAlgorithm
  /** The public key (RFC 7517 §4). */
  readonly jwk: Readonly<Record<string, unknown>>
  /** Returns the claims as a signed token of this `typ`. */
  sign(type: 'JWT' | 'at+jwt', claims: Readonly<Record<string, unknown>>): string
}

/** RFC 7518 §3.3: a key of 2048 bits or larger must be used. */
const modulusLength = 2048

/** A new private key. One for RS256 takes a while, in which others are served. */
export function generateSigningKey(algorithm: 'ES256' | 'EdDSA'): KeyObject
export function generateSigningKey(algorithm: SigningAlgorithm): MaybePromise<KeyObject>
export function generateSigningKey(algorithm: SigningAlgorithm): MaybePromise<KeyObject> {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519').privateKey
  return promisify(generateKeyPair)('rsa', { modulusLength }).then(({ privateKey }) => privateKey)
}

/** The algorithm that a private key is for. @throws TypeError for a key that is for none of ours */
export function algorithmOf(key: KeyObject): SigningAlgorithm {
  const { asymmetricKeyType, asymmetricKeyDetails, type } = key
  if (type === 'private') {
    if (asymmetricKeyType === 'ed25519') return 'EdDSA'
    if (asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
    const isLong = (asymmetricKeyDetails?.modulusLength ?? 0) >= modulusLength
    if (asymmetricKeyType === 'rsa' && isLong) return 'RS256'
  }
  throw new TypeError(
    'a signing key must be a private key: RSA of 2048 bits or more, EC P-256 or Ed25519',
  )
}

/** RFC 7638 §3.2, RFC 8037 §2: the required members in lexicographic order. */
const required = {
  RS256: ['e', 'kty', 'n'],
  ES256: ['crv', 'kty', 'x', 'y'],
  EdDSA: ['crv', 'kty', 'x'],
} as const

/** Creates a signer; `node:crypto` signs synchronously, which keeps the token endpoint atomic. */
export function createSigner(privateKey: KeyObject): Signer {
  const algorithm = algorithmOf(privateKey)
  const exported = createPublicKey(privateKey).export({ format: 'jwk' })
  const members = Object.fromEntries(required[algorithm].map((name) => [name, exported[name]]))
  const kid = createHash('sha256').update(JSON.stringify(members)).digest('base64url')
  const headerOf = (typ: string) => encode({ alg: algorithm, typ, kid })
  const headers = { JWT: headerOf('JWT'), 'at+jwt': headerOf('at+jwt') }
  const digest = algorithm === 'EdDSA' ? null : 'sha256'
  return {
    algorithm,
    jwk: { ...members, kid, use: 'sig', alg: algorithm },
    sign(typ, claims) {
      const input = `${headers[typ]}.${encode(claims)}`
      // of no meaning for the other algorithms
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
      return `${input}.${sign(digest, Buffer.from(input), key).toString('base64url')}`
    },
  }
}

/**
 * The left half of the hash of a value, by which an ID token names it: `at_hash`, `c_hash`
 * (OpenID Connect Core §3.1.3.6, §3.3.2.11). Ed25519 hashes with SHA-512 (RFC 8032 §5.1).
 */
export function halfHash(value: string, algorithm: SigningAlgorithm): string {
  const whole = hash(algorithm === 'EdDSA' ? 'sha512' : 'sha256', value, 'buffer')
  return whole.subarray(0, whole.length / 2).toString('base64url')
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

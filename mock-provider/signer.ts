/** Signs JSON Web Tokens with the provider's ES256 key (RFC 7515, RFC 7518 §3.4). */
import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import { chain, type MaybePromise } from './maybe-promise.ts'
import type { RandomBytes } from './random.ts'
import type { Storage } from './storage/storage.ts'

export interface Signer {
  /** The public key set (RFC 7517 §5). */
  readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] }
  /** Returns the claims as a signed token of this `typ`. */
  sign(type: 'JWT' | 'at+jwt', claims: Readonly<Record<string, unknown>>): string
}

/** A new private key for ES256. */
export function generateSigningKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

/** The private key for ES256 that a random source makes: the same for the same seed. */
export function signingKeyFrom(random: RandomBytes): KeyObject {
  const pair = createECDH('prime256v1')
  const d = Buffer.from(random(32))
  pair.setPrivateKey(d)
  // SEC 1 §2.3.3: an uncompressed point is 4, x, y
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const encoded = (bytes: Buffer) => bytes.toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', d: encoded(d), x: encoded(x), y: encoded(y) }
  return createPrivateKey({ key, format: 'jwk' })
}

/**
 * The key of an issuer: the one that was given, otherwise one that all instances share. The first
 * instance makes it.
 */
export function sharedKey(
  storage: Storage,
  { signingKey }: { readonly signingKey: KeyObject | undefined },
): MaybePromise<KeyObject> {
  if (signingKey) return signingKey
  const made = generateSigningKey()
  const pem = made.export({ type: 'pkcs8', format: 'pem' })
  return chain(
    storage.update('issuer', 'key', (known) => known ?? pem),
    (known) => (typeof known === 'string' ? createPrivateKey(known) : made),
  )
}

/** Creates a signer; `node:crypto` signs synchronously, which keeps the token endpoint atomic. */
export function createSigner(privateKey: KeyObject): Signer {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  // RFC 7638 §3: the required members in lexicographic order
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  const headerOf = (typ: string) => encode({ alg: 'ES256', typ, kid })
  const headers = { JWT: headerOf('JWT'), 'at+jwt': headerOf('at+jwt') }
  return {
    jwks: { keys: [{ kty, crv, x, y, kid, use: 'sig', alg: 'ES256' }] },
    sign(typ, claims) {
      const input = `${headers[typ]}.${encode(claims)}`
      const signature = sign('sha256', Buffer.from(input), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${input}.${signature.toString('base64url')}`
    },
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

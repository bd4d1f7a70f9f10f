/** JSON Web Tokens signed by whoever sends them, with a key that a header can talk a server into. */

import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPair,
  sign,
  webcrypto,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'

const makePair = promisify(generateKeyPair)

/** Makes the keys of an algorithm, and signs with them (RFC 7518 §3.1, RFC 8037 §3.1). */
const algorithms = {
  RS256: {
    type: 'rsa',
    make: () => makePair('rsa', { modulusLength: 2048 }),
    sign: (data: Buffer, key: KeyObject) => sign('sha256', data, key),
    web: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  },
  ES256: {
    type: 'ec',
    make: () => makePair('ec', { namedCurve: 'P-256' }),
    sign: (data: Buffer, key: KeyObject) =>
      sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
    web: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  },
  EdDSA: {
    type: 'ed25519',
    make: () => makePair('ed25519'),
    sign: (data: Buffer, key: KeyObject) => sign(null, data, key),
    web: { name: 'Ed25519' },
  },
} as const

/** Keys of every algorithm that a token may be signed with. */
export async function makeSigningKeys(): Promise<readonly KeyObject[]> {
  const made = await Promise.all(Object.values(algorithms).map(({ make }) => make()))
  return made.map(({ privateKey }) => privateKey)
}

/**
 * In which form a token is made with a key that everybody has: the public key of the issuer as the secret of a MAC, as
 * libraries hold it, a secret of no bytes or of zeros, as settings that were forgotten hold it (RFC 8725 §2.1, §3.1,
 * §3.5), or a key of the sender's own that stands in the header, as it is or in a certificate (RFC 7515 §4.1.3, §4.1.6,
 * RFC 9068 §4).
 */
export type KeyForm = SecretForm | 'jwk' | 'x5c'

type SecretForm = 'pem' | 'trimmed-pem' | 'der' | 'empty' | 'zeros'

const secretIn: Readonly<Record<SecretForm, (known: KeyObject) => string | Buffer>> = {
  pem: pemOf,
  'trimmed-pem': (known) => pemOf(known).trim(),
  der: (known) => known.export({ type: 'spki', format: 'der' }),
  empty: () => '',
  // The length that HS256 asks for (RFC 7518 §3.2).
  zeros: () => Buffer.alloc(32),
}

/** The claims of a token by one of the keys, sealed by its sender. */
export async function forgedBy(
  form: KeyForm,
  token: string,
  keys: readonly KeyObject[],
): Promise<string> {
  const algorithm = algorithmOf(token)
  if (form === 'jwk' || form === 'x5c') {
    const { publicKey, privateKey } = await algorithm.make()
    const shown =
      form === 'jwk'
        ? { jwk: publicKey.export({ format: 'jwk' }) }
        : { x5c: [await certificateOf(privateKey, algorithm)] }
    return resigned(token, shown, (data) => algorithm.sign(data, privateKey))
  }
  const secret = secretIn[form](createPublicKey(keyFor(algorithm, keys)))
  return resigned(token, { alg: 'HS256' }, (data) =>
    createHmac('sha256', secret).update(data).digest(),
  )
}

/** The same token, signed by one of these keys, which its header says where to find (RFC 7515 §4.1.2, RFC 8725 §3.10). */
export function signedByKeysAt(jku: string, token: string, keys: readonly KeyObject[]): string {
  const algorithm = algorithmOf(token)
  const key = keyFor(algorithm, keys)
  return resigned(token, { jku }, (data) => algorithm.sign(data, key))
}

/** How a sender signs for the header alone, whatever the issuer signs with. */
const chosen = {
  ES256: algorithms.ES256,
  PS256: {
    make: algorithms.RS256.make,
    sign: (data: Buffer, key: KeyObject) =>
      sign('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
  },
  // No algorithm has that name.
  XS256: algorithms.RS256,
} as const

/** The same token, signed by a new key and by that algorithm, as its header says (RFC 8725 §3.1). */
export async function signedBySender(alg: keyof typeof chosen, token: string): Promise<string> {
  const { make, sign: seal } = chosen[alg]
  const { privateKey } = await make()
  return resigned(token, { alg }, (data) => seal(data, privateKey))
}

type Algorithm = (typeof algorithms)[keyof typeof algorithms]

function keyFor({ type }: Algorithm, keys: readonly KeyObject[]): KeyObject {
  const key = keys.find(({ asymmetricKeyType }) => asymmetricKeyType === type)
  if (!key) throw new TypeError(`no key of the run is one for ${type}`)
  return key
}

/** A certificate by which the key vouches for itself, in base64. */
async function certificateOf(key: KeyObject, { web }: Algorithm): Promise<string> {
  // Only where it is used: tables of scenarios name the forms, and need no certificates.
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  const { subtle } = webcrypto
  const [privateKey, publicKey] = await Promise.all([
    subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), web, true, ['sign']),
    subtle.importKey(
      'spki',
      createPublicKey(key).export({ type: 'spki', format: 'der' }),
      web,
      true,
      ['verify'],
    ),
  ])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=tokens.example',
    keys: { privateKey, publicKey },
    signingAlgorithm: web,
  })
  return Buffer.from(certificate.rawData).toString('base64')
}

function pemOf(known: KeyObject): string {
  return known.export({ type: 'spki', format: 'pem' }).toString()
}

function headerOf(token: string): Readonly<Record<string, unknown>> {
  const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  return { ...(header as object) }
}

function algorithmOf(token: string): Algorithm {
  const { alg } = headerOf(token)
  const found = Object.entries(algorithms).find(([name]) => name === alg)
  if (!found) throw new TypeError(`no token of the run is signed by ${String(alg)}`)
  return found[1]
}

/** The claims of a token, with these in place of its own. */
export function withClaims(payload: string, changes: object): string {
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return Buffer.from(JSON.stringify({ ...(claims as object), ...changes })).toString('base64url')
}

/** Header and claims of a token, with these members of the header. */
export function withHeader(token: string, changes: object): string {
  const header = Buffer.from(JSON.stringify({ ...headerOf(token), ...changes }))
  return `${header.toString('base64url')}.${token.split('.')[1]}`
}

function resigned(token: string, changes: object, sealed: (data: Buffer) => Buffer): string {
  const signed = withHeader(token, changes)
  return `${signed}.${sealed(Buffer.from(signed)).toString('base64url')}`
}

/** JSON Web Tokens signed by whoever sends them, with a key that a header can talk a server into. */

import { createHmac, createPublicKey, generateKeyPair, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

const makePair = promisify(generateKeyPair)

/** Makes the keys of an algorithm, and signs with them (RFC 7518 §3.1, RFC 8037 §3.1). */
const algorithms = {
  RS256: {
    type: 'rsa',
    make: () => makePair('rsa', { modulusLength: 2048 }),
    sign: (data: Buffer, key: KeyObject) => sign('sha256', data, key),
  },
  ES256: {
    type: 'ec',
    make: () => makePair('ec', { namedCurve: 'P-256' }),
    sign: (data: Buffer, key: KeyObject) =>
      sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  },
  EdDSA: {
    type: 'ed25519',
    make: () => makePair('ed25519'),
    sign: (data: Buffer, key: KeyObject) => sign(null, data, key),
  },
} as const

/**
 * A key that everybody has, and the forms in which a token is made with it: the public key of the issuer as the secret of
 * a MAC, as libraries hold it (RFC 8725 §2.1, §3.1), or a key of the sender's own that stands in the header (RFC 7515
 * §4.1.3, RFC 9068 §4).
 */
export const senderKeys = {
  'public-key': ['pem', 'trimmed-pem', 'der'],
  'key-in-header': ['jwk'],
} as const

export type SenderKey = keyof typeof senderKeys
export type KeyForm = (typeof senderKeys)[SenderKey][number]

type SecretForm = (typeof senderKeys)['public-key'][number]

const secretIn: Readonly<Record<SecretForm, (known: KeyObject) => string | Buffer>> = {
  pem: pemOf,
  'trimmed-pem': (known) => pemOf(known).trim(),
  der: (known) => known.export({ type: 'spki', format: 'der' }),
}

/** The claims of a token by one of the keys, sealed by its sender. */
export async function forgedBy(
  form: KeyForm,
  token: string,
  keys: readonly KeyObject[],
): Promise<string> {
  const algorithm = algorithmOf(token)
  if (form === 'jwk') {
    const { publicKey, privateKey } = await algorithm.make()
    const jwk = publicKey.export({ format: 'jwk' })
    return resigned(token, { jwk }, (data) => algorithm.sign(data, privateKey))
  }
  const { type } = algorithm
  const key = keys.find(({ asymmetricKeyType }) => asymmetricKeyType === type)
  if (!key) throw new TypeError(`no key of the run is one for ${type}`)
  const secret = secretIn[form](createPublicKey(key))
  return resigned(token, { alg: 'HS256' }, (data) =>
    createHmac('sha256', secret).update(data).digest(),
  )
}

function pemOf(known: KeyObject): string {
  return known.export({ type: 'spki', format: 'pem' }).toString()
}

function headerOf(token: string): Readonly<Record<string, unknown>> {
  const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  return { ...(header as object) }
}

function algorithmOf(token: string) {
  const { alg } = headerOf(token)
  const found = Object.entries(algorithms).find(([name]) => name === alg)
  if (!found) throw new TypeError(`no token of the run is signed by ${String(alg)}`)
  return found[1]
}

function resigned(token: string, changes: object, sealed: (data: Buffer) => Buffer): string {
  const header = Buffer.from(JSON.stringify({ ...headerOf(token), ...changes }))
  const signed = `${header.toString('base64url')}.${token.split('.')[1]}`
  return `${signed}.${sealed(Buffer.from(signed)).toString('base64url')}`
}

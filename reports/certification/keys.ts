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
 * Reads one public key (PEM or JWK) or a JWK Set. A private key has no place at a verifier and is refused.
 * @throws {@link KeyError}
 */
export function readPublicKeys(text: string): KeyObject[] {
  const set = keySet.safeParse(parseJson(text))
  const inputs = set.success ? set.data.keys.map(jwkInput) : [inputOf(text)]
  return inputs.map((input) => {
    if (typeof input === 'string' ? input.includes('PRIVATE KEY') : 'd' in input.key) {
      throw new KeyError('it is a private key; give the public one')
    }
    return usable(() => createPublicKey(input), 'a public key, PEM, JWK or JWK Set')
  })
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

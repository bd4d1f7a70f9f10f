/** Faults of the issuer's key set, and of the signatures and claims of its ID tokens. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { decodeJwt } from '../crypto/decode-jwt.ts'
import {
  createSigner,
  generateSigningKey,
  type Signer,
  type SigningAlgorithm,
} from '../crypto/signer.ts'
import { json, text, type Reply } from '../http/reply.ts'
import type { Fault, FaultTable, Situation } from './fault.ts'

type Claims = Readonly<Record<string, unknown>>

const unpublishedKeys = new Map<SigningAlgorithm, Signer>()

/** A key that is published nowhere; made once, because one for RS256 takes its time. */
function unpublished(algorithm: SigningAlgorithm): Signer {
  const known = unpublishedKeys.get(algorithm)
  if (known) return known
  const key =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : generateSigningKey(algorithm)
  const made = createSigner(key)
  unpublishedKeys.set(algorithm, made)
  return made
}

const servingKeys = (
  description: string,
  change: (keys: readonly Claims[]) => readonly object[],
): Fault => ({
  endpoint: 'jwks',
  description,
  section: 'RFC 7517 §5',
  alter: (reply) => {
    const keys = reply.json?.['keys']
    return { ...reply, json: { keys: change(Array.isArray(keys) ? keys : []) } }
  },
})

/** Replaces the ID token of a token response, if it has one. */
const resigning = (
  description: string,
  section: string,
  resign: (claims: Claims, signer: Signer, situation: Situation) => string,
): Fault => ({
  endpoint: 'token',
  description,
  section,
  alter(reply: Reply, situation) {
    const idToken = reply.json?.['id_token']
    const decoded = typeof idToken === 'string' ? decodeJwt(idToken) : undefined
    if (!decoded) return reply
    // we signed it ourselves
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const signer = situation.signer(decoded.header['alg'] as SigningAlgorithm)
    const resigned = resign(decoded.claims, signer, situation)
    return { ...reply, json: { ...reply.json, id_token: resigned } }
  },
})

/** Signs changed claims with the right key. */
const claiming = (description: string, section: string, change: (situation: Situation) => Claims) =>
  resigning(description, section, (claims, signer, situation) =>
    signer.sign('JWT', { ...claims, ...change(situation) }),
  )

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const keysFaults = {
  'jwks-unknown-kid': servingKeys('names its keys otherwise than its tokens do', (keys) =>
    keys.map((key, index) => ({ ...key, kid: `another-kid-${index + 1}` })),
  ),
  'jwks-stale': servingKeys('serves a key set that lacks the current keys', () => [
    unpublished('ES256').jwk,
  ]),
  'jwks-empty': servingKeys('serves a key set without keys', () => []),
  'jwks-error-500': {
    endpoint: 'jwks',
    description: 'fails with 500',
    section: 'RFC 9110 §15.6.1',
    answer: () => text('The mock provider was told to fail', 'text/plain', 500),
  },
  'jwks-hang': {
    endpoint: 'jwks',
    description: 'holds the request back until it is released',
    hold: true,
  },
  'jwks-html': {
    endpoint: 'jwks',
    description: 'answers 200 with an HTML page',
    section: 'RFC 7517 §8.5.2',
    answer: () => text('<!doctype html><title>Maintenance</title>', 'text/html'),
  },
  'jwks-not-found': {
    endpoint: 'jwks',
    description: 'has no key set where the metadata says',
    section: 'RFC 8414 §2',
    answer: () => json({ error: 'not_found' }, 404),
  },

  'token-id-token-unknown-kid': resigning(
    'signs the ID token with a key that it does not publish',
    'RFC 7515 §4.1.4',
    (claims, { algorithm }) => unpublished(algorithm).sign('JWT', claims),
  ),
  'token-id-token-wrong-signature': resigning(
    'signs the ID token with another key under the same kid',
    'RFC 7515 §5.2',
    (claims, signer) => {
      const [header] = signer.sign('JWT', claims).split('.')
      const [, payload, signature] = unpublished(signer.algorithm).sign('JWT', claims).split('.')
      return `${header}.${payload}.${signature}`
    },
  ),
  'token-id-token-alg-none': resigning(
    'sends an ID token with the algorithm none and no signature',
    'RFC 8725 §3.1',
    (claims) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`,
  ),
  'token-id-token-alg-swapped': resigning(
    'signs the ID token with HS256, keyed by its own public key',
    'RFC 8725 §2.1',
    (claims, { jwk }) => {
      const input = `${encode({ alg: 'HS256', typ: 'JWT', kid: jwk['kid'] })}.${encode(claims)}`
      const signature = createHmac('sha256', JSON.stringify(jwk)).update(input).digest('base64url')
      return `${input}.${signature}`
    },
  ),
  'token-id-token-issuer-wrong': claiming(
    'names another issuer in the ID token (value: that issuer)',
    'OpenID Connect Core §3.1.3.7',
    ({ value }) => ({ iss: value ?? 'https://another-issuer.example' }),
  ),
  'token-id-token-audience-wrong': claiming(
    'issues an ID token for another client (value: its client id)',
    'OpenID Connect Core §3.1.3.7',
    ({ value }) => ({ aud: value ?? 'another-client' }),
  ),
  'token-id-token-nonce-wrong': claiming(
    'returns another nonce in the ID token',
    'OpenID Connect Core §3.1.3.7',
    ({ opaque }) => ({ nonce: opaque('') }),
  ),
  'token-id-token-expired': claiming(
    'issues an ID token that has expired',
    'OpenID Connect Core §3.1.3.7',
    () => ({ iat: 1_000_000_000, exp: 1_000_003_600 }),
  ),
} as const satisfies FaultTable

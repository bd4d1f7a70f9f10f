import { generateKeyPairSync } from 'node:crypto'
import { importJWK, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import { createMockProvider } from '../provider/provider.ts'
import { members } from '../testing.ts'
import { seededRandom } from './random.ts'
import { seededKey } from './seeded-keys.ts'
import { algorithmOf, createSigner, signingAlgorithms } from './signer.ts'

describe.each(signingAlgorithms)('a key for %s that is made from a seed', (algorithm) => {
  test('is the same for the same seed, another for another, and signs', async () => {
    const keyOf = (seed: string) => createSigner(seededKey(algorithm, seededRandom(seed)))
    const signer = keyOf('one')
    expect(keyOf('one').jwk).toEqual(signer.jwk)
    expect(keyOf('two').jwk).not.toEqual(signer.jwk)
    expect(signer.algorithm).toBe(algorithm)
    const key = await importJWK({ ...signer.jwk })
    const { payload } = await jwtVerify(signer.sign('JWT', { sub: 'a' }), key)
    expect(payload.sub).toBe('a')
  })
})

test.each([
  ['a short RSA key', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey],
  ['another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['a public key', generateKeyPairSync('ed25519').publicKey],
])('%s is refused', (_, key) => {
  expect(() => algorithmOf(key)).toThrow('must be a private key')
})

test('an issuer publishes the keys that it was given, and makes the others', async () => {
  const ed = generateKeyPairSync('ed25519').privateKey
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const provider = createMockProvider({ signingKey: [ed, ec] })
  const { keys } = await members<JSONWebKeySet>(provider.app.request('/jwks'))
  expect(keys.map(({ alg }) => alg)).toEqual(signingAlgorithms)
  expect(keys.slice(1)).toEqual([createSigner(ec).jwk, createSigner(ed).jwk])
  expect(() => createMockProvider({ signingKey: [ed, ed] })).toThrow('two signing keys')
})

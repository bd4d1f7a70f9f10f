/** Keys that are not to be used. */

import { describe, expect, test } from 'vitest'
import { generateKeys, publicJwk, readPrivateKey, readPublicKeys } from '../../reports/index.ts'
import { key, refuses, type Loose } from './bundle.ts'

describe('keys of a JWK Set', () => {
  const set = (...keys: readonly object[]): string => JSON.stringify({ keys })

  test.each<[string, Loose]>([
    ['for another use', { use: 'enc' }],
    ['that do not verify', { key_ops: ['sign'] }],
    ['for another algorithm', { alg: 'RS256' }],
    ['that are revoked', { revoked: { revoked_at: 1 } }],
    ['that have expired', { exp: 1 }],
    ['that are not valid yet', { nbf: 99_999_999_999 }],
    ['of an unknown type', { kty: 'AKP' }],
    ['that are broken', { x: 'AA' }],
  ])('%s are left out', async (_, change) => {
    const own = await publicJwk(key)
    const other = await publicJwk(readPrivateKey(generateKeys('es256').privateKey))
    expect(readPublicKeys(set(other, { ...own, ...change }))).toHaveLength(1)
    await refuses(() => readPublicKeys(set({ ...own, ...change })), /no key of the set/)
  })

  test('beyond a hundred, and private ones, are refused', async () => {
    const own = await publicJwk(key)
    await refuses(() => readPublicKeys(set(...Array<object>(101).fill(own))), /more than 100 keys/)
    await refuses(() => readPublicKeys(set({ ...own, d: 'AA' })), /private key/)
  })
})

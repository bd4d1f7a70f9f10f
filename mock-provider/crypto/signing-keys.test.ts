import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import { members, obtain, testProvider } from '../testing.ts'

const published = (provider: MockProvider) => members<JSONWebKeySet>(provider.app.request('/jwks'))

/** The keys of one algorithm: they are rotated together. */
async function keySet(provider: MockProvider): Promise<JSONWebKeySet> {
  const { keys } = await published(provider)
  return { keys: keys.filter(({ alg }) => alg === 'ES256') }
}

const es256 = { idTokenSigningAlg: 'ES256' } as const

const idToken = async (provider: MockProvider) =>
  (await obtain(provider, {}, { scope: 'openid' })).id_token ?? ''

const verify = (token: string, keys: JSONWebKeySet) =>
  jwtVerify(token, createLocalJWKSet(keys), { issuer: 'https://provider.test', audience: 'app' })

test('a key is made when it is first needed, once', async () => {
  const provider = testProvider({ signingKey: undefined })
  const [first, second] = await Promise.all([published(provider), published(provider)])
  expect(first.keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES256', 'EdDSA'])
  expect(second).toEqual(first)
  await verify(await idToken(provider), first)
  await provider.reset()
  expect(await published(provider)).toEqual(first)
})

test('what was replaced before it was needed is not made any more', async () => {
  const provider = testProvider({ signingKey: undefined })
  provider.rotateSigningKey()
  const { keys } = await published(provider)
  // the nonces of DPoP rest on the ES256 key that the issuer began with
  expect(keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES256', 'EdDSA', 'ES256'])
})

describe('a rotated key', () => {
  test('stays published while its tokens live, then goes', async () => {
    const provider = testProvider({ ...es256, lifetimes: { accessToken: 100 } })
    const [before] = (await keySet(provider)).keys
    const old = await idToken(provider)
    provider.rotateSigningKey()
    const both = await keySet(provider)
    expect(both.keys).toHaveLength(2)
    expect(both.keys[1]).toEqual(before)
    await verify(old, both)
    const { protectedHeader } = await verify(await idToken(provider), both)
    expect(protectedHeader.kid).toBe(both.keys[0]?.kid)
    provider.clock.advance(100_000)
    const after = await keySet(provider)
    expect(after.keys).toEqual([both.keys[0]])
    await expect(verify(old, after)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
  })

  test('goes at once where it is withdrawn', async () => {
    const provider = testProvider(es256)
    const old = await idToken(provider)
    provider.rotateSigningKey()
    const between = await idToken(provider)
    provider.rotateSigningKey({ withdraw: true })
    const after = await keySet(provider)
    // one that was replaced before stays as long as it was promised
    expect(after.keys).toHaveLength(2)
    await verify(old, after)
    await verify(await idToken(provider), after)
    await expect(verify(between, after)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
  })

  test('is published exactly while its tokens live, however often others follow', async () => {
    const provider = testProvider({ ...es256, lifetimes: { accessToken: 100 } })
    const issued: string[] = []
    for (let second = 0; second < 200; second += 10) {
      if (second % 40 === 0) provider.rotateSigningKey()
      issued.push(await idToken(provider))
      const keys = await keySet(provider)
      // the one that signs, and those that were replaced less than 100 seconds ago
      const replaced = Math.min(Math.floor(second / 40) + 1, second % 40 < 20 ? 3 : 2)
      expect(keys.keys).toHaveLength(1 + replaced)
      for (const token of issued.slice(-10)) await verify(token, keys)
      provider.clock.advance(10_000)
    }
  })

  test('is followed by any number of others, each published as long', async () => {
    const provider = testProvider({ ...es256, lifetimes: { accessToken: 100 } })
    for (let count = 0; count < 5; count++) {
      provider.rotateSigningKey()
      await idToken(provider)
      provider.clock.advance(40_000)
    }
    // replaced 80 and 40 seconds ago, and the one that signs
    expect((await keySet(provider)).keys).toHaveLength(3)
    await provider.reset()
    expect((await keySet(provider)).keys).toHaveLength(1)
  })
})

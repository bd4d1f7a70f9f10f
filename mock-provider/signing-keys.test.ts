import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import type { MockProvider } from './provider.ts'
import { members, obtain, testProvider } from './testing.ts'

const keySet = (provider: MockProvider) => members<JSONWebKeySet>(provider.app.request('/jwks'))

const idToken = async (provider: MockProvider) =>
  (await obtain(provider, {}, { scope: 'openid' })).id_token ?? ''

const verify = (token: string, keys: JSONWebKeySet) =>
  jwtVerify(token, createLocalJWKSet(keys), { issuer: 'https://provider.test', audience: 'app' })

describe('a rotated key', () => {
  test('stays published while its tokens live, then goes', async () => {
    const provider = testProvider({ lifetimes: { accessToken: 100 } })
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
    const provider = testProvider()
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
    const provider = testProvider({ lifetimes: { accessToken: 100 } })
    const issued: string[] = []
    for (let second = 0; second < 400; second += 10) {
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
    const provider = testProvider({ lifetimes: { accessToken: 100 } })
    for (let count = 0; count < 5; count++) {
      provider.rotateSigningKey()
      provider.clock.advance(40_000)
    }
    // replaced 80 and 40 seconds ago, and the one that signs
    expect((await keySet(provider)).keys).toHaveLength(3)
    await provider.reset()
    expect((await keySet(provider)).keys).toHaveLength(1)
  })
})

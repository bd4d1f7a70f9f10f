import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { approve, listItems, members, obtain, redeem, testProvider } from '../testing.ts'
import { createMockProvider, type MockProviderOptions } from './provider.ts'

describe('the log', () => {
  test('numbers its events, joins those of an exchange, and names the authorization', async () => {
    const provider = testProvider()
    const heard: number[] = []
    const stop = provider.onEvent(({ seq }) => heard.push(seq))
    const { id, access_token } = await obtain(provider)
    stop()
    await listItems(provider, access_token)
    const { events } = provider
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(heard).toEqual(events.slice(0, heard.length).map(({ seq }) => seq))
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b))
    expect(
      events.map(({ exchange, endpoint, type, authorization }) =>
        [exchange, endpoint, type, authorization === id].join(' '),
      ),
    ).toEqual([
      '1 authorize request false',
      '1 authorize authorization-request true',
      '1 authorize response true',
      '2 decision request true',
      '2 decision decision true',
      '2 decision response true',
      '3 token request true',
      '3 token grant true',
      '3 token response true',
      '4 resource request true',
      '4 resource resource-access true',
      '4 resource response true',
    ])
    expect(events[6]).toMatchObject({
      method: 'POST',
      target: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: expect.stringContaining('grant_type=authorization_code'),
    })
  })
})

describe('the ledger', () => {
  test('has every secret that was minted, with the authorization it belongs to', async () => {
    const provider = testProvider()
    const heard: string[] = []
    provider.onSecret((minted) => heard.push(minted.id))
    const tokens = await obtain(provider, {}, { scope: 'openid' })
    expect(heard).toEqual([
      'session-1',
      'authorization_code-1',
      'access_token-1',
      'refresh_token-1',
      'id_token-1',
    ])
    expect(provider.secrets.slice(3)).toEqual([
      secretOf('authorization_code', tokens.code, tokens.id),
      secretOf('access_token', tokens.access_token, tokens.id),
      secretOf('refresh_token', tokens.refresh_token, tokens.id),
      secretOf('id_token', tokens.id_token, tokens.id),
    ])
  })
})

describe('a provider', () => {
  test('takes a client without redirect URIs, and names one that cannot be used', () => {
    const provider = testProvider()
    expect(provider.registerClient({ clientId: 'tv' }).redirectUris).toEqual([])
    const redirectUris = ['localhost/callback']
    expect(() => provider.registerClient({ clientId: 'app', redirectUris })).toThrow(
      'client app: unusable redirect URI localhost/callback: expected an absolute URI',
    )
  })

  test.each([
    [{ pkce: 'none' }, 'pkce must be one of S256, plain, optional, but is none'],
    [{ accessTokenFormat: 'JWT' }, 'accessTokenFormat must be one of opaque, jwt, but is JWT'],
    [{ redirectMatching: 'any' }, 'redirectMatching must be one of exact, ignore-query'],
  ])('refuses the choice %j, which has no type', (options, message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    expect(() => createMockProvider(options as MockProviderOptions)).toThrow(message)
  })

  test('is reproducible with an injected clock and random source', async () => {
    const run = async () => {
      let calls = 0
      const random = (size: number) =>
        createHash('sha256').update(String(calls++)).digest().subarray(0, size)
      const provider = testProvider({ random, clock: { now: () => 1_700_000_000_000 } })
      const { code } = await approve(provider)
      return members(redeem(provider, code))
    }
    expect(await run()).toEqual(await run())
  })

  test.each([
    'https://x.example/',
    'https://x.example/a/',
    'https://X.example',
    'x',
    'https://x.example?a',
    'https://x.example/a b',
    'https://x.example/:id',
    'https://x.example/../a',
  ])('refuses the issuer %s', (issuer) => {
    expect(() => createMockProvider({ issuer })).toThrow(TypeError)
  })

  test('has a clock that only moves forward', () => {
    const { clock } = testProvider()
    expect(() => clock.advance(-1)).toThrow(RangeError)
    expect(() => clock.advance(Number.NaN)).toThrow(RangeError)
  })
})

function secretOf(kind: string, value: string | undefined, authorization: string) {
  return { id: `${kind}-1`, kind, value, authorization, clientId: 'app' }
}

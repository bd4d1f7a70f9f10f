import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import {
  approve,
  begin,
  decideJson,
  listItems,
  members,
  obtain,
  post,
  redeem,
  authorizationParameters,
  authorize,
  refresh,
  refusal,
  testProvider,
} from '../testing.ts'
import { openStorage } from './open-storage.ts'
import type { Storage } from './storage.ts'
import { hasRedis, startRedis, withoutRedis, type RunningRedis } from './testing.ts'

/** Two instances, as behind a balancer. */
describe.skipIf(!hasRedis)('two instances over Redis', () => {
  let redis: RunningRedis
  let connections: readonly Storage[]
  let a: MockProvider
  let b: MockProvider

  beforeAll(async () => {
    redis = await startRedis()
    connections = await Promise.all([openStorage(redis.url), openStorage(redis.url)])
  })
  afterAll(async () => {
    await Promise.all(connections.map(async (connection) => connection.close()))
    await redis.stop()
  })
  beforeEach(async () => {
    await connections[0]?.clear()
    ;[a, b] = connections.map((storage) => testProvider({ storage })) as [
      MockProvider,
      MockProvider,
    ]
  })

  test('redeem a code exactly once although both race', async () => {
    for (let round = 0; round < 20; round++) {
      const { code } = await approve(a)
      const racing = [a, b, a, b].map((provider) => redeem(provider, code))
      const responses = await Promise.all(racing)
      const outcomes = await Promise.all(
        responses.map(async (each) =>
          each.status === 200 ? '200' : `${each.status} ${String((await members(each))['error'])}`,
        ),
      )
      expect(outcomes.toSorted()).toEqual(['200', ...Array(3).fill('400 invalid_grant')])
    }
  })

  test('revoke what a code was redeemed for when it comes again', async () => {
    const { code, access_token } = await obtain(a)
    expect((await listItems(b, access_token)).status).toBe(200)
    expect(await refusal(redeem(b, code))).toBe('400 invalid_grant')
    expect((await listItems(a, access_token)).status).toBe(401)
  })

  test('rotate a refresh token exactly once, and revoke its family when it comes again', async () => {
    const { refresh_token } = await obtain(a)
    const racing = [a, b, a, b].map((provider) => refresh(provider, refresh_token))
    const responses = await Promise.all(racing)
    const winners = responses.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    const { access_token } = await members<{ access_token: string }>(winners[0]!)
    expect((await listItems(b, access_token)).status).toBe(401)
  })

  test('know of each other what was pushed, decided, revoked and registered', async () => {
    const form = { ...authorizationParameters }
    const pushed = await members<{ request_uri: string }>(post(a, '/par', form))
    const uri = { request_uri: pushed.request_uri, client_id: 'app' }
    const begun = await b.app.request(`/authorize?${new URLSearchParams(uri).toString()}`)
    expect(begun.status).toBe(303)
    const again = await a.app.request(`/authorize?${new URLSearchParams(uri).toString()}`)
    expect(again.status).toBe(400)

    const id = await begin(a)
    const decisions = await Promise.all([a, b].map((provider) => decideJson(provider, id)))
    expect(decisions.map(({ status }) => String(status)).toSorted()).toEqual(['303', '409'])

    const { access_token } = await obtain(a)
    await post(b, '/revoke', { token: access_token, client_id: 'app' })
    expect((await listItems(a, access_token)).status).toBe(401)

    const registered = await a.app.request('/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://app.example/callback'] }),
    })
    const { client_id } = await members<{ client_id: string }>(registered)
    expect((await authorize(b, { client_id })).status).toBe(303)
  })

  test('sign with one key, and fire a fault as often as it was asked for', async () => {
    const keys = await Promise.all(
      [a, b].map(async (provider) => members(provider.app.request('/jwks'))),
    )
    expect(keys[0]).toEqual(keys[1])
    const faults = [{ fault: 'token-error-503', times: 2 } as const]
    const { code } = await approve(a, { faults })
    const statuses = []
    for (const provider of [a, b, a]) statuses.push((await redeem(provider, code)).status)
    expect(statuses).toEqual([503, 503, 200])
  })

  test('say so when the storage is gone, in the form of OAuth, and log what came', async () => {
    const server = await startRedis()
    const storage = await openStorage(server.url)
    const provider = testProvider({ storage })
    const { code } = await approve(provider)
    await server.stop()
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await refusal(redeem(provider, code))).toBe('503 temporarily_unavailable')
    expect(told).toHaveBeenCalledOnce()
    told.mockRestore()
    expect(provider.events.slice(-2)).toMatchObject([{ target: '/token' }, { status: 503 }])
    await storage.close()
  })

  test('offer no synchronous handles', async () => {
    const { id } = await approve(a)
    expect(() => a.authorization(id)).toThrow(TypeError)
    expect(() => a.clock.advance(1)).toThrow(TypeError)
  })
})

if (!hasRedis) test(`skipped: ${withoutRedis}`, (context) => context.skip(withoutRedis))

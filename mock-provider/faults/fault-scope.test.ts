import { describe, expect, test } from 'vitest'
import {
  approve,
  authorizationParameters,
  locationOf,
  members,
  obtain,
  post,
  redeem,
  basic,
  redirectUri,
  refresh,
  refusal,
  secret,
  testProvider,
} from '../testing.ts'

const fault = 'token-error-503'
const web = { client_id: undefined }
const asWeb = basic('web', secret)

describe('a fault', () => {
  test('of a client disturbs that client alone, also before its code is known', async () => {
    const provider = testProvider({ faults: [{ fault, scope: 'client:web' }] })
    const { code } = await approve(provider)
    expect((await redeem(provider, code)).status).toBe(200)
    const other = await approve(provider, {}, { client_id: 'web' })
    expect((await redeem(provider, other.code, web, asWeb)).status).toBe(503)
    expect((await redeem(provider, 'unknown', web, asWeb)).status).toBe(503)
    provider.setFaults([], 'client:web')
    expect((await redeem(provider, other.code, web, asWeb)).status).toBe(200)
  })

  test('of a user disturbs what that user approved, the answer to the decision included', async () => {
    const provider = testProvider()
    provider.setFaults(['authorize-state-omitted', { fault, times: 1 }], 'user:bob')
    const alice = await approve(provider, { subject: 'alice' })
    expect(alice.response.searchParams.has('state')).toBe(true)
    const bob = await approve(provider, { subject: 'bob' })
    expect(bob.response.searchParams.has('state')).toBe(false)
    expect((await redeem(provider, alice.code)).status).toBe(200)
    expect((await redeem(provider, bob.code)).status).toBe(503)
    expect((await redeem(provider, bob.code)).status).toBe(200)
  })

  test('of the next request fires once, at the endpoint that it is a fault of', async () => {
    const provider = testProvider()
    provider.setFaults(['token-error-invalid_grant', 'discovery-error-500'], 'next')
    const path = '/.well-known/oauth-authorization-server'
    expect((await provider.app.request(path)).status).toBe(500)
    expect((await provider.app.request(path)).status).toBe(200)
    const { code } = await approve(provider)
    expect(await refusal(redeem(provider, code))).toBe('400 invalid_grant')
    expect((await redeem(provider, code)).status).toBe(200)
  })

  test('of the issuer disturbs everybody; the closest scope comes first', async () => {
    const provider = testProvider({ faults: ['token-error-500'] })
    const { code, id } = await approve(provider)
    provider.authorization(id)?.setFaults([{ fault, times: 1 }])
    expect((await redeem(provider, code)).status).toBe(503)
    expect((await redeem(provider, code)).status).toBe(500)
    expect(provider.events.at(-1)).toMatchObject({ faults: ['token-error-500'] })
  })

  test('that counts fires as often as it says although requests race', async () => {
    const provider = testProvider()
    const { code } = await approve(provider)
    provider.setFaults([{ fault, times: 3 }])
    const responses = await Promise.all(Array.from({ length: 5 }, () => redeem(provider, code)))
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(3)
  })

  test('of a refresh is chosen by the grant type, for a client too', async () => {
    const provider = testProvider({
      faults: [{ fault: 'refresh-without-rotation', scope: 'client:app' }],
    })
    const { refresh_token } = await obtain(provider)
    const renewed = await members(refresh(provider, refresh_token))
    expect(renewed).not.toHaveProperty('refresh_token')
    expect((await refresh(provider, refresh_token)).status).toBe(200)
  })

  test('is refused for a scope that is none, or that it cannot have', () => {
    const provider = testProvider()
    expect(() => provider.setFaults([fault], 'client:')).toThrow(TypeError)
    expect(() => provider.setFaults([fault], 'somebody' as never)).toThrow(TypeError)
    expect(() => provider.setFaults(['discovery-hang'], 'client:app')).toThrow(TypeError)
    expect(() => testProvider({ faults: ['no-such-fault' as never] })).toThrow(TypeError)
  })
})

test('a reset forgets everything but the key, and begins with the options again', async () => {
  const provider = testProvider({ faults: ['authorize-iss-missing'] })
  const { access_token } = await obtain(provider)
  const keys = await members(provider.app.request('/jwks'))
  provider.setFaults([])
  provider.clock.advance(1000)
  provider.registerClient({ clientId: 'extra', redirectUris: [redirectUri] })
  await provider.reset()
  expect(provider.events).toEqual([])
  expect(provider.secrets.map(({ kind }) => kind)).toEqual(['client_secret', 'client_secret'])
  expect(Math.abs(provider.clock.now() - Date.now())).toBeLessThan(900)
  expect(await members(provider.app.request('/jwks'))).toEqual(keys)
  const revoked = await post(provider, '/introspect', { token: access_token }, asWeb)
  expect(await revoked.json()).toEqual({ active: false })
  const { response } = await approve(provider)
  expect(response.searchParams.has('iss')).toBe(false)
  const extra = new URLSearchParams({ ...authorizationParameters, client_id: 'extra' } as never)
  const refused = await provider.app.request(`/authorize?${extra.toString()}`)
  expect(refused.status).toBe(400)
  expect(locationOf(refused).href).toBe('about:blank')
})

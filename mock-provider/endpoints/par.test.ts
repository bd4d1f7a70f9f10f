import { expect, test } from 'vitest'
import {
  authorizationParameters,
  basic,
  locationOf,
  members,
  post,
  refusal,
  secret,
  testProvider,
} from '../testing.ts'

const pushed = { ...authorizationParameters, client_id: 'web' }

test('a pushed request is used once, by its client (RFC 9126 §4)', async () => {
  const provider = testProvider()
  const response = await post(provider, '/par', pushed, basic('web', secret))
  expect(response.status).toBe(201)
  const { request_uri, expires_in } = await members(response)
  expect(expires_in).toBe(60)
  const visit = (clientId: string) =>
    provider.app.request(
      `/authorize?client_id=${clientId}&request_uri=${String(request_uri)}&scope=openid`,
    )
  expect((await visit('app')).status).toBe(400)
  const first = await visit('web')
  expect(locationOf(first).pathname).toMatch(/^\/authorize\/authz_/)
  // what stands beside the request URI is ignored (RFC 9101 §5)
  expect(provider.events.findLast(({ type }) => type === 'authorization-request')).toMatchObject({
    via: 'par',
    clientId: 'web',
    scopes: ['items:read', 'items:write'],
  })
  expect((await visit('web')).status).toBe(400)
})

test('a pushed request expires', async () => {
  const provider = testProvider()
  const { request_uri } = await members(post(provider, '/par', pushed, basic('web', secret)))
  provider.clock.advance(60_000)
  const query = `client_id=web&request_uri=${String(request_uri)}`
  expect((await provider.app.request(`/authorize?${query}`)).status).toBe(400)
})

test.each([
  ['an unauthenticated client', pushed, {}, '401 invalid_client'],
  [
    'a request URI',
    { ...pushed, request_uri: 'urn:x' },
    basic('web', secret),
    '400 invalid_request',
  ],
  ['no challenge', { ...pushed, code_challenge: '' }, basic('web', secret), '400 invalid_request'],
  [
    'another redirect URI',
    { ...pushed, redirect_uri: 'https://evil.example' },
    basic('web', secret),
    '400 invalid_request',
  ],
  ['an unknown scope', { ...pushed, scope: 'root' }, basic('web', secret), '400 invalid_scope'],
  [
    'another client id',
    { ...pushed, client_id: 'app' },
    basic('web', secret),
    '400 invalid_request',
  ],
])('a push with %s is refused', async (_, form, headers, expected) => {
  const provider = testProvider()
  expect(await refusal(post(provider, '/par', form, headers))).toBe(expected)
  expect(provider.events.find(({ type }) => type === 'authorization-request')).toMatchObject({
    endpoint: 'par',
    via: 'par',
    valid: false,
  })
})

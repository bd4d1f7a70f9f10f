import { expect, test } from 'vitest'
import { testProvider } from '../testing.ts'

const origin = 'https://spa.example'

test.each([
  ['/.well-known/openid-configuration', 'GET'],
  ['/jwks', 'GET'],
  ['/token', 'POST'],
  ['/revoke', 'POST'],
  ['/par', 'POST'],
  ['/userinfo', 'GET'],
  ['/register', 'POST'],
  ['/resource/items', 'GET'],
])('%s may be used by a page of another origin', async (path, method) => {
  const { app } = testProvider()
  const asked = { origin, 'access-control-request-method': method }
  const preflight = await app.request(path, { method: 'OPTIONS', headers: asked })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('DPoP')
  // a refusal has to be readable, too
  const response = await app.request(path, { method, headers: { origin } })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce')
  const alone = await app.request(path, { method })
  expect(alone.headers.get('access-control-allow-origin')).toBeNull()
})

test.each(['/authorize', '/introspect', '/end_session'])('%s may not', async (path) => {
  const { app } = testProvider()
  const asked = { origin, 'access-control-request-method': 'POST' }
  const preflight = await app.request(path, { method: 'OPTIONS', headers: asked })
  expect(preflight.status).toBe(405)
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
})

import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  approve,
  authorize,
  basic,
  listItems,
  locationOf,
  members,
  obtain,
  post,
  redeem,
  redirectUri,
  secret,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

const api = 'https://api.example/v1'
const files = 'https://files.example/mcp'

const provider = testProvider({
  audiences: [api, 'my-api', { id: files, scopes: ['files:read', 'files:write'] }],
  accessTokenFormat: 'jwt',
  clients: [
    { clientId: 'app', redirectUris: [redirectUri] },
    {
      clientId: 'service',
      clientSecret: secret,
      grantTypes: ['client_credentials'],
      audience: ['my-api'],
    },
  ],
})

const audienceOf = async (token: string) => {
  const keys = await members<JSONWebKeySet>(provider.app.request('/jwks'))
  return (await jwtVerify(token, createLocalJWKSet(keys))).payload.aud
}

test.each([
  ['resource', api],
  ['audience', api],
  ['audience', 'my-api'],
])('a token is for what %s=%s names', async (name, value) => {
  const { access_token } = await obtain(provider, {}, { [name]: value })
  expect(await audienceOf(access_token)).toEqual([value])
  // it is for nobody else, the provider's own API included
  expect((await listItems(provider, access_token)).status).toBe(401)
})

test('a token request may narrow it (RFC 8707 §2.2)', async () => {
  const { code } = await approve(provider)
  const tokens = await members<TokenResponse>(redeem(provider, code, { audience: 'my-api' }))
  expect(await audienceOf(tokens.access_token)).toEqual(['my-api'])
  const other = await approve(provider, {}, { resource: api })
  const refused = await members(redeem(provider, other.code, { audience: 'my-api' }))
  expect(refused).toMatchObject({ error: 'invalid_target' })
})

test('a client has its own where it requests nothing', async () => {
  const form = { grant_type: 'client_credentials' }
  const headers = basic('service', secret)
  const tokens = await members<TokenResponse>(post(provider, '/token', form, headers))
  expect(await audienceOf(tokens.access_token)).toEqual(['my-api'])
  const named = { ...form, audience: api }
  const others = await members<TokenResponse>(post(provider, '/token', named, headers))
  expect(await audienceOf(others.access_token)).toEqual([api])
})

test('what is unknown is refused, and audience means nothing where there are none', async () => {
  for (const changes of [{ audience: 'x' }, { resource: 'https://x.example' }]) {
    const location = locationOf(await authorize(provider, changes))
    expect(location.searchParams.get('error')).toBe('invalid_target')
  }
  expect((await authorize(testProvider(), { audience: 'x' })).status).toBe(303)
  expect(locationOf(await authorize(testProvider(), { audience: 'x' })).pathname).toMatch(
    /^\/authorize\//,
  )
})

describe('an API with scopes of its own', () => {
  const scopeOf = async (changes: Record<string, string>) =>
    (await obtain(provider, {}, changes)).scope

  test('has them requested with it, and no others in its tokens (RFC 8707 §2.2)', async () => {
    expect(await scopeOf({ resource: files, scope: 'files:read' })).toBe('files:read')
    expect(await scopeOf({ resource: files, scope: 'files:read items:read' })).toBe('files:read')
    expect(await scopeOf({ resource: files, scope: 'openid files:read' })).toBe('openid files:read')
    expect(await scopeOf({ resource: api, scope: 'items:read' })).toBe('items:read')
  })

  test('nobody requests them for another API', async () => {
    for (const changes of [{}, { resource: api }]) {
      const location = locationOf(await authorize(provider, { ...changes, scope: 'files:read' }))
      expect(location.searchParams.get('error')).toBe('invalid_scope')
    }
  })

  test('validates its tokens by the key set, or by introspection', async () => {
    for (const accessTokenFormat of ['jwt', 'opaque'] as const) {
      const own = testProvider({
        accessTokenFormat,
        audiences: [{ id: files, scopes: ['files:read'] }],
      })
      const changes = { resource: files, scope: 'files:read' }
      const { access_token: token } = await obtain(own, {}, changes)
      const asked = await members(post(own, '/introspect', { token }, basic('web', secret)))
      const claims = { iss: own.issuer, aud: [files], scope: 'files:read', client_id: 'app' }
      expect(asked).toMatchObject({ active: true, ...claims })
      if (accessTokenFormat === 'opaque') continue
      const keys = await members<JSONWebKeySet>(own.app.request('/jwks'))
      const expected = { issuer: own.issuer, audience: files, typ: 'at+jwt' }
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), expected)
      expect(payload).toMatchObject(claims)
    }
  })

  test('can be added, and is forgotten by a reset', async () => {
    const own = testProvider()
    const changes = { resource: files, scope: 'files:read' }
    const errorOf = async () => locationOf(await authorize(own, changes)).searchParams.get('error')
    expect(await errorOf()).toBe('invalid_target')
    own.addAudience({ id: files, scopes: ['files:read'] })
    expect(await errorOf()).toBeNull()
    await own.reset()
    expect(await errorOf()).toBe('invalid_target')
  })

  test('needs an id', () => {
    expect(() => testProvider({ audiences: [''] })).toThrow(TypeError)
  })
})

import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  basic,
  listItems,
  members,
  obtain,
  post,
  refresh,
  secret,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

describe('a token that is issued without a flow', () => {
  test('opens what one of a flow opens', async () => {
    const provider = testProvider()
    const scopes = ['openid', 'items:read', 'offline_access']
    const tokens = await provider.issueToken({ subject: 'carol', clientId: 'app', scopes })
    expect(await members(listItems(provider, tokens.access_token))).toEqual({
      items: [{ id: '1', title: 'Welcome, carol' }],
    })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ sub: 'carol', aud: 'app' })
    expect((await refresh(provider, tokens.refresh_token ?? '')).status).toBe(200)
  })

  test('is for any API, with any claims, and verifies', async () => {
    const provider = testProvider()
    const { access_token } = await provider.issueToken({
      audience: ['https://api.example'],
      claims: { roles: ['admin'], sub: 'somebody-else' },
      lifetime: 60,
      format: 'jwt',
    })
    const keys = await members<JSONWebKeySet>(provider.app.request('/jwks'))
    const { payload } = await jwtVerify(access_token, createLocalJWKSet(keys), {
      issuer: provider.issuer,
      audience: 'https://api.example',
    })
    expect(payload).toMatchObject({
      roles: ['admin'],
      sub: 'somebody-else',
      client_id: 'test-client',
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60)
  })

  test('may have expired', async () => {
    const provider = testProvider()
    const request = { lifetime: -60, scopes: ['items:read'] }
    const { access_token } = await provider.issueToken(request)
    expect((await listItems(provider, access_token)).status).toBe(401)
  })
})

describe('claims of the owner', () => {
  const users = [{ subject: 'alice', claims: { groups: ['a', 'b'], team: { id: 7 } } }]

  test('are added by rules', async () => {
    const provider = testProvider({
      users,
      accessTokenFormat: 'jwt',
      tokenClaims: [
        { claims: { groups: '${user.groups}', who: '${subject} of ${user.team.id}${user.none}' } },
        { token: 'id_token', claims: { only: ['${clientId}'] } },
        { scope: 'items:write', claims: { writes: true } },
        { clientId: 'other', claims: { other: true } },
        { subject: 'bob', claims: { bob: true } },
      ],
    })
    const tokens = await obtain(provider, {}, { scope: 'openid items:write' })
    const [access, id] = [tokens.access_token, tokens.id_token ?? ''].map((each) => decodeJwt(each))
    const added = { groups: ['a', 'b'], who: 'alice of 7', writes: true }
    expect(access).toMatchObject(added)
    expect(id).toMatchObject({ ...added, only: ['app'] })
    for (const absent of ['other', 'bob']) expect(id).not.toHaveProperty(absent)
    expect(access).not.toHaveProperty('only')
  })

  test('are added by a function, which sees what the rules added', async () => {
    const provider = testProvider({
      users,
      tokenClaims: [{ claims: { level: 1 } }],
      onToken: async ({ kind, claims, user }) => ({
        level: Number(claims['level']) + 1,
        team: user.claims?.['team'],
        amr: undefined,
        kind,
      }),
    })
    const tokens = await obtain(provider, {}, { scope: 'openid items:read' })
    const id = decodeJwt(tokens.id_token ?? '')
    expect(id).toMatchObject({ level: 2, team: { id: 7 }, kind: 'id_token' })
    expect(id).not.toHaveProperty('amr')
    // an opaque token tells them by introspection
    const form = { token: tokens.access_token }
    const told = members<TokenResponse>(post(provider, '/introspect', form, basic('web', secret)))
    expect(await told).toMatchObject({ active: true, level: 2, kind: 'access_token' })
  })
})

test('a user is added and changed', async () => {
  const provider = testProvider()
  provider.setUser({ subject: 'dora', name: 'Dora', claims: { department: 'R&D' } })
  const { access_token } = await provider.issueToken({
    subject: 'dora',
    scopes: ['openid', 'profile'],
  })
  const userinfo = provider.app.request('/userinfo', {
    headers: { authorization: `Bearer ${access_token}` },
  })
  expect(await members(userinfo)).toEqual({ sub: 'dora', name: 'Dora', department: 'R&D' })
})

describe('the control API', () => {
  const provider = testProvider({ control: true })
  const control = async (method: string, path: string, body?: object) =>
    provider.app.request(`/_control${path}`, {
      method,
      headers: { host: 'provider.test', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })

  test('issues tokens', async () => {
    const wanted = { subject: 'bob', scopes: ['items:read'] }
    const response = await control('POST', '/tokens', wanted)
    expect(response.status).toBe(201)
    const { access_token } = await members<TokenResponse>(response)
    expect((await listItems(provider, access_token)).status).toBe(200)
    expect((await control('POST', '/tokens', { user: 'bob' })).status).toBe(400)
  })

  test('adds, shows and forgets users', async () => {
    const dora = { subject: 'dora', claims: { groups: ['x'] } }
    expect((await control('POST', '/users', dora)).status).toBe(204)
    expect(await members(control('GET', '/users'))).toEqual({
      users: [{ subject: 'alice' }, { subject: 'bob' }, dora],
    })
    expect((await control('DELETE', '/users/dora')).status).toBe(204)
    expect((await control('DELETE', '/users/dora')).status).toBe(404)
    expect((await control('POST', '/users', { claims: {} })).status).toBe(400)
  })
})

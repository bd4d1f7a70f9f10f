import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  basic,
  listItems,
  members,
  obtain,
  post,
  redirectUri,
  refresh,
  refusal,
  secret,
  testProvider,
} from '../testing.ts'

const web = basic('web', secret)

describe('the protected resource', () => {
  test('serves each user the items of that user', async () => {
    const provider = testProvider()
    const alice = await obtain(provider, { subject: 'alice' })
    const bob = await obtain(provider, { subject: 'bob' })
    const create = (body: string) =>
      provider.app.request('/resource/items', {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${alice.access_token}`,
          'content-type': 'application/json',
        },
      })
    const created = await create('{"title":"Milk"}')
    expect(created.status).toBe(201)
    expect(await members(listItems(provider, alice.access_token))).toEqual({
      items: [
        { id: '1', title: 'Welcome, alice' },
        { id: '2', title: 'Milk' },
      ],
    })
    expect(await members(listItems(provider, bob.access_token))).toEqual({
      items: [{ id: '1', title: 'Welcome, bob' }],
    })
    expect(await refusal(create('{"title":""}'))).toBe('400 invalid_request')
    expect(provider.events.find(({ type }) => type === 'resource-access')).toMatchObject({
      authorization: alice.id,
      token: 'access_token-1',
      subject: 'alice',
      credential: 'header',
      route: 'POST /resource/items',
      outcome: 'served',
    })
  })

  test.each([
    ['no token', {}, '401 unauthorized', undefined],
    ['another scheme', { authorization: 'Basic eA==' }, '400 invalid_request', 'invalid_request'],
    ['an unknown token', { authorization: 'Bearer x' }, '401 invalid_token', 'invalid_token'],
    [
      'two tokens',
      { authorization: 'Bearer x, Bearer y' },
      '400 invalid_request',
      'invalid_request',
    ],
  ])('refuses %s with a challenge (RFC 6750 §3)', async (_, headers, expected, error) => {
    const provider = testProvider()
    const response = await provider.app.request('/resource/items', { headers })
    expect(await refusal(response)).toBe(expected)
    const challenge = response.headers.get('www-authenticate') ?? ''
    expect(challenge).toContain('scope="items:read"')
    expect(challenge).toContain(
      `resource_metadata="${provider.issuer}/.well-known/oauth-protected-resource/resource"`,
    )
    expect(/error="([^"]*)"/.exec(challenge)?.[1]).toBe(error)
  })

  test('refuses a token without the scope, and one that is no access token', async () => {
    const provider = testProvider()
    const { access_token, refresh_token } = await obtain(provider, { scopes: ['items:read'] })
    const response = await provider.app.request('/resource/items', {
      method: 'POST',
      headers: { authorization: `bearer ${access_token}` },
    })
    expect(await refusal(response)).toBe('403 insufficient_scope')
    expect(response.headers.get('www-authenticate')).toContain('scope="items:write"')
    expect((await listItems(provider, refresh_token)).status).toBe(401)
  })

  test('takes the token from the header only, unless told otherwise', async () => {
    const strict = testProvider()
    const ask = async (provider: typeof strict, headers = {}) => {
      const { access_token } = await obtain(provider)
      const target = `/resource/items?access_token=${access_token}`
      return (await provider.app.request(target, { headers })).status
    }
    expect(await ask(strict)).toBe(401)
    expect(strict.events.find(({ type }) => type === 'resource-access')).toMatchObject({
      credential: 'query',
      token: 'access_token-1',
      outcome: 'refused',
    })
    const lenient = testProvider({ bearerMethods: ['header', 'query'] })
    expect(await ask(lenient)).toBe(200)
    // RFC 6750 §2: one method per request
    expect(await ask(lenient, { authorization: 'Bearer x' })).toBe(400)
  })

  test('publishes where to authorize (RFC 9728)', async () => {
    const { app, issuer } = testProvider()
    for (const path of ['', '/resource']) {
      const metadata = await members(app.request(`/.well-known/oauth-protected-resource${path}`))
      expect(metadata).toMatchObject({
        resource: `${issuer}${path}`,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      })
    }
  })

  test('has the routes that it is given', async () => {
    const provider = testProvider({
      resources: [{ method: 'GET', path: '/calendar', scope: 'items:read' }],
    })
    const { access_token } = await obtain(provider, { subject: 'carol' })
    const headers = { authorization: `Bearer ${access_token}` }
    const calendar = provider.app.request('/resource/calendar', { headers })
    expect(await members(calendar)).toMatchObject({ subject: 'carol' })
    expect((await listItems(provider, access_token)).status).toBe(404)
    const deleted = provider.app.request('/resource/calendar', { method: 'DELETE', headers })
    expect((await deleted).status).toBe(405)
  })
})

describe('userinfo', () => {
  test('needs a token with openid, and tells what its scopes allow', async () => {
    const provider = testProvider()
    const { access_token, id_token } = await obtain(
      provider,
      { subject: 'dave' },
      { scope: 'openid email', nonce: 'n' },
    )
    const headers = { authorization: `Bearer ${access_token}` }
    expect(await members(provider.app.request('/userinfo', { headers }))).toEqual({
      sub: 'dave',
      email: 'dave@users.example',
      email_verified: true,
    })
    expect((await provider.app.request('/userinfo')).status).toBe(401)
    const without = await obtain(provider)
    const insufficient = { authorization: `Bearer ${without.access_token}` }
    expect((await provider.app.request('/userinfo', { headers: insufficient })).status).toBe(403)

    const [header, payload, signature] = (id_token ?? '').split('.')
    const { keys } = await members<{ keys: [Record<string, string>] }>(
      provider.app.request('/jwks'),
    )
    const valid = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: createPublicKey({ key: keys[0], format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature ?? '', 'base64url'),
    )
    expect(valid).toBe(true)
    expect(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())).toMatchObject({
      iss: provider.issuer,
      sub: 'dave',
      aud: 'app',
      nonce: 'n',
    })
  })
})

describe('introspection', () => {
  test('tells about live tokens, to confidential clients (RFC 7662)', async () => {
    const provider = testProvider()
    const { access_token, refresh_token } = await obtain(provider, { subject: 'erin' })
    const ask = (token: string, headers: Record<string, string> = web) =>
      post(provider, '/introspect', { token }, headers)
    expect(await members(ask(access_token))).toMatchObject({
      active: true,
      sub: 'erin',
      client_id: 'app',
      scope: 'items:read items:write',
      token_type: 'Bearer',
      aud: [`${provider.issuer}/resource`],
    })
    expect(await members(ask(refresh_token))).toMatchObject({ active: true })
    for (const garbage of ['garbage', '__proto__', `${access_token}x`]) {
      expect(await members(ask(garbage))).toEqual({ active: false })
    }
    provider.clock.advance(3_600_000)
    expect(await members(ask(access_token))).toEqual({ active: false })
    expect(await refusal(ask(access_token, {}))).toBe('401 invalid_client')
    expect(await refusal(post(provider, '/introspect', { token: 'x', client_id: 'app' }))).toBe(
      '401 invalid_client',
    )
    expect(await refusal(post(provider, '/introspect', {}, web))).toBe('400 invalid_request')
    expect(provider.events.find(({ type }) => type === 'introspection')).toMatchObject({
      clientId: 'web',
      token: 'access_token-1',
      outcome: 'active',
    })
  })
})

describe('revocation', () => {
  const revoke = (provider: ReturnType<typeof testProvider>, token: string, form = {}) =>
    post(provider, '/revoke', { token, client_id: 'app', ...form })

  test('of an access token ends that token (RFC 7009)', async () => {
    const provider = testProvider()
    const { access_token, refresh_token } = await obtain(provider)
    expect((await revoke(provider, access_token)).status).toBe(200)
    expect((await listItems(provider, access_token)).status).toBe(401)
    expect((await refresh(provider, refresh_token)).status).toBe(200)
  })

  test('of a refresh token ends its whole grant (RFC 7009 §2.1)', async () => {
    const provider = testProvider()
    const { access_token, refresh_token } = await obtain(provider)
    expect((await revoke(provider, refresh_token)).status).toBe(200)
    expect((await listItems(provider, access_token)).status).toBe(401)
    expect((await refresh(provider, refresh_token)).status).toBe(400)
  })

  test('is for the client of the token; an unknown token is as good as revoked', async () => {
    const provider = testProvider()
    const { access_token } = await obtain(provider)
    const other = { client_id: 'other', client_secret: 'other' }
    expect(await refusal(revoke(provider, access_token, other))).toBe('400 invalid_grant')
    expect((await listItems(provider, access_token)).status).toBe(200)
    expect((await revoke(provider, 'unknown')).status).toBe(200)
    expect(await refusal(revoke(provider, ''))).toBe('400 invalid_request')
    expect(
      provider.events.flatMap((event) => (event.type === 'revocation' ? event.outcome : [])),
    ).toEqual(['refused', 'ignored', 'refused'])
  })
})

describe('registration', () => {
  const register = (provider: ReturnType<typeof testProvider>, body: unknown) =>
    provider.app.request('/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test('returns a client that can be used and read back (RFC 7591, RFC 7592 §2.1)', async () => {
    const provider = testProvider()
    const response = await register(provider, {
      redirect_uris: [redirectUri],
      client_name: 'New',
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'items:read',
      unknown_member: { deep: true },
    })
    expect(response.status).toBe(201)
    const client = await members(response)
    expect(client).toMatchObject({
      client_secret: expect.stringMatching(/^cs_/),
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'items:read',
    })
    expect(client).not.toHaveProperty('unknown_member')
    const path = new URL(String(client['registration_client_uri'])).pathname
    const authorization = `Bearer ${String(client['registration_access_token'])}`
    const read = provider.app.request(path, { headers: { authorization } })
    expect(await members(read)).toMatchObject({ client_id: client['client_id'] })
    expect((await provider.app.request(path)).status).toBe(401)
    const other = provider.app.request('/register/app', { headers: { authorization } })
    expect((await other).status).toBe(401)
    expect(provider.secrets.map(({ id }) => id)).toEqual([
      'client_secret-1',
      'client_secret-2',
      'client_secret-3',
      'registration_access_token-1',
    ])
  })

  test.each([
    ['no redirect URI', { redirect_uris: [] }, '400 invalid_redirect_uri'],
    ['a dangerous one', { redirect_uris: ['javascript:alert(1)'] }, '400 invalid_redirect_uri'],
    ['a fragment', { redirect_uris: [`${redirectUri}#x`] }, '400 invalid_redirect_uri'],
    [
      'an unknown method',
      { redirect_uris: [redirectUri], token_endpoint_auth_method: 'tls_client_auth' },
      '400 invalid_client_metadata',
    ],
    [
      'an unknown scope',
      { redirect_uris: [redirectUri], scope: 'root' },
      '400 invalid_client_metadata',
    ],
    ['another shape', [], '400 invalid_client_metadata'],
    ['no JSON', '{', '400 invalid_client_metadata'],
  ])('with %s is refused (RFC 7591 §3.2.2)', async (_, body, expected) => {
    expect(await refusal(register(testProvider(), body))).toBe(expected)
  })
})

import { describe, expect, test } from 'vitest'
import {
  approve,
  basic,
  encode,
  listItems,
  members,
  obtain,
  otherRedirectUri,
  post,
  redeem,
  redirectUri,
  refresh,
  refusal,
  secret,
  testProvider,
  verifier,
  type TokenResponse,
} from '../testing.ts'

describe('redeeming a code', () => {
  test('answers with tokens that are not to be cached (RFC 6749 §5.1)', async () => {
    const provider = testProvider()
    const { code } = await approve(provider)
    const response = await redeem(provider, code)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^at_[A-Za-z0-9_-]{32}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rt_/),
      scope: 'items:read items:write',
    })
  })

  test.each([
    ['no verifier', { code_verifier: undefined }, '400 invalid_grant', 'absent'],
    ['another verifier', { code_verifier: 'b'.repeat(43) }, '400 invalid_grant', 'mismatched'],
    ['a malformed verifier', { code_verifier: 'short' }, '400 invalid_request', 'malformed'],
    ['an unknown code', { code: 'ac_unknown' }, '400 invalid_grant', 'unchecked'],
    ['no code', { code: undefined }, '400 invalid_request', 'unchecked'],
    ['no redirect URI', { redirect_uri: undefined }, '400 invalid_grant', 'matched'],
    ['another redirect URI', { redirect_uri: otherRedirectUri }, '400 invalid_grant', 'matched'],
    ['another resource', { resource: 'https://x.example' }, '400 invalid_target', 'matched'],
    ['no grant type', { grant_type: undefined }, '400 invalid_request', 'matched'],
    ['another grant type', { grant_type: 'password' }, '400 unsupported_grant_type', 'matched'],
    ['a prototype member', { grant_type: '__proto__' }, '400 unsupported_grant_type', 'matched'],
    ['an unknown client', { client_id: 'nobody' }, '401 invalid_client', 'matched'],
    ['no client', { client_id: undefined }, '401 invalid_client', 'matched'],
    ['a needless secret', { client_secret: 'x' }, '401 invalid_client', 'matched'],
    [
      'the credentials of another client',
      { client_id: 'other', client_secret: 'other' },
      '400 invalid_grant',
      'matched',
    ],
  ])('with %s is refused', async (_, changes, expected, outcome) => {
    const provider = testProvider()
    const { code, id } = await approve(provider)
    expect(await refusal(redeem(provider, code, changes))).toBe(expected)
    expect(provider.events.findLast(({ type }) => type === 'grant')).toMatchObject({
      outcome: 'refused',
      error: expected.slice(4),
      verifier: outcome,
      issued: [],
    })
    // a refused attempt does not use the code up
    expect((await redeem(provider, code)).status).toBe(200)
    expect(provider.events.findLast(({ type }) => type === 'grant')).toMatchObject({
      authorization: id,
      clientId: 'app',
      clientAuthentication: 'none',
      presented: 'authorization_code-1',
      outcome: 'issued',
      verifier: 'matched',
      issued: ['access_token-1', 'refresh_token-1'],
    })
  })

  test('with a verifier although there was no challenge is refused (RFC 9700 §4.8.2)', async () => {
    const provider = testProvider()
    provider.registerClient({ clientId: 'old', redirectUris: [redirectUri], pkce: 'optional' })
    const changes = {
      client_id: 'old',
      code_challenge: undefined,
      code_challenge_method: undefined,
    }
    const { code } = await approve(provider, {}, changes)
    expect(await refusal(redeem(provider, code, { client_id: 'old' }))).toBe('400 invalid_grant')
    const without = { client_id: 'old', code_verifier: undefined }
    expect((await redeem(provider, code, without)).status).toBe(200)
  })

  test('compares a plain challenge where a client may use one', async () => {
    const provider = testProvider()
    provider.registerClient({ clientId: 'plain', redirectUris: [redirectUri], pkce: 'plain' })
    const plain = { client_id: 'plain', code_challenge: verifier, code_challenge_method: undefined }
    const { code } = await approve(provider, {}, plain)
    expect((await redeem(provider, code, { client_id: 'plain' })).status).toBe(200)
  })

  test('a second time is refused and revokes what the first time issued (RFC 6749 §4.1.2)', async () => {
    const provider = testProvider()
    const { code, access_token, refresh_token } = await obtain(provider)
    expect((await listItems(provider, access_token)).status).toBe(200)
    expect(await refusal(redeem(provider, code))).toBe('400 invalid_grant')
    expect(await refusal(listItems(provider, access_token))).toBe('401 invalid_token')
    expect(await refusal(refresh(provider, refresh_token))).toBe('400 invalid_grant')
  })

  test('succeeds once of twenty times at once', async () => {
    const provider = testProvider()
    const { code } = await approve(provider)
    const attempts = await Promise.all(Array.from({ length: 20 }, () => redeem(provider, code)))
    const issued = attempts.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    const { access_token } = await members<TokenResponse>(issued[0] ?? Response.error())
    expect((await listItems(provider, access_token)).status).toBe(401)
  })

  test('is possible for its lifetime only', async () => {
    const provider = testProvider({
      lifetimes: { code: 10 },
      clock: { now: () => 1_700_000_000_000 },
    })
    const { code } = await approve(provider)
    const other = await approve(provider)
    provider.authorization(other.id)?.advance(10_000)
    expect(await refusal(redeem(provider, other.code))).toBe('400 invalid_grant')
    provider.clock.advance(9_999)
    expect((await redeem(provider, code)).status).toBe(200)
    const late = await approve(provider)
    provider.clock.advance(10_000)
    expect(await refusal(redeem(provider, late.code))).toBe('400 invalid_grant')
  })

  test('is possible only for a client that may use the grant', async () => {
    const provider = testProvider()
    provider.registerClient({
      clientId: 'refresher',
      redirectUris: [redirectUri],
      grantTypes: ['refresh_token'],
    })
    const form = { client_id: 'refresher' }
    expect(await refusal(redeem(provider, 'ac_x', form))).toBe('400 unauthorized_client')
  })
})

describe('client authentication', () => {
  const web = { client_id: 'web' }

  test('works by Basic and by post, as registered', async () => {
    const provider = testProvider()
    const first = await approve(provider, {}, web)
    const byBasic = redeem(provider, first.code, { client_id: undefined }, basic('web', secret))
    expect((await byBasic).status).toBe(200)
    const second = await approve(provider, {}, web)
    const byPost = redeem(provider, second.code, { client_id: 'web', client_secret: secret })
    expect((await byPost).status).toBe(200)
    expect(
      provider.events.flatMap((event) =>
        event.type === 'grant' ? event.clientAuthentication : [],
      ),
    ).toEqual(['client_secret_basic', 'client_secret_post'])
  })

  const raw = (word: string, id = 'strict') => ({
    authorization: `Basic ${Buffer.from(`${id}:${word}`).toString('base64')}`,
  })

  test.each([
    ['a wrong secret', {}, basic('web', 'wrong'), '401 invalid_client'],
    ['a secret that is not form-encoded', {}, raw(secret, 'web'), '401 invalid_client'],
    ['another scheme', {}, { authorization: 'Bearer x' }, '401 invalid_client'],
    ['rubbish', {}, { authorization: 'Basic %%%' }, '401 invalid_client'],
    ['no colon', {}, { authorization: 'Basic d2Vi' }, '401 invalid_client'],
    ['an unknown client', {}, basic('nobody', secret), '401 invalid_client'],
    ['both methods', { client_secret: secret }, basic('web', secret), '400 invalid_request'],
    ['two client ids', { client_id: 'app' }, basic('web', secret), '400 invalid_request'],
  ])('by Basic with %s is refused (RFC 6749 §2.3)', async (_, changes, headers, expected) => {
    const provider = testProvider()
    const { code } = await approve(provider, {}, web)
    const response = await redeem(provider, code, { client_id: undefined, ...changes }, headers)
    expect(await refusal(response)).toBe(expected)
    const challenged = response.headers.get('www-authenticate')?.startsWith('Basic ') ?? false
    expect(challenged).toBe(expected.startsWith('401'))
  })

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['no secret', {}],
    ['an empty secret', { client_secret: '' }],
  ])('by post with %s is refused without a challenge', async (_, changes) => {
    const provider = testProvider()
    const { code } = await approve(provider, {}, web)
    const response = await redeem(provider, code, { ...web, ...changes })
    expect(await refusal(response)).toBe('401 invalid_client')
    expect(response.headers.get('www-authenticate')).toBeNull()
  })

  test.each([
    ['a secret', basic('strict', 'wrong'), 'the client secret is wrong (client_secret_basic)'],
    ['an encoding', raw('a+b'), 'is not form-urlencoded (RFC 6749 §2.3.1)'],
    ['a header', { authorization: 'Basic %%%' }, 'is no Basic of two form-urlencoded parts'],
    ['a client', basic('nobody', 'x'), 'the client is not registered'],
    ['a method', {}, 'the client is registered for client_secret_basic, and used none'],
  ])('with %s that is wrong is told so', async (_, headers, problem) => {
    const provider = testProvider()
    provider.registerClient({
      clientId: 'strict',
      clientSecret: 'a+b',
      authMethods: ['client_secret_basic'],
      redirectUris: [redirectUri],
    })
    const form = { client_id: 'authorization' in headers ? undefined : 'strict' }
    const response = await redeem(provider, 'x', form, headers)
    expect(await response.json()).toMatchObject({
      error: 'invalid_client',
      error_description: expect.stringContaining(problem),
    })
  })

  test('by a method that is not registered is refused', async () => {
    const provider = testProvider()
    provider.registerClient({
      clientId: 'strict',
      clientSecret: 's',
      authMethods: ['client_secret_basic'],
      redirectUris: [redirectUri],
    })
    const form = { client_id: 'strict', client_secret: 's' }
    expect(await refusal(redeem(provider, 'x', form))).toBe('401 invalid_client')
    expect(() =>
      provider.registerClient({ redirectUris: [], authMethods: ['client_secret_post'] }),
    ).toThrow(TypeError)
  })
})

describe('the form of a token request', () => {
  const valid = (code: string) =>
    encode({
      grant_type: 'authorization_code',
      code,
      client_id: 'app',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })

  test('is form-encoded, without duplicates, and in the body', async () => {
    const provider = testProvider()
    const { code } = await approve(provider)
    const send = (path: string, body: string, headers?: Record<string, string>) =>
      refusal(post(provider, path, body, headers))
    for (const name of ['code', 'client_id', 'grant_type', 'audience', 'unknown']) {
      const doubled = `${valid(code)}&${name}=x&${name}=x`
      expect(await send('/token', doubled)).toBe('400 invalid_request')
    }
    const json = { 'content-type': 'application/json' }
    expect(await send('/token', JSON.stringify({ code }), json)).toBe('400 invalid_request')
    expect(await send(`/token?code=${code}`, valid(code))).toBe('400 invalid_request')
    expect(await refusal(provider.app.request('/token'))).toBe('405 invalid_request')
    const charset = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
    expect((await post(provider, '/token', valid(code), charset)).status).toBe(200)
  })
})

describe('refreshing', () => {
  test('rotates; the old token coming again revokes everything (RFC 9700 §4.14.2)', async () => {
    const provider = testProvider()
    const { refresh_token } = await obtain(provider)
    const second = await members<TokenResponse>(refresh(provider, refresh_token))
    expect(second.refresh_token).not.toBe(refresh_token)
    expect(await refusal(refresh(provider, refresh_token))).toBe('400 invalid_grant')
    expect(await refusal(refresh(provider, second.refresh_token))).toBe('400 invalid_grant')
    expect((await listItems(provider, second.access_token)).status).toBe(401)
  })

  test('never widens the scope, and narrows the access token only (RFC 6749 §6)', async () => {
    const provider = testProvider()
    const { refresh_token } = await obtain(provider, { scopes: ['items:read', 'items:write'] })
    const wider = { scope: 'items:read openid' }
    expect(await refusal(refresh(provider, refresh_token, wider))).toBe('400 invalid_scope')
    const narrow = { scope: 'items:read' }
    const second = await members<TokenResponse>(refresh(provider, refresh_token, narrow))
    expect(second.scope).toBe('items:read')
    const third = await members<TokenResponse>(refresh(provider, second.refresh_token))
    expect(third.scope).toBe('items:read items:write')
  })

  test.each([
    ['an unknown token', 'rt_unknown', {}, '400 invalid_grant'],
    ['no token', '', {}, '400 invalid_request'],
    ['an access token', 'access', {}, '400 invalid_grant'],
    [
      'another client',
      'refresh',
      { client_id: 'other', client_secret: 'other' },
      '400 invalid_grant',
    ],
    ['an unknown resource', 'refresh', { resource: 'https://x.example' }, '400 invalid_target'],
  ])('with %s is refused', async (_, which, changes, expected) => {
    const provider = testProvider()
    const tokens = await obtain(provider)
    const known: Record<string, string> = {
      access: tokens.access_token,
      refresh: tokens.refresh_token,
    }
    expect(await refusal(refresh(provider, known[which] ?? which, changes))).toBe(expected)
  })

  test('ends with the lifetime, with revocation by the user, and with nothing else', async () => {
    const provider = testProvider({ lifetimes: { refreshToken: 100, accessToken: 10 } })
    const { refresh_token, access_token, id } = await obtain(provider)
    const bystander = await obtain(provider)
    provider.authorization(id)?.advance(10_000)
    expect((await listItems(provider, access_token)).status).toBe(401)
    expect((await listItems(provider, bystander.access_token)).status).toBe(200)
    const second = await members<TokenResponse>(refresh(provider, refresh_token))
    expect((await listItems(provider, second.access_token)).status).toBe(200)
    provider.authorization(id)?.revoke()
    expect((await listItems(provider, second.access_token)).status).toBe(401)
    expect(await refusal(refresh(provider, second.refresh_token))).toBe('400 invalid_grant')
    provider.clock.advance(100_000)
    expect(await refusal(refresh(provider, bystander.refresh_token))).toBe('400 invalid_grant')
  })

  test('is not offered to a client that may not refresh', async () => {
    const provider = testProvider()
    provider.registerClient({
      clientId: 'once',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code'],
    })
    const { code } = await approve(provider, {}, { client_id: 'once' })
    const tokens = await members(redeem(provider, code, { client_id: 'once' }))
    expect(tokens).not.toHaveProperty('refresh_token')
  })
})

describe('resource indicators', () => {
  test('bind the audience of the token, and are never widened (RFC 8707 §2.2)', async () => {
    const provider = testProvider({ accessTokenFormat: 'jwt' })
    const resource = `${provider.issuer}/resource`
    const { access_token, refresh_token } = await obtain(provider, {}, { resource })
    const claims: unknown = JSON.parse(
      Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(claims).toMatchObject({ aud: [resource], client_id: 'app', iss: provider.issuer })
    const wider = { resource: provider.issuer }
    expect(await refusal(refresh(provider, refresh_token, wider))).toBe('400 invalid_target')
    expect((await listItems(provider, access_token)).status).toBe(200)
  })
})

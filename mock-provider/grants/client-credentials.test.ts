import { describe, expect, test } from 'vitest'
import type { MockProviderOptions } from '../provider/provider.ts'
import {
  basic,
  listItems,
  members,
  post,
  refusal,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

const service = basic('service', 's')

function provider(options: MockProviderOptions = {}) {
  const created = testProvider(options)
  created.registerClient({
    clientId: 'service',
    clientSecret: 's',
    redirectUris: [],
    grantTypes: ['client_credentials'],
  })
  return created
}

const ask = (target = provider(), changes = {}, headers: Record<string, string> = service) =>
  post(target, '/token', { grant_type: 'client_credentials', ...changes }, headers)

describe('client credentials', () => {
  test('get an access token for the client itself, and nothing else (RFC 6749 §4.4.3)', async () => {
    const target = provider()
    const tokens = await members<TokenResponse>(ask(target))
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^at_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'items:read items:write',
    })
    expect(await (await listItems(target, tokens.access_token)).text()).toContain('service')
    expect(target.events.find(({ type }) => type === 'grant')).toMatchObject({
      grantType: 'client_credentials',
      clientId: 'service',
      outcome: 'issued',
      issued: ['access_token-1'],
      authorization: expect.stringMatching(/^authz_/),
    })
  })

  test('are signed by another algorithm where that is wanted (RFC 9068 §2.1)', async () => {
    const target = provider({ accessTokenFormat: 'jwt', accessTokenSigningAlg: 'EdDSA' })
    const { access_token } = await members<TokenResponse>(ask(target))
    const header: unknown = JSON.parse(
      Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString(),
    )
    expect(header).toMatchObject({ typ: 'at+jwt', alg: 'EdDSA' })
  })

  test('come as a JWT that names the client twice (RFC 9068 §2.2)', async () => {
    const target = provider({ accessTokenFormat: 'jwt' })
    const { access_token } = await members<TokenResponse>(ask(target))
    const [header, claims] = access_token
      .split('.')
      .slice(0, 2)
      .map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toMatchObject({ typ: 'at+jwt', alg: 'ES256', kid: expect.any(String) })
    expect(claims).toEqual({
      iss: target.issuer,
      sub: 'service',
      client_id: 'service',
      aud: [`${target.issuer}/resource`],
      scope: 'items:read items:write',
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    })
  })

  test.each([
    ['an unknown scope', { scope: 'nope' }, service, '400 invalid_scope'],
    ['a scope about users', { scope: 'openid' }, service, '400 invalid_scope'],
    ['an unknown resource', { resource: 'https://x.example' }, service, '400 invalid_target'],
    ['a wrong secret', {}, basic('service', 'x'), '401 invalid_client'],
    ['no secret', { client_id: 'service' }, {}, '401 invalid_client'],
    ['a public client', { client_id: 'app' }, {}, '400 unauthorized_client'],
    ['a client of other grants', {}, basic('other', 'other'), '400 unauthorized_client'],
  ])('are refused with %s', async (_, changes, headers, expected) => {
    expect(await refusal(ask(provider(), changes, headers))).toBe(expected)
  })

  test('are nothing for a client that has none', () => {
    const input = { redirectUris: [], grantTypes: ['client_credentials'] } as const
    expect(() => testProvider().registerClient(input)).toThrow(TypeError)
  })
})

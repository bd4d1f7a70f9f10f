import { describe, expect, test } from 'vitest'
import type { MockProviderOptions, MockProvider } from '../provider/provider.ts'
import {
  basic,
  encode,
  listItems,
  members,
  obtain,
  post,
  refusal,
  secret,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
const gateway = basic('gateway', 'g')

function provider(options: MockProviderOptions = {}): MockProvider {
  const created = testProvider(options)
  created.registerClient({
    clientId: 'gateway',
    clientSecret: 'g',
    redirectUris: [],
    grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange', 'client_credentials'],
  })
  return created
}

const exchange = (target: MockProvider, token: string, changes = {}, headers = gateway) =>
  post(
    target,
    '/token',
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: accessToken,
      ...changes,
    },
    headers,
  )

describe('token exchange', () => {
  test('issues another token for the same subject (RFC 8693 §2.2.1)', async () => {
    const target = provider({ accessTokenFormat: 'jwt' })
    const { access_token, id } = await obtain(target)
    const exchanged = await members<TokenResponse>(
      exchange(target, access_token, { scope: 'items:read' }),
    )
    expect(exchanged).toEqual({
      access_token: expect.any(String),
      issued_token_type: accessToken,
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'items:read',
    })
    expect(await (await listItems(target, exchanged.access_token)).text()).toContain('alice')
    expect(target.events.findLast(({ type }) => type === 'grant')).toMatchObject({
      authorization: id,
      clientId: 'gateway',
      presented: 'access_token-1',
      outcome: 'issued',
    })
    // what it was exchanged for ends with the authorization
    target.authorization(id)?.revoke()
    expect((await listItems(target, exchanged.access_token)).status).toBe(401)
  })

  test('names who acts for the subject (RFC 8693 §4.1)', async () => {
    const target = provider({ accessTokenFormat: 'jwt' })
    const subject = await obtain(target)
    const form = { grant_type: 'client_credentials' }
    const actor = await members<TokenResponse>(post(target, '/token', form, gateway))
    const { access_token } = await members<TokenResponse>(
      exchange(target, subject.access_token, {
        actor_token: actor.access_token,
        actor_token_type: accessToken,
      }),
    )
    const claims: unknown = JSON.parse(
      Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(claims).toMatchObject({ sub: 'alice', act: { sub: 'gateway' }, client_id: 'gateway' })
    const introspected = post(target, '/introspect', { token: access_token }, gateway)
    expect(await members(introspected)).toMatchObject({ sub: 'alice', act: { sub: 'gateway' } })
  })

  test('gives no more time than was left', async () => {
    const target = provider()
    const { access_token, id } = await obtain(target)
    target.authorization(id)?.advance(3_000_000)
    const { expires_in } = await members<TokenResponse>(exchange(target, access_token))
    expect(expires_in).toBeLessThanOrEqual(600)
  })

  test.each([
    ['an unknown token', { subject_token: 'x' }, '400 invalid_request'],
    ['no token', { subject_token: undefined }, '400 invalid_request'],
    ['no token type', { subject_token_type: undefined }, '400 invalid_request'],
    ['another token type', { subject_token_type: `${accessToken}x` }, '400 invalid_request'],
    ['another requested type', { requested_token_type: 'x' }, '400 invalid_request'],
    ['an actor type alone', { actor_token_type: accessToken }, '400 invalid_request'],
    [
      'an unknown actor',
      { actor_token: 'x', actor_token_type: accessToken },
      '400 invalid_request',
    ],
    ['an actor without type', { actor_token: 'x' }, '400 invalid_request'],
    ['more scope', { scope: 'items:read openid' }, '400 invalid_scope'],
    ['another resource', { resource: 'https://x.example' }, '400 invalid_target'],
    ['another audience', { audience: 'somebody' }, '400 invalid_target'],
  ])('is refused with %s (RFC 8693 §2.2.2)', async (_, changes, expected) => {
    const target = provider()
    const { access_token } = await obtain(target)
    expect(await refusal(exchange(target, access_token, changes))).toBe(expected)
  })

  test('may name several audiences (RFC 8693 §2.1)', async () => {
    const target = provider()
    const { access_token } = await obtain(target, {}, { resource: target.issuer })
    const form = encode({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: access_token,
      subject_token_type: accessToken,
    })
    const audience = ['/resource', '/mcp'].map((path) => `${target.issuer}${path}`)
    const both = `${form}&${audience.map((each) => encode({ audience: each })).join('&')}`
    const exchanged = await members<TokenResponse>(post(target, '/token', both, gateway))
    const introspected = post(target, '/introspect', { token: exchanged.access_token }, gateway)
    expect(await members(introspected)).toMatchObject({ aud: audience })
  })

  test('is refused for what is no live access token', async () => {
    const target = provider()
    const { access_token, refresh_token, id } = await obtain(target)
    expect(await refusal(exchange(target, refresh_token))).toBe('400 invalid_request')
    target.authorization(id)?.revoke()
    expect(await refusal(exchange(target, access_token))).toBe('400 invalid_request')
  })

  test('is for clients that are registered for it, and authenticate', async () => {
    const target = provider()
    const { access_token } = await obtain(target)
    const web = exchange(target, access_token, {}, basic('web', secret))
    expect(await refusal(web)).toBe('400 unauthorized_client')
    expect(() =>
      target.registerClient({
        redirectUris: [],
        grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      }),
    ).toThrow(TypeError)
  })
})

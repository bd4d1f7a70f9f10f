import { hash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  approve,
  authorize,
  begin,
  decideJson,
  listItems,
  locationOf,
  members,
  redeem,
  redirectUri,
  testProvider,
  type TokenResponse,
} from '../testing.ts'
import { responseTypes } from './response-types.ts'

const openid = { scope: 'openid items:read email', nonce: 'n' }

const front = () => {
  const provider = testProvider()
  provider.registerClient({ clientId: 'app', redirectUris: [redirectUri], responseTypes })
  return provider
}

const fragmentOf = (response: URL) => new URLSearchParams(response.hash.slice(1))

const half = (value: string) =>
  hash('sha256', value, 'buffer').subarray(0, 16).toString('base64url')

describe.each(responseTypes.filter((type) => type !== 'code'))('response_type=%s', (type) => {
  test('brings in the fragment what it names, and nothing else', async () => {
    const provider = front()
    // RFC 6749 §3.1.1: in any order
    const response_type = type.split(' ').toReversed().join(' ')
    const { response } = await approve(provider, {}, { ...openid, response_type })
    expect(response.search).toBe('')
    const given = fragmentOf(response)
    const { code, access_token, id_token } = Object.fromEntries(given)
    expect(given.get('state')).toBe('the-state')
    expect(given.get('iss')).toBe(provider.issuer)
    const brought = [code && 'code', id_token && 'id_token', access_token && 'token']
    expect(brought.filter(Boolean).join(' ')).toBe(type)
    if (id_token) {
      const claims = decodeJwt(id_token)
      expect(claims).toMatchObject({ aud: 'app', nonce: 'n', sub: 'alice' })
      expect(claims['at_hash']).toBe(access_token && half(access_token))
      expect(claims['c_hash']).toBe(code && half(code))
      // OpenID Connect Core §5.4: where no access token could ask for it
      expect(claims['email']).toBe(type === 'id_token' ? 'alice@users.example' : undefined)
    }
    if (access_token) {
      expect(given.get('token_type')).toBe('Bearer')
      expect(given.get('expires_in')).toBe('3600')
      expect((await listItems(provider, access_token)).status).toBe(200)
    }
    if (code) {
      const tokens = await members<TokenResponse>(redeem(provider, code))
      expect(decodeJwt(tokens.id_token ?? '').sub).toBe('alice')
    }
    const last = provider.events.findLast(({ type: each }) => each === 'response')
    expect(last).not.toHaveProperty('leniencies', ['pkce-optional'])
  })

  test('is refused to a client that is not registered for it', async () => {
    const response = locationOf(await authorize(testProvider(), { ...openid, response_type: type }))
    expect(fragmentOf(response).get('error')).toBe('unauthorized_client')
  })

  test('never travels in the query', async () => {
    const changes = { ...openid, response_type: type, response_mode: 'query' }
    const response = locationOf(await authorize(front(), changes))
    expect(fragmentOf(response).get('error')).toBe('invalid_request')
    expect(response.search).toBe('')
  })
})

test.each([
  ['without nonce', { nonce: undefined }],
  ['without openid', { scope: 'items:read' }],
])('an ID token %s is refused', async (_, changes) => {
  const request = { ...openid, response_type: 'id_token', ...changes }
  const response = locationOf(await authorize(front(), request))
  expect(fragmentOf(response).get('error')).toBe('invalid_request')
})

test('a refusal travels in the fragment as well', async () => {
  const changes = { ...openid, response_type: 'id_token token' }
  const { response } = await approve(front(), { action: 'deny' }, changes)
  expect(fragmentOf(response).get('error')).toBe('access_denied')
})

describe('response_mode=form_post', () => {
  const posted = async (response: Response) => {
    const text = await response.text()
    const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
    return {
      action: /action="([^"]*)"/.exec(text)?.[1],
      parameters: Object.fromEntries([...inputs].map(([, name, value]) => [name, value])),
    }
  }

  test('posts the response to the redirect URI', async () => {
    const provider = testProvider()
    const id = await begin(provider, { response_mode: 'form_post' })
    const response = await decideJson(provider, id)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'/)
    const { action, parameters } = await posted(response)
    expect(action).toBe(redirectUri)
    expect(parameters).toEqual({
      code: expect.stringMatching(/^ac_/),
      state: 'the-state',
      iss: provider.issuer,
    })
    expect((await redeem(provider, parameters['code'] ?? '')).status).toBe(200)
    const decision = provider.events.find(({ type }) => type === 'decision')
    expect(decision).toMatchObject({ location: redirectUri })
  })

  test('posts an error as well', async () => {
    const response = await authorize(testProvider(), { response_mode: 'form_post', scope: 'root' })
    expect((await posted(response)).parameters).toMatchObject({ error: 'invalid_scope' })
  })
})

test('a code may travel in the fragment', async () => {
  const { response } = await approve(testProvider(), {}, { response_mode: 'fragment' })
  expect(fragmentOf(response).get('code')).toMatch(/^ac_/)
})

describe('registration', () => {
  const register = async (registered: object) =>
    testProvider().app.request('/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], ...registered }),
    })

  test('knows implicit and hybrid clients', async () => {
    const hybrid = {
      response_types: ['id_token code', 'code'],
      grant_types: ['authorization_code', 'implicit'],
    }
    expect(await members(register(hybrid))).toMatchObject({
      response_types: ['code id_token', 'code'],
      grant_types: ['authorization_code', 'implicit'],
    })
    const implicit = { response_types: ['id_token'], grant_types: ['implicit'] }
    expect(await members(register(implicit))).toMatchObject(implicit)
  })

  test.each([
    { response_types: ['id_token'] },
    { response_types: ['code'], grant_types: ['implicit'] },
    { response_types: ['saml'] },
    { response_types: [], grant_types: ['authorization_code'] },
    {
      response_types: ['token'],
      grant_types: ['implicit'],
      dpop_bound_access_tokens: true,
    },
  ])('refuses %o', async (registered) => {
    expect(await members(register(registered))).toMatchObject({ error: 'invalid_client_metadata' })
  })
})

import { hash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Decision } from '../authorization/decide.ts'
import { createMockProvider, type MockProvider } from '../provider/provider.ts'
import {
  authorizationParameters,
  authorize,
  begin,
  decideJson,
  encode,
  locationOf,
  members,
  obtain,
  post,
  redeem,
  redirectUri,
  refresh,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

type Form = Readonly<Record<string, string | undefined>>

/** It stands still but for what moves it. */
const clock = { now: () => 1_800_000_000_000 }

/** A user agent that keeps its cookies. */
function userAgent(provider: MockProvider) {
  const jar = new Map<string, string>()
  const request = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await provider.app.request(url, { ...init, headers })
    const [name, value] = response.headers.get('set-cookie')?.split(';')[0]?.split('=') ?? []
    if (name !== undefined) jar.set(name, value ?? '')
    return response
  }
  return {
    jar,
    request,
    /** Asks, decides at the page if there is one, and returns where the client is called back. */
    async visit(changes: Form = {}, decision: Partial<Decision> = {}): Promise<URL> {
      const query = encode({ ...authorizationParameters, scope: 'openid', ...changes })
      const location = locationOf(await request(`/authorize?${query}`))
      if (location.origin !== new URL(provider.issuer).origin) return location
      const decided = await request(`${location.pathname}/decision`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'approve', ...decision }),
      })
      return locationOf(decided)
    },
    async idToken(changes: Form = {}, decision: Partial<Decision> = {}) {
      const response = await this.visit(changes, decision)
      expect(Object.fromEntries(response.searchParams)).toHaveProperty('code')
      const code = response.searchParams.get('code') ?? ''
      const tokens = await members<TokenResponse>(redeem(provider, code))
      return decodeJwt(tokens.id_token ?? '')
    },
  }
}

const errorOf = (response: URL) => response.searchParams.get('error')

describe('an ID token', () => {
  test('says who signed in when and how, and names the access token', async () => {
    const provider = testProvider({ clock })
    const request = { scope: 'openid', nonce: 'n', acr_values: 'urn:x:2 urn:x:1', max_age: '600' }
    const { id_token = '', access_token } = await obtain(provider, { subject: 'bob' }, request)
    const half = hash('sha256', access_token, 'buffer').subarray(0, 16).toString('base64url')
    const now = Math.floor(provider.clock.now() / 1000)
    expect(decodeJwt(id_token)).toEqual({
      iss: provider.issuer,
      sub: 'bob',
      aud: 'app',
      nonce: 'n',
      jti: expect.any(String),
      iat: now,
      exp: now + 3600,
      auth_time: now,
      acr: 'urn:x:2',
      amr: ['pwd'],
      at_hash: half,
    })
  })

  test('of a refresh has the time of the sign-in, and no nonce (§12.2)', async () => {
    const provider = testProvider({ clock })
    const tokens = await obtain(provider, {}, { scope: 'openid', nonce: 'n' })
    const before = decodeJwt(tokens.id_token ?? '')
    provider.clock.advance(100_000)
    const refreshed = await members<TokenResponse>(refresh(provider, tokens.refresh_token))
    const after = decodeJwt(refreshed.id_token ?? '')
    expect(after).toMatchObject({ sub: 'alice', aud: 'app', auth_time: before['auth_time'] })
    expect(after.iat).toBe((before.iat ?? 0) + 100)
    expect(after).not.toHaveProperty('nonce')
  })
})

describe('a session', () => {
  test('goes on where it may, and begins anew where it has to', async () => {
    const provider = testProvider({ clock })
    const agent = userAgent(provider)
    const first = (await agent.idToken())['auth_time']
    provider.clock.advance(60_000)
    expect((await agent.idToken({ max_age: '100' }))['auth_time']).toBe(first)
    const forced = (await agent.idToken({ prompt: 'login' }))['auth_time']
    expect(forced).toBe(Number(first) + 60)
    provider.clock.advance(60_000)
    expect((await agent.idToken({ max_age: '59' }))['auth_time']).toBe(Number(first) + 120)
    provider.clock.advance(1_000)
    expect((await agent.idToken({}, { subject: 'bob' }))['auth_time']).toBe(Number(first) + 121)
  })

  test('answers without asking what was asked before (§3.1.2.6)', async () => {
    const provider = testProvider({ clock })
    const agent = userAgent(provider)
    expect(errorOf(await agent.visit({ prompt: 'none' }))).toBe('login_required')
    const first = await agent.idToken({}, { subject: 'bob' })
    provider.clock.advance(10_000)
    const silent = await agent.idToken({ prompt: 'none' })
    expect(silent).toMatchObject({ sub: 'bob', auth_time: first['auth_time'] })
    const more = await agent.visit({ prompt: 'none', scope: 'openid items:read' })
    expect(errorOf(more)).toBe('consent_required')
    expect(errorOf(await agent.visit({ prompt: 'none', max_age: '9' }))).toBe('login_required')
    // another client was granted nothing
    provider.registerClient({ clientId: 'spa', redirectUris: [redirectUri] })
    expect(errorOf(await agent.visit({ prompt: 'none', client_id: 'spa' }))).toBe(
      'consent_required',
    )
  })

  test('is a secret of the user agent', async () => {
    const provider = createMockProvider({
      issuer: 'https://provider.test/team',
      clients: [{ clientId: 'app', redirectUris: [redirectUri] }],
    })
    const query = encode({ ...authorizationParameters, scope: 'openid' })
    const page = locationOf(await provider.app.request(`/team/authorize?${query}`))
    const response = await provider.app.request(`${page.pathname}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"action":"approve"}',
    })
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^aoc_session_[0-9a-f]{8}=session_\S+; Path=\/team; HttpOnly; SameSite=None; Secure$/,
    )
    const [, value] = /=([^;]*);/.exec(cookie) ?? []
    expect(provider.secrets.find((secret) => secret.value === value)?.kind).toBe('session')
  })

  test('is none of OAuth alone', async () => {
    const provider = testProvider({ clock })
    const response = await decideJson(provider, await begin(provider))
    expect(response.headers.get('set-cookie')).toBeNull()
  })
})

describe('hints', () => {
  test('say who is expected', async () => {
    const provider = testProvider({
      users: [{ subject: 'alice' }, { subject: 'bob', email: 'b@x.example' }],
    })
    const pageOf = async (changes: Form) => {
      const location = locationOf(await authorize(provider, { scope: 'openid', ...changes }))
      return (await provider.app.request(location.pathname)).text()
    }
    expect(await pageOf({ login_hint: 'b@x.example' })).toMatch(/value="bob" selected/)
    expect(await pageOf({})).not.toMatch(/selected/)
    expect((await userAgent(provider).idToken({ login_hint: 'bob' })).sub).toBe('bob')
  })

  test('that are ID tokens bind the answer to their user (§3.1.2.1)', async () => {
    const provider = testProvider({ clock })
    const { id_token } = await obtain(provider, { subject: 'bob' }, { scope: 'openid' })
    provider.clock.advance(7_200_000)
    const agent = userAgent(provider)
    const hinted = { id_token_hint: id_token }
    expect((await agent.idToken(hinted)).sub).toBe('bob')
    expect(errorOf(await agent.visit(hinted, { subject: 'alice' }))).toBe('login_required')
    expect((await agent.idToken({ ...hinted, prompt: 'none' })).sub).toBe('bob')
    await agent.idToken({}, { subject: 'alice' })
    expect(errorOf(await agent.visit({ ...hinted, prompt: 'none' }))).toBe('login_required')
  })

  test('that somebody else signed are refused', async () => {
    const other = await obtain(
      testProvider({ clock, signingKey: undefined }),
      {},
      { scope: 'openid' },
    )
    const provider = testProvider({ clock })
    const changed = `${other.id_token?.slice(0, -8)}AAAAAAAA`
    for (const id_token_hint of [other.id_token, changed, 'x', 'e30.e30.']) {
      const response = await userAgent(provider).visit({ id_token_hint })
      expect(errorOf(response)).toBe('invalid_request')
    }
  })
})

describe('claims', () => {
  const users = [
    {
      subject: 'carol',
      name: 'Carol C.',
      claims: {
        given_name: 'Carol',
        groups: ['admin'],
        phone_number: '+1',
        address: { country: 'NL' },
      },
    },
  ]
  const released = async (changes: Form) => {
    const provider = testProvider({ clock, users })
    const tokens = await obtain(provider, { subject: 'carol' }, changes)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const info = await members(provider.app.request('/userinfo', { headers }))
    return { info, idToken: decodeJwt(tokens.id_token ?? '') }
  }

  test('are told by scope, and those of no scope always (§5.4)', async () => {
    const { info, idToken } = await released({ scope: 'openid profile' })
    expect(info).toEqual({ sub: 'carol', name: 'Carol C.', given_name: 'Carol', groups: ['admin'] })
    expect(idToken).toMatchObject({ groups: ['admin'] })
    expect(idToken).not.toHaveProperty('name')
    const all = await released({ scope: 'openid profile email address phone' })
    expect(all.info).toMatchObject({
      email: 'carol@users.example',
      email_verified: true,
      phone_number: '+1',
      address: { country: 'NL' },
    })
  })

  test('are told by name where they are asked for (§5.5)', async () => {
    const claims = {
      userinfo: { given_name: { essential: true }, nickname: null },
      id_token: { email: null, auth_time: { essential: true }, acr: { values: ['2', '1'] } },
    }
    const { info, idToken } = await released({ scope: 'openid', claims: JSON.stringify(claims) })
    expect(info).toEqual({ sub: 'carol', given_name: 'Carol', groups: ['admin'] })
    expect(idToken).toMatchObject({ email: 'carol@users.example', acr: '2' })
  })

  test('ask for one user', async () => {
    const agent = userAgent(testProvider({ clock }))
    const claims = JSON.stringify({ id_token: { sub: { value: 'bob' } } })
    expect((await agent.idToken({ claims })).sub).toBe('bob')
    expect(errorOf(await agent.visit({ claims }, { subject: 'alice' }))).toBe('login_required')
  })

  test.each(['x', '[]', '{"id_token":1}', '{"userinfo":{"name":1}}'])(
    '%s is none',
    async (text) => {
      const response = await userAgent(testProvider({ clock })).visit({ claims: text })
      expect(errorOf(response)).toBe('invalid_request')
    },
  )
})

test.each(['-1', '1.5', 'x'])('max_age=%s is refused', async (max_age) => {
  const response = await userAgent(testProvider({ clock })).visit({ max_age })
  expect(errorOf(response)).toBe('invalid_request')
})

test('the issuer has a page with links, and the page of a decision offers expiry', async () => {
  const provider = testProvider({ clock })
  const start = await provider.app.request('/')
  expect(await start.text()).toContain(`href="${provider.issuer}/jwks"`)
  const id = await begin(provider)
  expect(await (await provider.app.request(`/authorize/${id}`)).text()).toContain('have expired')
  const form = { action: 'approve', subject: 'bob', access_token_lifetimes: '0' }
  const location = locationOf(await post(provider, `/authorize/${id}/decision`, form))
  const code = location.searchParams.get('code') ?? ''
  expect(await members(redeem(provider, code))).toMatchObject({ expires_in: 0 })
  const usual = await begin(provider)
  const unchanged = { ...form, access_token_lifetimes: '' }
  const other = locationOf(await post(provider, `/authorize/${usual}/decision`, unchanged))
  const tokens = redeem(provider, other.searchParams.get('code') ?? '')
  expect(await members(tokens)).toMatchObject({ expires_in: 3600 })
})

test('a device signs in, too', async () => {
  const grant = 'urn:ietf:params:oauth:grant-type:device_code' as const
  const provider = testProvider({ clients: [{ clientId: 'tv', grantTypes: [grant] }] })
  const device = await members<Record<string, string>>(
    post(provider, '/device_authorization', { client_id: 'tv', scope: 'openid' }),
  )
  const page = locationOf(await post(provider, '/device', { user_code: device['user_code'] ?? '' }))
  await decideJson(provider, page.pathname.split('/').at(-1) ?? '', { subject: 'bob' })
  const form = { grant_type: grant, client_id: 'tv', device_code: device['device_code'] ?? '' }
  const tokens = await members<TokenResponse>(post(provider, '/token', form))
  expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
    sub: 'bob',
    auth_time: expect.any(Number),
  })
})

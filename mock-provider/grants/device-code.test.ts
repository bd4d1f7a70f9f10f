import { describe, expect, test } from 'vitest'
import type { Decision } from '../authorization/decide.ts'
import type { MockProvider } from '../provider/provider.ts'
import {
  basic,
  decideJson,
  listItems,
  locationOf,
  members,
  post,
  refresh,
  refusal,
  testProvider,
  type TokenResponse,
} from '../testing.ts'

const grant = 'urn:ietf:params:oauth:grant-type:device_code'

interface DeviceResponse {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

/** Its clock stands still unless it is moved. */
function provider(): MockProvider {
  const now = Date.now()
  const created = testProvider({ clock: { now: () => now } })
  created.registerClient({
    clientId: 'tv',
    redirectUris: [],
    grantTypes: [grant, 'refresh_token'],
  })
  return created
}

const start = (target: MockProvider, changes = {}) =>
  members<DeviceResponse>(
    post(target, '/device_authorization', { client_id: 'tv', scope: 'items:read', ...changes }),
  )

const poll = (target: MockProvider, device_code: string, changes = {}) =>
  post(target, '/token', { grant_type: grant, client_id: 'tv', device_code, ...changes })

const enter = (target: MockProvider, user_code: string) => post(target, '/device', { user_code })

async function decide(target: MockProvider, userCode: string, decision: Partial<Decision> = {}) {
  const id =
    locationOf(await enter(target, userCode))
      .pathname.split('/')
      .at(-1) ?? ''
  return { id, response: await decideJson(target, id, decision) }
}

describe('a device', () => {
  test('gets its codes, waits, and gets tokens once the user approved (RFC 8628)', async () => {
    const target = provider()
    const started = await start(target)
    expect(started).toEqual({
      device_code: expect.stringMatching(/^dc_.{32}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${target.issuer}/device`,
      verification_uri_complete: `${target.issuer}/device?user_code=${started.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    expect(await refusal(poll(target, started.device_code))).toBe('400 authorization_pending')
    const { response } = await decide(target, started.user_code, { subject: 'bob' })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    target.clock.advance(5_000)
    const tokens = await members<TokenResponse>(poll(target, started.device_code))
    expect(tokens.scope).toBe('items:read')
    expect(await (await listItems(target, tokens.access_token)).text()).toContain('Welcome, bob')
    expect((await refresh(target, tokens.refresh_token, { client_id: 'tv' })).status).toBe(200)
    expect(target.events.findLast(({ type }) => type === 'decision')).toMatchObject({
      subject: 'bob',
      location: '',
    })
  })

  test('that asks too often is slowed down for good (RFC 8628 §3.5)', async () => {
    const target = provider()
    const { device_code, user_code } = await start(target)
    const attempt = async (seconds: number) => {
      target.clock.advance(seconds * 1000)
      return refusal(poll(target, device_code))
    }
    expect(await attempt(0)).toBe('400 authorization_pending')
    expect(await attempt(4)).toBe('400 slow_down')
    // ten seconds from now on
    expect(await attempt(6)).toBe('400 slow_down')
    // fifteen
    expect(await attempt(15)).toBe('400 authorization_pending')
    await decide(target, user_code)
    expect(await attempt(1)).toBe('400 slow_down')
    target.clock.advance(20_000)
    expect((await poll(target, device_code)).status).toBe(200)
  })

  test.each([
    ['denial', { action: 'deny' }, 'access_denied'],
    ['an error', { action: 'error', error: 'server_error' }, 'server_error'],
    ['a fault', { faults: ['authorize-error-temporarily_unavailable'] }, 'temporarily_unavailable'],
  ] as const)('learns of %s', async (_, decision, error) => {
    const target = provider()
    const { device_code, user_code } = await start(target)
    await decide(target, user_code, decision)
    expect(await refusal(poll(target, device_code))).toBe(`400 ${error}`)
  })

  test('has its code for a while', async () => {
    const target = provider()
    const { device_code, user_code } = await start(target)
    target.clock.advance(600_000)
    expect(await refusal(poll(target, device_code))).toBe('400 expired_token')
    expect((await enter(target, user_code)).status).toBe(400)
  })

  test('redeems its code once of many times', async () => {
    const target = provider()
    const { device_code, user_code } = await start(target)
    await decide(target, user_code)
    const attempts = await Promise.all(Array.from({ length: 8 }, () => poll(target, device_code)))
    expect(attempts.filter(({ status }) => status === 200)).toHaveLength(1)
    target.clock.advance(3_600_000)
    expect(await refusal(poll(target, device_code))).toBe('400 invalid_grant')
  })

  test.each([
    ['an unknown code', { device_code: 'dc_x' }, '400 invalid_grant'],
    ['no code', { device_code: undefined }, '400 invalid_request'],
    ['a client that may not', { client_id: 'app' }, '400 unauthorized_client'],
  ])('is refused with %s', async (_, changes, expected) => {
    const target = provider()
    const { device_code } = await start(target)
    expect(await refusal(poll(target, device_code, changes))).toBe(expected)
  })

  test('cannot use the code of another', async () => {
    const target = provider()
    target.registerClient({ clientId: 'tv2', redirectUris: [], grantTypes: [grant] })
    const { device_code } = await start(target)
    expect(await refusal(poll(target, device_code, { client_id: 'tv2' }))).toBe('400 invalid_grant')
  })
})

describe('the device authorization endpoint', () => {
  test.each([
    ['an unknown scope', { scope: 'nope' }, {}, '400 invalid_scope'],
    ['an unknown client', { client_id: 'x' }, {}, '401 invalid_client'],
    ['a client of other grants', { client_id: 'app' }, {}, '400 unauthorized_client'],
    ['wrong credentials', { client_id: undefined }, basic('web', 'x'), '401 invalid_client'],
  ])('refuses %s', async (_, changes, headers, expected) => {
    const form = { client_id: 'tv', ...changes }
    expect(await refusal(post(provider(), '/device_authorization', form, headers))).toBe(expected)
  })
})

describe('the page for the user code', () => {
  test('wants the code confirmed that came with its address (RFC 8628 §3.3.1)', async () => {
    const target = provider()
    const { user_code, verification_uri_complete } = await start(target)
    const page = await target.app.request(verification_uri_complete)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`value="${user_code}"`)
    expect(target.events.some(({ type }) => type === 'decision')).toBe(false)
  })

  test('takes the code however it is typed, while it awaits a decision', async () => {
    const target = provider()
    const { user_code } = await start(target)
    const typed = ` ${user_code.toLowerCase().replace('-', ' ')} `
    const page = await target.app.request(locationOf(await enter(target, typed)).pathname)
    expect(await page.text()).toContain('You will return to your device')
    await decide(target, user_code)
    const again = await enter(target, user_code)
    expect([again.status, (await again.text()).includes('role="alert"')]).toEqual([400, true])
  })

  test('escapes what was typed', async () => {
    const page = await enter(provider(), '"><script>')
    expect(await page.text()).toContain('value="&quot;&gt;&lt;script&gt;"')
  })
})

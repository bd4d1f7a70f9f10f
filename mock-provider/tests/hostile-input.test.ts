import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import { limits } from '../storage/limits.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { partition } from '../storage/partition.ts'
import {
  approve,
  authorizationParameters,
  begin,
  decideJson,
  encode,
  members,
  obtain,
  post,
  redeem,
  refusal,
  testProvider,
} from '../testing.ts'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const endpoints = [
  ['/token', form],
  ['/par', form],
  ['/revoke', form],
  ['/introspect', form],
  ['/register', json],
  ['/authorize', form],
  ['/authorize/x/decision', json],
  ['/userinfo', form],
  ['/resource/items', json],
  ['/mcp', json],
  ['/device_authorization', form],
  ['/device', form],
] as const

const send = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
  testProvider().app.request(path, { method: 'POST', body, headers: { 'content-type': type } })

describe.each(endpoints)('%s', (path, type) => {
  test.each([
    ['nothing', ''],
    ['deep JSON', '['.repeat(30_000)],
    ['closed deep JSON', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['a prototype in JSON', '{"__proto__":{"action":"approve"},"constructor":{"prototype":{}}}'],
    ['a prototype in a form', '__proto__=x&constructor=y&toString=z&client_id=__proto__'],
    ['broken percent encoding', 'client_id=%&code=%ff%fe&grant_type=%zz'],
    ['control characters', 'client_id=%00%0d%0a&code=%0a'],
  ])('refuses %s in its own form', async (_, body) => {
    for (const contentType of [type, 'text/plain', 'a;b=;;', form, json]) {
      const { status } = await send(path, contentType, body)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
  })

  test('refuses what is too large, and what is not UTF-8', async () => {
    expect(await refusal(send(path, type, 'x'.repeat(64 * 1024 + 1)))).toBe('413 invalid_request')
    expect(await refusal(send(path, type, new Uint8Array([0xc3, 0x28])))).toBe(
      '400 invalid_request',
    )
  })
})

test('an unknown path is refused and logged', async () => {
  const provider = testProvider()
  expect(await refusal(provider.app.request('/%00/../x?y=%'))).toBe('404 not_found')
  expect(provider.events.map(({ endpoint, type }) => `${endpoint} ${type}`)).toEqual([
    'unknown request',
    'unknown response',
  ])
})

test('no parameters whatsoever make the authorization or the token endpoint fail', async () => {
  const provider = testProvider()
  const names = [...Object.keys(authorizationParameters), 'request_uri', 'grant_type', 'code', '']
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...Object.values(authorizationParameters).map((each) => each ?? '')),
  )
  const parameters = fc.array(fc.tuple(fc.constantFrom(...names), value))
  await fc.assert(
    fc.asyncProperty(parameters, async (pairs) => {
      const query = pairs.map(([name, each]) => encode({ [name]: each })).join('&')
      const authorized = await provider.app.request(`/authorize?${query}`)
      expect([303, 400]).toContain(authorized.status)
      const headers = { 'content-type': form }
      const token = await provider.app.request('/token', { method: 'POST', body: query, headers })
      expect([400, 401]).toContain(token.status)
      expect(await token.json()).toHaveProperty('error')
    }),
    { numRuns: 200 },
  )
})

test('thousands of requests that hang are held back up to a limit, and all answered in the end', async () => {
  const provider = testProvider({ faults: ['token-hang'] })
  const count = 10_000
  const statuses: number[] = []
  const send = async () => {
    const response = await provider.app.request('/token', { method: 'POST', body: 'x' })
    statuses.push(response.status)
    // the others still wait: nothing else is held up by them
    if (statuses.length === count - limits.held) {
      expect((await provider.app.request('/jwks')).status).toBe(200)
      expect(new Set(statuses)).toEqual(new Set([429]))
      provider.release()
    }
  }
  await Promise.all(Array.from({ length: count }, send))
  expect(statuses.filter((status) => status === 429)).toHaveLength(count - limits.held)
  expect(statuses.filter((status) => status === 400)).toHaveLength(limits.held)
})

test('what comes in does not come out: no header, page or log line is forged', async () => {
  const injection = 'x\r\nset-cookie: a=b\r\n\r\n<script>alert(1)</script>'
  const name = '"><script>alert(1)</script>'
  const provider = testProvider()
  provider.registerClient({
    clientId: 'evil',
    name,
    redirectUris: ['https://app.example/callback'],
  })
  for (const parameter of Object.keys(authorizationParameters)) {
    const query = encode({ ...authorizationParameters, client_id: 'evil', [parameter]: injection })
    const response = await provider.app.request(`/authorize?${query}`)
    expect([303, 400]).toContain(response.status)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await response.text()).not.toContain('<script')
  }
  const begun = await provider.app.request(
    `/authorize?${encode({ ...authorizationParameters, client_id: 'evil', state: injection })}`,
  )
  const { pathname } = new URL(begun.headers.get('location') ?? '')
  expect(await (await provider.app.request(pathname)).text()).not.toContain('<script')
  const decided = await provider.app.request(`${pathname}/decision`, {
    method: 'POST',
    headers: { 'content-type': form },
    body: encode({ action: 'error', error: 'access_denied', error_description: injection }),
  })
  expect(decided.headers.get('set-cookie')).toBeNull()
  expect(new URL(decided.headers.get('location') ?? '').searchParams.get('state')).toBe(injection)
})

test('what a decision says is told to the client, or refused', async () => {
  const provider = testProvider()
  for (const decision of [
    { subject: '\ud800' },
    { scopes: [] },
    { scopes: ['openid'] },
    { access_token_lifetimes: [-1] },
    { faults: [{ fault: 'token-redirect', value: 'x', more: 1 }] },
  ] as const) {
    const id = await begin(provider)
    expect(await refusal(decideJson(provider, id, decision))).toMatch(/^400 invalid_/)
  }
  const subject = '\u0000\r\n漢"'
  const changes = { scope: 'openid profile email items:read' }
  const { access_token } = await obtain(provider, { subject }, changes)
  const headers = { authorization: `Bearer ${access_token}` }
  const userinfo = provider.app.request('/userinfo', { headers })
  expect(await members(userinfo)).toMatchObject({ sub: subject, name: subject })
  const twice = { scopes: ['items:read', 'items:read'] }
  expect((await obtain(provider, twice)).scope).toBe('items:read')
})

test.each([
  ['token-redirect', 'location'],
  ['resource-error-insufficient_scope', 'www-authenticate'],
  ['resource-redirect', 'location'],
] as const)('the value of %s forges no header', async (fault, header) => {
  const value = 'x"\r\nset-cookie: a=b, 漢\ud800'
  const provider = testProvider({ faults: [{ fault, value }] })
  const path = fault === 'token-redirect' ? '/token' : '/resource/items'
  const { headers } = await provider.app.request(path, { method: 'POST' })
  expect(headers.get(header)).toContain('xset-cookie: a=b,')
  expect(headers.get('set-cookie')).toBeNull()
})

test('nothing that can be registered as a redirect URI breaks the redirect', async () => {
  const uri = fc
    .tuple(
      fc.constantFrom('https://a.example/', 'com.example:/', 'http://'),
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii' })),
    )
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(uri, async (each) => {
      const provider = testProvider()
      const registered = await provider.app.request('/register', {
        method: 'POST',
        headers: { 'content-type': json },
        body: JSON.stringify({ redirect_uris: [each], token_endpoint_auth_method: 'none' }),
      })
      if (registered.status !== 201) {
        expect(await refusal(registered)).toMatch(/^400 invalid_/)
        return
      }
      const { client_id } = await members(registered)
      const changes = { client_id: String(client_id), redirect_uri: each }
      const { response } = await approve(provider, {}, changes)
      expect(response.href.startsWith(new URL(each).href.split('?')[0] ?? '')).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each(['a', '__proto__', 'constructor', '..%2f..', '%00', 'a'.repeat(5000)])(
  'a tenant or client named %s harms nobody',
  async (name) => {
    const provider = testProvider({ tenants: true, control: true })
    for (const path of [`/${name}/jwks`, `/_control/tenants/${name}/clock`, `/${name}/token`]) {
      const { status } = await provider.app.request(path)
      expect(status).toBeLessThan(500)
    }
    const query = encode({ ...authorizationParameters, client_id: name })
    expect((await provider.app.request(`/authorize?${query}`)).status).toBe(400)
    expect(provider.tenantNames()).toEqual(/^[a-z]{1,20}$/.test(name) ? [name] : [])
    expect(Object.prototype).not.toHaveProperty('action')
  },
)

test('a long life keeps the memory bounded, whatever was asked for', async () => {
  const small = {
    eventCharacters: 20_000,
    secrets: 50,
    records: { authorizations: 20, codes: 20, tokens: 40, pushed: 10, clients: 10, faults: 10 },
    otherRecords: 10,
    collectionCharacters: 100_000,
  }
  const storage = createMemoryStorage({ limits: small })
  const provider = testProvider({ limits: small, storage, autoApprove: { subject: 'alice' } })
  const json = { 'content-type': 'application/json' }
  for (let round = 0; round < 100; round++) {
    const { response } = await authorizeAndRedeem(provider)
    expect(response.status).toBe(200)
    const body = JSON.stringify({ redirect_uris: ['https://app.example/callback'] })
    await provider.app.request('/register', { method: 'POST', headers: json, body })
    await post(provider, '/par', authorizationParameters)
  }
  const part = partition(storage, provider.issuer)
  for (const [name, most] of Object.entries(small.records)) {
    expect((await part.list(name)).length, name).toBeLessThanOrEqual(most)
  }
  expect(provider.secrets.length).toBeLessThanOrEqual(60)
  expect(JSON.stringify(provider.events).length).toBeLessThanOrEqual(30_000)
})

async function authorizeAndRedeem(provider: MockProvider) {
  const authorized = await provider.app.request(`/authorize?${encode(authorizationParameters)}`)
  const location = new URL(authorized.headers.get('location') ?? '')
  return { response: await redeem(provider, location.searchParams.get('code') ?? '') }
}

import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { authorizationParameters, encode, refusal, testProvider } from './testing.ts'

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

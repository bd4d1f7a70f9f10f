import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../storage/memory.ts'
import { partition } from '../storage/partition.ts'
import {
  approve,
  encode,
  listItems,
  locationOf,
  members,
  obtain,
  redeem,
  authorizationParameters,
  redirectUri,
  refusal,
  testProvider,
} from '../testing.ts'
import { createMockProvider, type MockProvider } from './provider.ts'

const origin = 'https://provider.test'

/** The provider as its tenant sees it: with the path of the tenant before every other. */
function at(provider: MockProvider, name: string): MockProvider {
  const request = (path: string, init?: RequestInit) =>
    provider.app.request(`/${name}${path}`, init)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...provider, app: { request } } as unknown as MockProvider
}

describe('a tenant', () => {
  test('is created on first use, with its own issuer, keys, clients, log and clock', async () => {
    const provider = testProvider({ tenants: true })
    const [a, b] = [at(provider, 'a'), at(provider, 'b')]
    const tokens = await obtain(a, {}, { scope: 'openid items:read' })
    expect(tokens.response.searchParams.get('iss')).toBe(`${origin}/a`)
    expect((await listItems(a, tokens.access_token)).status).toBe(200)
    expect((await listItems(b, tokens.access_token)).status).toBe(401)
    expect((await listItems(provider, tokens.access_token)).status).toBe(401)
    expect(await members(a.app.request('/jwks'))).not.toEqual(await members(b.app.request('/jwks')))

    provider.tenant('a').registerClient({ clientId: 'mine', redirectUris: [redirectUri] })
    const asMine = `/authorize?${encode({ ...authorizationParameters, client_id: 'mine' })}`
    expect((await a.app.request(asMine)).status).toBe(303)
    expect((await b.app.request(asMine)).status).toBe(400)

    provider.tenant('a').clock.advance(3_600_000)
    expect((await listItems(a, tokens.access_token)).status).toBe(401)
    expect(provider.tenant('b').clock.now()).toBeLessThan(provider.tenant('a').clock.now())

    const seen = (name: string) => provider.tenant(name).events.map(({ endpoint }) => endpoint)
    expect(seen('a')).toContain('token')
    expect(seen('b')).not.toContain('token')
    expect(provider.tenantNames()).toEqual(['a', 'b'])
  })

  test('is discovered as RFC 8414, RFC 9728 and OpenID Connect say', async () => {
    const provider = testProvider({ tenants: true })
    const issuer = new URL(`${origin}/shop`)
    const fetch = async (url: string) => provider.app.request(url)
    for (const algorithm of ['oauth2', 'oidc'] as const) {
      const response = await oauth.discoveryRequest(issuer, {
        algorithm,
        [oauth.customFetch]: fetch,
      })
      const metadata = await oauth.processDiscoveryResponse(issuer, response)
      expect(metadata.token_endpoint).toBe(`${origin}/shop/token`)
    }
    expect((await fetch(`${origin}/.well-known/openid-configuration/shop`)).status).toBe(200)
    const refused = await fetch(`${origin}/shop/resource/items`)
    const url = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')
    expect(url?.[1]).toBe(`${origin}/.well-known/oauth-protected-resource/shop/resource`)
    expect(await members(fetch(url?.[1] ?? ''))).toMatchObject({
      resource: `${origin}/shop/resource`,
      authorization_servers: [`${origin}/shop`],
    })
  })

  test('has a page that works below its path', async () => {
    const provider = testProvider({ tenants: true })
    const query = encode(authorizationParameters)
    const page = locationOf(await provider.app.request(`/a/authorize?${query}`))
    const html = await (await provider.app.request(page.href)).text()
    const action = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', page)
    expect(action.pathname).toBe(`${page.pathname}/decision`)
    const decided = await provider.app.request(action.href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'action=approve',
    })
    expect(locationOf(decided).searchParams.get('code')).toMatch(/^ac_/)
  })

  test('cannot be named like an endpoint, and is not created by any path', async () => {
    const provider = testProvider({ tenants: true })
    for (const path of ['/a', '/a/', '/a/b', '/token/token', '/resource/resource', '/a%2f/token']) {
      await provider.app.request(path)
    }
    await provider.app.request('/.well-known/oauth-authorization-server/authorize')
    expect(provider.tenantNames()).toEqual([])
    expect(() => provider.tenant('token')).toThrow(TypeError)
    expect(() => provider.tenant('a/b')).toThrow(TypeError)
    expect(() => provider.tenant('__proto__')).toThrow(TypeError)
  })

  test('is refused unless tenants are wanted', async () => {
    const provider = testProvider()
    expect(await refusal(at(provider, 'a').app.request('/jwks'))).toBe('404 not_found')
    expect(() => provider.tenant('a')).toThrow(TypeError)
    const closed = testProvider({ tenants: { onFirstUse: false } })
    expect(await refusal(at(closed, 'a').app.request('/jwks'))).toBe('404 not_found')
    closed.tenant('a')
    expect((await at(closed, 'a').app.request('/jwks')).status).toBe(200)
  })
})

describe('tenants', () => {
  test('are bounded: one more forgets the one that was used longest ago', async () => {
    const provider = testProvider({ tenants: { most: 2 } })
    for (const name of ['a', 'b', 'a', 'c']) await at(provider, name).app.request('/jwks')
    expect(provider.tenantNames()).toEqual(['a', 'c'])
  })

  test('leave nothing in a storage of this process when they are forgotten', async () => {
    const storage = createMemoryStorage()
    const provider = testProvider({ tenants: { most: 1 }, storage })
    const { access_token } = await obtain(at(provider, 'a'))
    const recordsOf = (name: string, collection: string) =>
      partition(storage, `${origin}/${name}`).list(collection)
    expect(recordsOf('a', 'tokens')).toHaveLength(2)
    await obtain(at(provider, 'b'))
    for (const collection of ['tokens', 'codes', 'authorizations', 'issuer']) {
      expect([collection, recordsOf('a', collection)]).toEqual([collection, []])
      expect(recordsOf('b', collection)).not.toEqual([])
    }
    expect((await listItems(at(provider, 'a'), access_token)).status).toBe(401)
  })

  test('keep what other instances may use in a storage across a network', async () => {
    const storage = { ...createMemoryStorage(), immediate: false }
    const [here, there] = [1, 2].map((most) => testProvider({ tenants: { most }, storage }))
    const { access_token } = await obtain(at(here!, 'a'))
    await obtain(at(here!, 'b'))
    expect(here!.tenantNames()).toEqual(['b'])
    expect((await listItems(at(there!, 'a'), access_token)).status).toBe(200)
    // and it goes on here, too, when it is used again
    expect((await listItems(at(here!, 'a'), access_token)).status).toBe(200)
  })

  test('can be removed although this instance has not used them', async () => {
    const storage = createMemoryStorage()
    await obtain(at(testProvider({ tenants: true, storage }), 'a'))
    const restarted = testProvider({ tenants: true, control: true, storage })
    const remove = async (name: string) => {
      const path = `/_control/tenants/${name}`
      return (await restarted.app.request(path, { method: 'DELETE' })).status
    }
    expect([await remove('a'), await remove('a'), await remove('..%2f')]).toEqual([204, 404, 404])
    expect(partition(storage, `${origin}/a`).list('tokens')).toEqual([])
  })

  test('share the limits of one issuer', async () => {
    const provider = testProvider({ tenants: { most: 10 }, limits: { secrets: 40 } })
    const a = at(provider, 'a')
    for (let count = 0; count < 6; count++) await obtain(a)
    expect(provider.tenant('a').secrets.length).toBeLessThanOrEqual(4)
  })

  test('have nothing in common in a common storage', async () => {
    const storage = createMemoryStorage()
    const provider = testProvider({ tenants: true, storage })
    const { code } = await approve(at(provider, 'a'))
    expect(await refusal(redeem(at(provider, 'b'), code))).toBe('400 invalid_grant')
    expect((await redeem(at(provider, 'a'), code)).status).toBe(200)
    await provider.tenant('b').reset()
    const other = createMockProvider({ storage, tenants: true, issuer: origin })
    expect(await members(at(other, 'a').app.request('/jwks'))).toEqual(
      await members(at(provider, 'a').app.request('/jwks')),
    )
  })
})

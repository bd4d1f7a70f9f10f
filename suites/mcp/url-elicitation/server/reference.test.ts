import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createMockProvider, type MockProvider } from '../../../../mock-provider/index.ts'
import {
  createWorld,
  credentials,
  endpoint,
  issuer,
  publicUrl,
  type World,
} from './reference/fixtures/world.ts'

let provider: MockProvider
let world: World

beforeEach(() => {
  provider = createMockProvider({
    issuer,
    audiences: [endpoint],
    accessTokenFormat: 'jwt',
    idTokenSigningAlg: 'ES256',
    clients: [{ ...credentials, redirectUris: [`${publicUrl}/callback`] }],
  })
  world = createWorld(provider)
})
afterEach(() => world.end())

const aliceItems = expect.stringContaining('Welcome, alice')
const tokenRequests = () =>
  world.requests.filter(({ url }) => new URL(url).pathname === '/token').length
/** Token requests for access to the API: those of logins are not counted. */
const exchanges = () =>
  provider.events.filter((each) => each.type === 'grant' && each.outcome === 'issued').length
const resolvable = <T = void>() => {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
/** A client that consents and hands the URL out, for somebody to open. */
async function handedOut(user: string, modern = false) {
  const url = resolvable<string>()
  const client = await world.connect({
    user,
    modern,
    onUrl: (params) => {
      url.resolve(String(params['url']))
      return { action: 'accept' }
    },
  })
  return { client, url: url.promise }
}

describe.each([
  ['2025-11-25', false],
  ['2026-07-28', true],
])('in revision %s', (_revision, modern) => {
  test('lists the items of the user after their authorization, once and for all', async () => {
    world.start()
    const client = await world.connectWithBrowser({ user: 'alice', modern })
    expect(await client.call()).toEqual({ isError: false, text: aliceItems })
    expect(await client.call({ limit: 1 })).toEqual({ isError: false, text: aliceItems })
    expect(client.asked).toHaveLength(1)
    // the tokens are durable, and they are alice's
    await world.stop()
    world.start()
    const again = await world.connect({ user: 'alice', modern, capabilities: {} })
    expect(await again.call()).toEqual({ isError: false, text: aliceItems })
    const bob = await world.connectWithBrowser({ user: 'bob', modern })
    expect((await bob.call()).text).toContain('Welcome, bob')
  })

  test('asks by a URL of its own that says nothing about the user', async () => {
    world.start()
    const client = await world.connectWithBrowser({ user: 'alice', modern })
    await client.call()
    expect(client.asked).toEqual([
      {
        mode: 'url',
        message: 'Listing your items needs your authorization.',
        url: expect.stringMatching(/^http:\/\/items\.test\/connect\?elicitation=[0-9a-f-]{36}$/),
        ...(!modern && { elicitationId: expect.any(String) }),
      },
    ])
  })

  test.each([
    ['decline', 'Authorization was declined.'],
    ['cancel', 'Authorization was dismissed.'],
  ] as const)('tells of a %s', async (action, text) => {
    world.start()
    const client = await world.connect({ user: 'alice', modern, onUrl: () => ({ action }) })
    expect(await client.call()).toEqual({ isError: true, text: expect.stringContaining(text) })
    expect(tokenRequests()).toBe(0)
    // the link is dead
    const page = await world.browserOf('alice').visit(String(client.asked[0]?.['url']))
    expect(page.status).toBe(404)
  })

  test.each([{}, { elicitation: {} }, { elicitation: { form: {} } }])(
    'says what is missing to a client with the capabilities %j',
    async (capabilities) => {
      world.start()
      const client = await world.connect({ user: 'alice', modern, capabilities })
      const { text, isError } = await client.call()
      expect(isError).toBe(true)
      expect(text).toContain('elicitation.url')
      expect(text).not.toContain('http')
      expect(client.asked).toEqual([])
    },
  )

  test('takes acceptance for no more than consent', async () => {
    world.start()
    const { client, url } = await handedOut('alice', modern)
    let over = false
    const call = client.call().finally(() => {
      over = true
    })
    const page = await url
    await world.request('/.well-known/oauth-protected-resource')
    expect([over, client.completed]).toEqual([false, []])
    expect((await world.browserOf('alice').visit(page)).text).toContain('Thank you')
    expect(await call).toEqual({ isError: false, text: aliceItems })
  })

  test('tells of a denial at the provider', async () => {
    world.start()
    const { client, url } = await handedOut('alice', modern)
    const call = client.call()
    // who logs in approves, and then denies
    let asked = 0
    const browser = world.browserOf('alice', () => {
      asked += 1
      return { action: asked === 1 ? 'approve' : 'deny' }
    })
    expect((await browser.visit(await url)).text).toContain('Access was not granted')
    expect(await call).toEqual({
      isError: true,
      text: 'Authorization was denied at the authorization server.',
    })
  })

  test('tells of a failed exchange', async () => {
    world.start()
    const { client, url } = await handedOut('alice', modern)
    const call = client.call()
    const browser = world.browserOf('alice')
    await browser.visit(`${publicUrl}/login?return=/`)
    provider.setFaults(['token-error-invalid_grant'])
    expect((await browser.visit(await url)).text).toContain('Access was not granted')
    expect((await call).text).toContain('refused the authorization code')
  })

  test('does not wait for ever', async () => {
    world.start({ pendingTimeoutMs: 1000 })
    const { client } = await handedOut('alice', modern)
    expect(await client.call()).toEqual({
      isError: true,
      text: expect.stringContaining('not completed in time'),
    })
  })

  test('answers calls that wait when it is stopped', async () => {
    const waiting = resolvable()
    world.start(
      {},
      {
        interaction({ ended }) {
          waiting.resolve()
          return ended
        },
      },
    )
    const { client } = await handedOut('alice', modern)
    const call = client.call()
    await waiting.promise
    await world.stop()
    expect((await call).text).toContain('being stopped')
  })

  test('refreshes what has expired, and asks again when that is of no use', async () => {
    world.start()
    const client = await world.connectWithBrowser({ user: 'alice', modern })
    await client.call()
    const before = exchanges()
    const grants = provider.events.filter((each) => each.type === 'authorization-request')
    world.advance(2 * 3_600_000)
    provider.clock.advance(2 * 3_600_000)
    const later = await world.connectWithBrowser({ user: 'alice', modern })
    expect(await later.call()).toEqual({ isError: false, text: aliceItems })
    expect([exchanges() - before, later.asked]).toEqual([1, []])
    // rotated: works a second time
    world.advance(2 * 3_600_000)
    provider.clock.advance(2 * 3_600_000)
    const third = await world.connectWithBrowser({ user: 'alice', modern })
    expect(await third.call()).toEqual({ isError: false, text: aliceItems })
    expect([exchanges() - before, third.asked]).toEqual([2, []])
    for (const { authorization } of grants) provider.authorization(String(authorization))?.revoke()
    expect(await third.call()).toEqual({ isError: false, text: aliceItems })
    expect(third.asked).toHaveLength(1)
  })

  test('sends the client’s token nowhere, and its own only to the API', async () => {
    world.start()
    const client = await world.connectWithBrowser({ user: 'alice', modern })
    await client.call()
    const atApi = world.requests.filter(({ url }) => url === `${issuer}/resource/items`)
    expect(atApi).toHaveLength(1)
    const secrets = provider.secrets.map(({ value }) => value)
    const kept = readFileSync(join(world.dataDir, 'items-server.db'), 'latin1')
    const told = JSON.stringify([world.logs, client.asked]) + kept
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([])
  })
})

describe('2025-11-25', () => {
  test('sends complete to the session that began it, with its id, when the user is done', async () => {
    world.start()
    const { client, url } = await handedOut('alice')
    const other = await world.connect({ user: 'alice' })
    const call = client.call()
    const page = await url
    expect(client.completed).toEqual([])
    await world.browserOf('alice').visit(page)
    await call
    expect(client.completed).toEqual([client.asked[0]?.['elicitationId']])
    expect(other.completed).toEqual([])
  })

  test('tells of a client that cannot', async () => {
    world.start()
    const client = await world.connect({
      user: 'alice',
      onUrl: () => {
        throw new Error('no browser here')
      },
    })
    expect(await client.call()).toEqual({
      isError: true,
      text: 'The client could not ask for your authorization.',
    })
  })

  test('withdraws its request from a client that does not answer in time', async () => {
    world.start({ pendingTimeoutMs: 500 })
    const asked = resolvable<AbortSignal>()
    const client = await world.connect({
      user: 'alice',
      onUrl: (_params, signal) => {
        asked.resolve(signal)
        return new Promise(() => {})
      },
    })
    expect((await client.call()).text).toContain('not completed in time')
    expect((await asked.promise).aborted).toBe(true)
  })

  test('lets nobody but its user use a session', async () => {
    world.start()
    const { transport } = await world.connect({ user: 'alice' })
    const send = async (user: string) =>
      world.request('/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${await world.tokenOf(user)}`,
          'mcp-session-id': transport.sessionId ?? '',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' }),
      })
    expect((await send('alice')).status).toBe(200)
    expect((await send('mallory')).status).toBe(404)
  })

  test('without authorization, keeps tokens for a session and no longer', async () => {
    world.start({ authorization: 'none' })
    const client = await world.connectWithBrowser({ user: 'alice' })
    expect(await client.call()).toEqual({ isError: false, text: aliceItems })
    expect(await client.call()).toEqual({ isError: false, text: aliceItems })
    expect(client.asked).toHaveLength(1)
    const other = await world.connect({ onUrl: () => ({ action: 'decline' }) })
    expect((await other.call()).isError).toBe(true)
  })
})

describe('2026-07-28', () => {
  const begin = async (user: string, args = {}) => {
    const { result } = await world.modernCall(user, { arguments: args })
    return {
      state: result?.requestState,
      url: result?.inputRequests?.['authorization']?.params['url'],
    }
  }
  const accepted = { authorization: { action: 'accept' } }

  test('refuses state that is altered, another user’s, or of another call', async () => {
    world.start()
    const { state = '' } = await begin('alice')
    const retry = { inputResponses: accepted, requestState: state }
    const altered = `${state.slice(0, 20)}${state[20] === 'A' ? 'B' : 'A'}${state.slice(21)}`
    const answers = [
      await world.modernCall('alice', { ...retry, requestState: altered }),
      await world.modernCall('alice', { ...retry, requestState: 'v1.e30.e30' }),
      await world.modernCall('mallory', retry),
    ]
    expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602])
    for (const other of [{ limit: 1 }, { other: 1 }]) {
      const { result } = await world.modernCall('alice', { ...retry, arguments: other })
      expect(result).toMatchObject({ resultType: 'complete', isError: true })
    }
  })

  test('asks again for an answer that is missing', async () => {
    world.start()
    const { state, url } = await begin('alice')
    const { result } = await world.modernCall('alice', { requestState: state })
    expect(result?.resultType).toBe('input_required')
    expect(result?.inputRequests?.['authorization']?.params['url']).toBe(url)
  })

  test('without authorization, what was granted serves one call', async () => {
    world.start({ authorization: 'none' })
    const client = await world.connectWithBrowser({ user: 'alice', modern: true })
    expect(await client.call()).toEqual({ isError: false, text: aliceItems })
    expect(await client.call()).toEqual({ isError: false, text: aliceItems })
    expect(client.asked).toHaveLength(2)
  })
})

describe('the browser', () => {
  test('of another user binds nothing and ends nothing', async () => {
    world.start()
    const { client, url } = await handedOut('alice')
    const call = client.call()
    const page = await url
    const stranger = await world.browserOf('mallory').visit(page)
    expect([stranger.status, stranger.text]).toEqual([
      403,
      expect.stringContaining('somebody else'),
    ])
    await world.browserOf('alice').visit(page)
    expect(await call).toEqual({ isError: false, text: aliceItems })
  })

  test('that was not sent to the provider by us is refused at the callback', async () => {
    world.start()
    const { client, url } = await handedOut('alice')
    const call = client.call()
    const alice = world.browserOf('alice')
    await alice.visit(`${publicUrl}/login?return=/`)
    // alice sends the provider's URL to mallory, who approves
    const authorize = await alice.visit(await url, ({ pathname }) => pathname === '/authorize')
    const victim = await world.browserOf('mallory').visit(authorize.url)
    expect([victim.status, victim.text]).toEqual([403, expect.stringContaining('another browser')])
    const before = exchanges()
    const done = await alice.visit(authorize.url)
    expect([done.status, exchanges() - before]).toEqual([200, 1])
    expect(await call).toEqual({ isError: false, text: aliceItems })
  })

  test.each([
    ['no state', (query: URLSearchParams) => query.delete('state'), 404],
    ['an altered state', (query: URLSearchParams) => query.set('state', 'x'), 404],
    ['two states', (query: URLSearchParams) => query.append('state', 'x'), 404],
    ['nothing else', (query: URLSearchParams) => ['code', 'iss'].map((n) => query.delete(n)), 400],
  ])('with %s ends nothing', async (_what, forge, status) => {
    world.start()
    const { client, url } = await handedOut('alice')
    const call = client.call()
    const browser = world.browserOf('alice')
    await browser.visit(`${publicUrl}/login?return=/`)
    const back = await browser.visit(await url, ({ pathname }) => pathname === '/callback')
    const forged = new URL(back.url)
    forge(forged.searchParams)
    const before = exchanges()
    expect((await browser.visit(forged.href)).status).toBe(status)
    expect(exchanges()).toBe(before)
    await browser.visit(back.url)
    expect(await call).toEqual({ isError: false, text: aliceItems })
    // replayed
    expect((await browser.visit(back.url)).status).toBe(404)
    expect(exchanges()).toBe(before + 1)
  })

  test.each([
    ['without', (query: URLSearchParams) => query.delete('iss')],
    ['with another', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
  ])('%s issuer ends the call, and the code is not redeemed', async (_what, forge) => {
    world.start()
    const { client, url } = await handedOut('alice')
    const call = client.call()
    const browser = world.browserOf('alice')
    await browser.visit(`${publicUrl}/login?return=/`)
    const back = await browser.visit(await url, ({ pathname }) => pathname === '/callback')
    const forged = new URL(back.url)
    forge(forged.searchParams)
    const before = exchanges()
    await browser.visit(forged.href)
    expect(await call).toEqual({ isError: true, text: expect.stringContaining('not be trusted') })
    expect(exchanges()).toBe(before)
  })

  test('is sent to no other site after a login', async () => {
    world.start()
    const visit = await world.browserOf('alice').visit(`${publicUrl}/login?return=//evil.example/`)
    expect(new URL(visit.url).origin).toBe(publicUrl)
  })

  test('uses up nothing by asking for headers only', async () => {
    world.start()
    for (const path of ['/connect', '/login', '/callback']) {
      expect((await world.request(path, { method: 'HEAD' })).status).toBe(405)
    }
  })
})

describe('the endpoint', () => {
  const ask = async (token?: string, headers: Record<string, string> = {}) => {
    const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    return world.request('/mcp', {
      method: 'POST',
      body,
      headers: { ...authorization, ...headers },
    })
  }
  const challenge = (response: Response) => response.headers.get('www-authenticate') ?? ''

  test('says where it is described to those without a token, and no error', async () => {
    world.start()
    const response = await ask()
    expect(response.status).toBe(401)
    const metadata = `${publicUrl}/.well-known/oauth-protected-resource/mcp`
    expect(challenge(response)).toBe(`Bearer resource_metadata="${metadata}"`)
    expect(await (await world.request(metadata)).json()).toMatchObject({
      resource: endpoint,
      authorization_servers: [issuer],
    })
  })

  test('refuses tokens that are not for it', async () => {
    world.start()
    const issue = async (wanted: Parameters<MockProvider['issueToken']>[0]) =>
      (await provider.issueToken({ subject: 'alice', audience: [endpoint], ...wanted }))
        .access_token
    const { id_token: idToken } = await provider.issueToken({
      clientId: endpoint,
      scopes: ['openid'],
      audience: [endpoint],
    })
    const foreign = createMockProvider({ issuer: 'https://other.test', accessTokenFormat: 'jwt' })
    const tokens = [
      'nonsense',
      'not.a.jwt',
      await issue({ audience: [`${issuer}/resource`] }),
      await issue({ audience: [`${issuer}/resource`], format: 'opaque' }),
      await issue({ audience: [`${endpoint}/more`] }),
      await issue({ lifetime: -1 }),
      await issue({ lifetime: -1, format: 'opaque' }),
      (await foreign.issueToken({ audience: [endpoint] })).access_token,
      idToken,
    ]
    for (const token of tokens) {
      const response = await ask(token)
      expect(response.status).toBe(401)
      expect(challenge(response)).toContain('error="invalid_token"')
    }
  })

  test.each(['jwt', 'opaque'] as const)('accepts a token for it: %s', async (format) => {
    world.start()
    const { access_token: token } = await provider.issueToken({ audience: [endpoint], format })
    expect((await ask(token)).status).not.toBe(401)
  })

  test('is not for pages of other sites', async () => {
    world.start()
    const token = await world.tokenOf('alice')
    expect((await ask(token, { origin: 'http://evil.example' })).status).toBe(403)
  })

  test('says that it cannot tell when the provider does not answer', async () => {
    world.start({ fetch: () => Promise.reject(new Error('down')) })
    expect((await ask('a.b.c')).status).toBe(503)
  })
})

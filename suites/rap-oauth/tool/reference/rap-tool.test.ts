import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { issuer } from './fixtures/fake-provider.ts'
import { createWorld, type Received, type World } from './fixtures/world.ts'
import type { Parts } from './parts.ts'

let world: World

beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.end())

const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
const list = JSON.stringify([{ id: '1', title: 'first' }])
const tokenRequests = () => world.provider.requests.filter((each) => each === 'POST /token').length

describe('toolset', () => {
  test('describes both operations and names the provider', async () => {
    world.start()
    const response = await world.request('/.well-known/rap-toolset')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      endpoint: 'http://tool.example/invoke',
      tools: [
        { name: 'list_items', annotations: { requiresAuth: 'auth.example', readOnly: true } },
        { name: 'create_item', annotations: { requiresAuth: 'auth.example' } },
      ],
    })
  })
})

describe('invocation', () => {
  test.each([
    ['malformed JSON', { ...json, body: '{' }, 400],
    ['no callback_url', { ...json, body: '{"id":"1","group_id":"g"}' }, 400],
    [
      'a callback_url of another scheme',
      { ...json, body: '{"id":"1","group_id":"g","callback_url":"file:///etc"}' },
      400,
    ],
    ['another content type', { method: 'POST', body: '{}' }, 415],
    ['too large', { ...json, body: JSON.stringify('x'.repeat(300_000)) }, 413],
  ])('refuses %s', async (_name, init, status) => {
    world.start()
    expect((await world.request('/invoke', init)).status).toBe(status)
  })

  test.each([
    ['an unknown operation', { operation: 'toString' }],
    ['an empty title', { operation: 'create_item', arguments: { title: '' } }],
    ['a long title', { operation: 'create_item', arguments: { title: 'x'.repeat(201) } }],
    ['no operation', { operation: undefined }],
    ['no arguments', { arguments: undefined }],
    ['arguments that are no object', { arguments: null }],
    ['a user_id that is no string', { user_id: 7 }],
  ])('acknowledges %s and answers with an error result', async (_name, fields) => {
    world.start()
    const { id, status } = await world.invoke(fields)
    expect(status).toBe(200)
    expect(await world.result(id)).toMatch(/^Error: /)
    expect(world.provider.requests).toEqual([])
  })

  test('acknowledges before it asks anybody, and ends the call when nobody answers', async () => {
    world.provider.overrides.set('GET /.well-known/oauth-authorization-server', () => never())
    world.start({ upstreamTimeoutMs: 50 })
    const { id, status } = await world.invoke()
    expect(status).toBe(200)
    expect(world.messages.all).toEqual([])
    expect(await world.result(id)).toMatch(/^Error: The authorization server could not be reached/)
  })

  test('asks the provider again after a failed discovery', async () => {
    const path = 'GET /.well-known/oauth-authorization-server'
    world.provider.overrides.set(path, () => new Response(null, { status: 500 }))
    world.start()
    expect(await world.result((await world.invoke()).id)).toMatch(/^Error: /)
    world.provider.overrides.clear()
    expect(await world.complete()).toBe(list)
  })
})

describe('flow', () => {
  test('asks for authorization, then delivers the result with the same ids', async () => {
    world.start()
    const { id } = await world.invoke({ extra: true })
    const url = new URL(await world.authUrl(id))
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: 'a b',
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'http://tool.example/oauth/callback',
      scope: 'items:read',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const page = await world.visit(world.provider.approve(url.href))
    expect(page.status).toBe(200)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await world.result(id)).toBe(list)
    const ids = { id, call_id: `second-${id}`, group_id: `group-${id}` }
    const to = { url: 'http://runtime.example/callback?b=2&a=1', ...ids }
    expect(world.messages.all).toEqual([
      { ...to, type: 'oauth', auth_url: url.href },
      { ...to, type: 'tool_result', text: list },
    ])
  })

  test.each([[null], [undefined], [7]])('echoes no call_id for %j', async (call_id) => {
    world.start()
    await world.complete({ call_id })
    expect(world.messages.all).toHaveLength(2)
    for (const message of world.messages.all) expect(message).not.toHaveProperty('call_id')
  })

  test('uses the stored token for the same user and for nobody else', async () => {
    world.start()
    await world.complete()
    const again = await world.invoke()
    expect(await world.result(again.id)).toBe(list)
    expect(world.count(again.id, 'oauth')).toBe(0)
    const other = await world.invoke({ user_id: 'bob' })
    expect(await world.authUrl(other.id)).toContain(issuer)
  })

  test.each([[null], [undefined], ['']])('never keeps a token for user_id %j', async (user_id) => {
    world.start()
    expect(await world.complete({ user_id })).toBe(list)
    const again = await world.invoke({ user_id })
    expect(await world.authUrl(again.id)).toContain(issuer)
    expect(readdirSync(world.dataDir)).not.toContain('tokens')
  })

  test('refuses an authorization endpoint without https', async () => {
    world.provider.metadata['authorization_endpoint'] = 'http://auth.example/authorize'
    world.start()
    const { id } = await world.invoke()
    expect(await world.result(id)).toMatch(/^Error: .*HTTPS/)
    expect(world.count(id, 'oauth')).toBe(0)
  })

  test('sends `resource` only when it is configured', async () => {
    world.start({ resourceIndicator: 'https://api.example' })
    const url = new URL(await world.authUrl((await world.invoke()).id))
    expect(url.searchParams.get('resource')).toBe('https://api.example')
  })

  test('reports a denial in its own words', async () => {
    world.start()
    const { id } = await world.invoke()
    await world.visit(world.provider.deny(await world.authUrl(id)))
    expect(await world.result(id)).toMatch(/^Error: Authorization was denied by the user/)
    expect(JSON.stringify(world.messages.all)).not.toContain('words-of-the-provider')
    expect(tokenRequests()).toBe(0)
  })

  test.each([
    ['a refused code', () => Response.json({ error: 'invalid_grant' }, { status: 400 }), /refused/],
    ['a server error', () => new Response('oops', { status: 500 }), /did not issue/],
    ['a token of another type', () => Response.json({ access_token: 'a', token_type: 'mac' }), /./],
    ['no answer', () => never(), /did not issue/],
    ['an endless answer', () => new Response('x'.repeat(2 ** 20 + 1)), /did not issue/],
  ])('reports a failed exchange: %s', async (_name, override, text) => {
    world.provider.overrides.set('POST /token', override)
    world.start({ upstreamTimeoutMs: 100 })
    const answer = await world.complete()
    expect(answer).toMatch(/^Error: /)
    expect(answer).toMatch(text)
    const next = await world.invoke()
    expect(await world.authUrl(next.id)).toContain(issuer)
  })

  test('keeps secrets out of messages, logs, pages and files', async () => {
    world.start()
    const { id } = await world.invoke()
    const back = world.provider.approve(await world.authUrl(id))
    const page = await (await world.visit(back)).text()
    await world.result(id)
    const files = readdirSync(world.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const file of files) expect(statSync(file).mode & 0o077).toBe(0)
    const output = [
      page,
      JSON.stringify(world.messages.all.filter((message) => message.type !== 'oauth')),
      JSON.stringify(world.logs.all),
      ...files.map((file) => readFileSync(file, 'utf8')),
    ].join('\n')
    const state = back.searchParams.get('state') ?? ''
    expect(world.provider.secrets).toHaveLength(4)
    for (const secret of [...world.provider.secrets, state]) expect(output).not.toContain(secret)
  })
})

describe('callback', () => {
  test.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['an unknown state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['two states', (url: URL) => url.searchParams.append('state', 'x')],
    ['neither code nor error', (url: URL) => url.searchParams.delete('code')],
    ['an empty code', (url: URL) => url.searchParams.set('code', '')],
  ])('changes nothing with %s', async (_name, forge) => {
    world.start()
    const { id } = await world.invoke()
    const real = world.provider.approve(await world.authUrl(id))
    const forged = new URL(real)
    forge(forged)
    expect((await world.visit(forged)).status).toBe(400)
    expect(tokenRequests()).toBe(0)
    await world.visit(real)
    expect(await world.result(id)).toBe(list)
  })

  test('is not used up by a HEAD request', async () => {
    world.start()
    const { id } = await world.invoke()
    const url = world.provider.approve(await world.authUrl(id))
    expect((await world.visit(url, { method: 'HEAD' })).status).toBe(405)
    await world.visit(url)
    expect(await world.result(id)).toBe(list)
  })

  test.each([[`${issuer}.evil`], [undefined]])('does not trust the issuer %s', async (iss) => {
    world.start()
    const { id } = await world.invoke()
    const url = world.provider.approve(await world.authUrl(id))
    if (iss === undefined) url.searchParams.delete('iss')
    else url.searchParams.set('iss', iss)
    await world.visit(url)
    expect(await world.result(id)).toMatch(/^Error: .*could not be trusted/)
    expect(tokenRequests()).toBe(0)
  })

  test('of two at once, one wins', async () => {
    world.start()
    const { id } = await world.invoke()
    const url = world.provider.approve(await world.authUrl(id))
    const pages = await Promise.all([world.visit(url), world.visit(url), world.visit(url)])
    const won = pages.map((page) => page.status).filter((status) => status === 200)
    expect(won).toHaveLength(1)
    expect(await world.result(id)).toBe(list)
    await world.stop()
    expect(tokenRequests()).toBe(1)
    expect(world.count(id, 'tool_result')).toBe(1)
  })

  test('completes the call whose URL was approved, of several of one user', async () => {
    world.start()
    const calls = await Promise.all([world.invoke(), world.invoke()])
    const [first, second] = calls.map(({ id }) => id)
    await world.visit(world.provider.approve(await world.authUrl(second ?? '')))
    expect(await world.result(second ?? '')).toBe(list)
    expect(world.count(first ?? '', 'tool_result')).toBe(0)
    await world.visit(world.provider.approve(await world.authUrl(first ?? '')))
    expect(await world.result(first ?? '')).toBe(list)
  })
})

describe('waiting', () => {
  test('ends with an error result, and a later approval does nothing', async () => {
    world.start({ pendingTimeoutMs: 50 })
    const { id } = await world.invoke()
    const url = world.provider.approve(await world.authUrl(id))
    expect(await world.result(id)).toMatch(/^Error: Authorization was not completed in time/)
    expect((await world.visit(url)).status).toBe(400)
    await world.stop()
    expect(tokenRequests()).toBe(0)
    expect(world.count(id, 'tool_result')).toBe(1)
  })

  test('is over by the clock even when the timer is late', async () => {
    world.start({ pendingTimeoutMs: 60_000 })
    const { id } = await world.invoke()
    const url = world.provider.approve(await world.authUrl(id))
    world.advance(60_000)
    expect((await world.visit(url)).status).toBe(400)
    expect(tokenRequests()).toBe(0)
  })

  test('survives a restart', async () => {
    world.start()
    const { id } = await world.invoke()
    const url = world.provider.approve(await world.authUrl(id))
    await world.stop()
    world.start({ publicUrl: 'http://moved.example' })
    await world.visit(url)
    expect(await world.result(id)).toBe(list)
  })

  test('whose result nobody took before a shutdown gets another at the next start', async () => {
    const post: Parts['post'] = async ({ url, body }) => {
      const message = JSON.parse(body) as Received
      world.messages.put({ ...message, url })
      return message.type === 'tool_result' ? 503 : 200
    }
    world.start({}, { post })
    const { id } = await world.invoke()
    await world.visit(world.provider.approve(await world.authUrl(id)))
    expect(await world.result(id)).toBe(list)
    await world.stop()
    world.start()
    await world.messages.next('another result', ({ text }) => /was restarted/.test(text ?? ''))
    expect(world.count(id, 'tool_result')).toBe(2)
  })

  test('goes on to its end after a restart', async () => {
    world.start({ pendingTimeoutMs: 60_000 })
    const { id } = await world.invoke()
    await world.authUrl(id)
    await world.stop()
    world.advance(60_000)
    world.start()
    expect(await world.result(id)).toMatch(/^Error: Authorization was not completed in time/)
  })

  test('a call that a crash interrupted gets its result at the next start', async () => {
    world.provider.overrides.set('POST /token', () => never())
    world.start()
    const { id } = await world.invoke()
    await world.visit(world.provider.approve(await world.authUrl(id)))
    // No stop: the first process is simply not heard of any more.
    world.start()
    expect(await world.result(id)).toMatch(/^Error: The tool was restarted/)
  })

  test('ends without a word when the call is cancelled', async () => {
    world.start()
    const { id } = await world.invoke()
    const url = world.provider.approve(await world.authUrl(id))
    const body = JSON.stringify({ thread_id: `group-${id}`, tool_call_id: id })
    expect((await world.request('/cancel_tool_call', { ...json, body })).status).toBe(200)
    await world.logs.next('cancellation', (entry) => entry.event === 'call-cancelled')
    expect((await world.visit(url)).status).toBe(400)
    expect(world.count(id, 'tool_result')).toBe(0)
  })

  test.each([['/close_thread'], ['/cancel_tool_call']])(
    '%s is always answered 200',
    async (path) => {
      world.start()
      expect((await world.request(path, { ...json, body: 'nonsense' })).status).toBe(200)
    },
  )
})

describe('tokens', () => {
  test('are refreshed when they have expired, and the rotated one is kept', async () => {
    world.start()
    await world.complete()
    for (let round = 0; round < 2; round += 1) {
      world.advance(3_600_000)
      const { id } = await world.invoke()
      expect(await world.result(id)).toBe(list)
      expect(world.count(id, 'oauth')).toBe(0)
    }
    expect(tokenRequests()).toBe(3)
  })

  test('are refreshed once for many calls at once', async () => {
    world.start()
    await world.complete()
    world.advance(3_600_000)
    const calls = await Promise.all(Array.from({ length: 8 }, () => world.invoke()))
    const results = await Promise.all(calls.map(({ id }) => world.result(id)))
    expect(new Set(results)).toEqual(new Set([list]))
    expect(tokenRequests()).toBe(2)
  })

  test('are refreshed when the API refuses them', async () => {
    world.start()
    await world.complete()
    world.provider.access.clear()
    const { id } = await world.invoke()
    expect(await world.result(id)).toBe(list)
    expect(world.count(id, 'oauth')).toBe(0)
  })

  test.each([
    ['is refused', () => world.provider.refresh.clear()],
    [
      'is answered with a token that the API refuses too',
      () => world.provider.overrides.set('POST /token', () => bearer('unknown')),
    ],
  ])('are asked for again when the refresh %s', async (_name, spoil) => {
    world.start()
    await world.complete()
    world.provider.access.clear()
    spoil()
    const { id } = await world.invoke()
    const url = await world.authUrl(id)
    world.provider.overrides.clear()
    await world.visit(world.provider.approve(url))
    expect(await world.result(id)).toBe(list)
  })

  test('are kept when the refresh fails for the moment', async () => {
    world.start()
    await world.complete()
    world.advance(3_600_000)
    world.provider.overrides.set('POST /token', () => new Response(null, { status: 503 }))
    const failed = await world.invoke()
    expect(await world.result(failed.id)).toMatch(/^Error: Access could not be renewed/)
    world.provider.overrides.clear()
    const { id } = await world.invoke()
    expect(await world.result(id)).toBe(list)
    expect(world.count(id, 'oauth')).toBe(0)
  })

  test('that were just granted and are refused end the call', async () => {
    world.start()
    world.provider.overrides.set('GET /items', () => new Response(null, { status: 401 }))
    const text = await world.complete()
    expect(text).toMatch(/^Error: The service refused the access/)
    expect(world.messages.all.map((message) => message.type)).toEqual(['oauth', 'tool_result'])
  })

  test('with too small a scope are stepped up, once', async () => {
    world.start()
    await world.complete()
    const { id } = await world.invoke({ operation: 'create_item', arguments: { title: 'é' } })
    const url = new URL(await world.authUrl(id))
    expect(url.searchParams.get('scope')?.split(' ').sort()).toEqual(['items:read', 'items:write'])
    await world.visit(world.provider.approve(url.href))
    expect(await world.result(id)).toBe(JSON.stringify({ id: '2', title: 'é' }))
    const later = await world.invoke()
    expect(await world.result(later.id)).toBe(list)
  })

  test('that the user narrowed end the call', async () => {
    world.start()
    const { id } = await world.invoke({ operation: 'create_item', arguments: { title: 'x' } })
    const url = new URL(await world.authUrl(id))
    url.searchParams.set('scope', 'items:read')
    await world.visit(world.provider.approve(url.href))
    expect(await world.result(id)).toMatch(/^Error: The permissions that were granted/)
  })

  test('survive a restart, but not another key', async () => {
    world.start()
    await world.complete()
    await world.stop()
    world.start()
    const { id } = await world.invoke()
    expect(await world.result(id)).toBe(list)
    await world.stop()
    world.start({ tokenKey: new Uint8Array(32) })
    const other = await world.invoke()
    expect(await world.authUrl(other.id)).toContain(issuer)
  })

  test('need no expires_in', async () => {
    world.provider.expiresIn = undefined
    world.start()
    await world.complete()
    world.advance(10 * 365 * 86_400_000)
    expect(await world.result((await world.invoke()).id)).toBe(list)
    expect(tokenRequests()).toBe(1)
  })
})

function never(): Promise<Response> {
  return new Promise(() => {})
}

function bearer(access_token: string): Response {
  return Response.json({ access_token, token_type: 'Bearer' })
}

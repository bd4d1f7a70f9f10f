import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import { members, obtain, refusal, testProvider } from '../testing.ts'

const resource = 'https://provider.test/mcp'

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const call = (name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })

function send(provider: MockProvider, token: string | undefined, body = listTools, headers = {}) {
  return provider.app.request('/mcp', {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  })
}

describe('the MCP endpoint', () => {
  test('serves the official client', async () => {
    const provider = testProvider()
    const { access_token, id } = await obtain(provider, { subject: 'bob' }, { resource })
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(resource), {
      fetch: async (url, init) => provider.fetch(new Request(url, init)),
      requestInit: { headers: { authorization: `Bearer ${access_token}` } },
    })
    await client.connect(transport)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['get_items', 'post_items'])
    const add = { name: 'post_items', arguments: { body: { title: 'Milk' } } }
    expect(await client.callTool(add)).toMatchObject({
      content: [{ type: 'text', text: '{"id":"2","title":"Milk"}' }],
    })
    const invalid = { name: 'post_items', arguments: { body: { title: '' } } }
    expect(await client.callTool(invalid)).toMatchObject({ isError: true })
    const listed = await client.callTool({ name: 'get_items' })
    expect(JSON.stringify(listed)).toContain('Welcome, bob')
    await client.close()
    expect(provider.events.find(({ type }) => type === 'resource-access')).toMatchObject({
      endpoint: 'mcp',
      authorization: id,
      subject: 'bob',
      route: 'POST /mcp',
      outcome: 'served',
    })
  })

  test('tells where it is described (RFC 9728 §5.1), and is described there', async () => {
    const provider = testProvider()
    const response = await send(provider, undefined)
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    const url = /resource_metadata="([^"]*)"/.exec(challenge)?.[1] ?? ''
    expect(url).toBe('https://provider.test/.well-known/oauth-protected-resource/mcp')
    expect(await members(provider.app.request(url))).toMatchObject({
      resource,
      authorization_servers: [provider.issuer],
    })
  })

  test('refuses what is meant for the other resource, and so does that', async () => {
    const provider = testProvider()
    const items = await obtain(provider)
    expect(await refusal(send(provider, items.access_token))).toBe('401 invalid_token')
    const mcp = await obtain(provider, {}, { resource })
    expect((await send(provider, mcp.access_token)).status).toBe(200)
    const headers = { authorization: `Bearer ${mcp.access_token}` }
    const wrong = provider.app.request('/resource/items', { headers })
    expect(await refusal(wrong)).toBe('401 invalid_token')
    const both = await obtain(provider, {}, { resource: provider.issuer })
    expect((await send(provider, both.access_token)).status).toBe(200)
  })

  test('asks for the scope of the tool that is called', async () => {
    const provider = testProvider()
    const { access_token } = await obtain(provider, { scopes: ['items:read'] }, { resource })
    expect((await send(provider, access_token, call('get_items'))).status).toBe(200)
    const response = await send(provider, access_token, call('post_items'))
    expect(response.headers.get('www-authenticate')).toContain('scope="items:write"')
    expect(await refusal(response)).toBe('403 insufficient_scope')
    // whatever else is called in the same body
    const batch = await send(provider, access_token, `[${call('get_items')},${call('post_items')}]`)
    expect(batch.headers.get('www-authenticate')).toContain('scope="items:read items:write"')
    expect(await refusal(batch)).toBe('403 insufficient_scope')
  })

  test.each([
    ['another origin', listTools, { origin: 'https://evil.example' }, 403],
    ['a body that is no JSON', '{', {}, 400],
    ['null', 'null', {}, 400],
    ['a missing accept', listTools, { accept: 'text/html' }, 406],
    ['another content type', listTools, { 'content-type': 'text/plain' }, 415],
  ])('refuses %s', async (_, body, headers, status) => {
    const provider = testProvider()
    const { access_token } = await obtain(provider, {}, { resource })
    expect((await send(provider, access_token, body, headers)).status).toBe(status)
  })

  test('has no stream to listen to', async () => {
    const response = await testProvider().app.request('/mcp')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('has the faults of the resource', async () => {
    const provider = testProvider()
    const { access_token, id } = await obtain(provider, {}, { resource })
    provider.authorization(id)?.setFaults(['resource-error-500'])
    expect((await send(provider, access_token)).status).toBe(500)
  })

  test.each(['resource-error-invalid_token', 'resource-error-insufficient_scope'] as const)(
    'is what %s points to (RFC 9728 §5.1)',
    async (fault) => {
      const provider = testProvider({ faults: [fault] })
      const challengeAt = async (path: string) =>
        (await provider.app.request(path, { method: 'POST' })).headers.get('www-authenticate')
      const metadata = 'https://provider.test/.well-known/oauth-protected-resource'
      expect(await challengeAt('/mcp')).toContain(`resource_metadata="${metadata}/mcp"`)
      expect(await challengeAt('/resource/items')).toContain(
        `resource_metadata="${metadata}/resource"`,
      )
    },
  )

  test('can repeat the credentials in a result that the official client reads', async () => {
    const provider = testProvider({ faults: ['resource-success-echoes-authorization'] })
    const { access_token } = await obtain(provider, {}, { resource })
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(resource), {
      fetch: async (url, init) => provider.fetch(new Request(url, init)),
      requestInit: { headers: { authorization: `Bearer ${access_token}` } },
    })
    await client.connect(transport)
    expect(JSON.stringify(await client.callTool({ name: 'get_items' }))).toContain(access_token)
    await client.close()
  })
})

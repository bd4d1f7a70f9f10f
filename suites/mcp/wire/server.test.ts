import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  isCallToolResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Recorder, SecretLedger } from '../../../harness/engine/index.ts'
import { clientFrames, serverFrames } from './frames.ts'
import { serveHttp, type ReachableServer } from './http-server.ts'
import { wireLimits } from './limits.ts'
import { McpServer, type ServerParts, type ToolCall } from './server.ts'
import { serveStdio } from './stdio-server.ts'

let recorder: Recorder
let folder: string
const closing: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-server-'))
  recorder = new Recorder({
    scenario: 's',
    ledger: new SecretLedger(),
    now: () => performance.now(),
  })
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  rmSync(folder, { recursive: true })
})

const url = 'http://127.0.0.1:1/connect'
const asked = { mode: 'url', elicitationId: 'e1', url, message: 'Connect' }
const done = (text: string) => ({ result: { content: [{ type: 'text', text }] } })

function server(onCall: (call: ToolCall) => void, parts: Partial<ServerParts> = {}): McpServer {
  return new McpServer({
    recorder,
    name: 'items',
    modern: false,
    info: { name: 'items', title: 'Items', version: '1' },
    tools: [{ name: 'list_items', inputSchema: { type: 'object' } }],
    callOf: () => 'call-1',
    onCall,
    ...parts,
  })
}

async function http(mcp: McpServer): Promise<string> {
  const reachable: ReachableServer = await serveHttp(mcp)
  closing.push(() => reachable.close())
  return reachable.url
}

/** A client of the official SDK that agrees to everything. */
async function connect(transport: 'stdio' | 'http', mcp: McpServer): Promise<Client> {
  const mode = mcp.parts.modern ? 'auto' : 'legacy'
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode } },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const }))
  if (transport === 'http') {
    await client.connect(new StreamableHTTPClientTransport(new URL(await http(mcp))))
  } else {
    const startable = await serveStdio(mcp, folder, 'items')
    closing.push(() => startable.close())
    await client.connect(new StdioClientTransport({ command: startable.command }))
  }
  closing.push(() => client.close())
  return client
}

const call = async (client: Client): Promise<string> => {
  const result = await client.callTool({ name: 'list_items', arguments: {} })
  if (!isCallToolResult(result)) return 'no result'
  const [content] = result.content
  return content?.type === 'text' ? content.text : 'no text'
}

test('an endpoint that redirects says where to', async () => {
  const movedTo = () => 'https://other.example/mcp'
  const reachable = await serveHttp(
    server(() => undefined),
    { movedTo },
  )
  closing.push(() => reachable.close())
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(reachable.url, { method: 'POST', headers, body, redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([307, movedTo()])
})

describe.each(['http', 'stdio'] as const)('the official client over %s', (transport) => {
  test('is asked while its call waits', async () => {
    const mcp = server((tool) => {
      void tool.ask('elicitation/create', asked).then((reply) => {
        tool.notify('notifications/elicitation/complete', { elicitationId: 'e1' })
        tool.finish(done(reply.kind === 'result' ? JSON.stringify(reply.result) : reply.kind))
      })
    })
    const client = await connect(transport, mcp)
    expect(await client.listTools()).toMatchObject({ tools: [{ name: 'list_items' }] })
    expect(await call(client)).toBe('{"action":"accept"}')
    const t = recorder.transcript()
    const [request, answer] = clientFrames(t, 'call-1')
    expect(request).toMatchObject({ connection: 'items-1', message: { method: 'tools/call' } })
    expect(answer?.message).toMatchObject({ kind: 'result', result: { action: 'accept' } })
    expect(serverFrames(t, 'call-1').map(({ message }) => message.value['method'])).toEqual([
      'elicitation/create',
      'notifications/elicitation/complete',
      undefined,
    ])
  })

  test('is asked by ids of either kind, zero among them', () => {
    const ids: unknown[] = []
    const session = server(() => undefined).connect()
    const outlet = { send: ({ id }: { id?: unknown }) => ids.push(id) > 0, end: () => undefined }
    for (let asked = 0; asked < 3; asked += 1) void session?.ask('ping', {}, outlet)
    expect(ids).toEqual([0, 'items-1-asks-1', 2])
  })

  test('is asked in a result where there is no handshake', async () => {
    const inputRequests = { auth: { method: 'elicitation/create', params: asked } }
    const mcp = server(
      (tool) => {
        expect([tool.modern, tool.capabilities]).toEqual([true, { elicitation: { url: {} } }])
        const { inputResponses, requestState } = tool.params
        if (inputResponses) {
          const { result } = done(JSON.stringify([inputResponses, requestState]))
          tool.finish({ result: { resultType: 'complete', ...result } })
        } else {
          const result = { resultType: 'input_required', inputRequests, requestState: 's' }
          tool.finish({ result })
        }
      },
      { modern: true },
    )
    const client = await connect(transport, mcp)
    expect(await call(client)).toBe('[{"auth":{"action":"accept"}},"s"]')
  })

  test('hears of a completion beside its calls', async () => {
    let tool: ToolCall | undefined
    const mcp = server((each) => {
      tool = each
      each.finish({ error: { code: -32042, message: 'first', data: { elicitations: [asked] } } })
    })
    const client = await connect(transport, mcp)
    const heard = new Promise((resolve) => {
      client.setNotificationHandler('notifications/elicitation/complete', resolve)
    })
    await expect(call(client)).rejects.toMatchObject({ code: -32042 })
    tool?.session.notify('notifications/elicitation/complete', { elicitationId: 'e1' })
    expect(await heard).toMatchObject({ params: { elicitationId: 'e1' } })
  })
})

describe('over HTTP', () => {
  const post = (to: string, body: string, headers: Record<string, string> = {}) =>
    fetch(to, { method: 'POST', body, headers: { connection: 'close', ...headers } })
  const initialize = (id: unknown = 1) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: {} })

  test.each([
    ['no session', {}, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400],
    ['another session', { 'mcp-session-id': 'x' }, '{}', 404],
    ['no JSON', {}, 'initialize', 400],
    ['too large a body', {}, 'x'.repeat(1024 * 1024 + 1), 413],
  ])('%s', async (_, headers, body, status) => {
    const to = await http(server(() => undefined))
    expect((await post(to, body, headers)).status).toBe(status)
  })

  test('what is no message in a session is refused', async () => {
    const to = await http(server(() => undefined))
    const session = (await post(to, initialize())).headers.get('mcp-session-id') ?? ''
    const refused = await post(to, '[1]', { 'mcp-session-id': session })
    expect([refused.status, recorder.transcript().requests('mcp').length]).toEqual([400, 2])
    expect(await refused.json()).toMatchObject({ error: { code: -32600 } })
    const half = await post(to, '{"jsonrpc":"2.0","id":', { 'mcp-session-id': session })
    expect([half.status, await half.json()]).toMatchObject([400, { error: { code: -32600 } }])
    const missing = await post(to, '{"jsonrpc":"2.0","id":1,"method":"resources/list"}', {
      'mcp-session-id': session,
    })
    expect(await missing.json()).toMatchObject({ error: { code: -32601 } })
  })

  const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
  const opened = async (to: string, revision: string): Promise<Record<string, string>> => {
    const params = { protocolVersion: revision }
    const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const { headers } = await post(to, JSON.stringify(begin))
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' }
  }

  test('a batch is refused, but in the one revision that has them', async () => {
    const to = await http(server(() => undefined))
    const batch = JSON.stringify([list(2), list(3), { jsonrpc: '2.0', method: 'notifications/x' }])
    const latest = await post(to, batch, await opened(to, '2025-11-25'))
    expect([latest.status, await latest.json()]).toMatchObject([400, { error: { code: -32600 } }])
    const older = await post(to, batch, await opened(to, '2025-03-26'))
    expect((await older.text()).match(/"id":[23]/g)).toEqual(['"id":2', '"id":3'])
    const silent = JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/x' }])
    expect((await post(to, silent, await opened(to, '2025-03-26'))).status).toBe(202)
  })

  test('what belongs to no connection is refused with the reason, and noted so often', async () => {
    const to = await http(server(() => undefined))
    for (let index = 0; index < wireLimits.refusals; index += 1) await post(to, 'call, please')
    const lost = await post(to, '{}', { 'mcp-session-id': 'x' })
    expect(await lost.json()).toMatchObject({ error: { message: 'Not Found: no such session' } })
    const noted = recorder.transcript().steps('refused-request')
    expect(noted).toHaveLength(wireLimits.refusals)
    expect(noted[0]?.detail).toMatchObject({ status: 400, method: 'POST' })
  })

  test('a client that hangs up in the middle leaves nobody waiting', async () => {
    let asked: Promise<unknown> | undefined
    const gone = new AbortController()
    const mcp = server((tool) => {
      gone.abort()
      setImmediate(() => {
        asked = tool.ask('elicitation/create', {})
      })
    })
    const to = await http(mcp)
    const headers = await opened(to, '2025-11-25')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} })
    const { signal } = gone
    await fetch(to, { method: 'POST', body, headers, signal }).catch(() => undefined)
    await expect.poll(() => asked !== undefined).toBe(true)
    mcp.close()
    expect(await asked).toMatchObject({ kind: 'none' })
  })

  test('no more connections are taken than anybody needs', async () => {
    const to = await http(server(() => undefined))
    const statuses = []
    for (let index = 0; index <= wireLimits.connections; index += 1)
      statuses.push((await post(to, initialize())).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(wireLimits.connections)
    expect(statuses.at(-1)).toBe(429)
  })

  test('a handshake is refused where there is none', async () => {
    const to = await http(server(() => undefined, { modern: true }))
    const refused = await post(to, initialize())
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    })
  })
})

describe('over stdio', () => {
  test('who does not come with the program is not served, and noise is none', async () => {
    const mcp = server(() => undefined)
    const startable = await serveStdio(mcp, folder, 'items')
    closing.push(() => startable.close())
    const child = spawn(startable.command, { stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdin.write('hello\n\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n')
    const answer = await new Promise((resolve) => child.stdout.once('data', resolve))
    expect(JSON.parse(String(answer))).toMatchObject({ id: 7, result: {} })
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
  })
})

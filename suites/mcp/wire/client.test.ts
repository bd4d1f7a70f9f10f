import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Patience, Recorder, SecretLedger, type Transcript } from '../../../harness/engine/index.ts'
import { HttpFailure } from '../../../harness/parties/index.ts'
import { networkStreaming, type StreamingTransport } from '../../../harness/parties/streaming.ts'
import { McpClient, type ClientParts } from './client.ts'
import { HttpLink } from './http-link.ts'
import { connectionOf } from './link.ts'
import { StdioLink, type StdioPeer } from './stdio-link.ts'
import { jsonReply, serveMcp, sse, type Script, type TestServer } from './testing.ts'

let server: TestServer | undefined
let client: McpClient | undefined
let recorder: Recorder
beforeEach(() => {
  recorder = new Recorder({
    scenario: 's',
    ledger: new SecretLedger(),
    now: () => performance.now(),
  })
})
afterEach(async () => {
  await client?.close()
  await server?.close()
  server = client = undefined
})

/** Waits so many milliseconds for everything. */
const waits = (ms: number): Patience => new Patience({ stepMs: ms, maxWaitMs: ms })

/** Every stream breaks where it should end. */
const breaking: StreamingTransport = async (request) => {
  const answer = await networkStreaming()(request)
  const streams = answer.headers['content-type'] === 'text/event-stream'
  return streams ? { ...answer, chunks: broken(answer.chunks) } : answer
}

async function* broken(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
  throw new HttpFailure('closed', 'other side closed')
}

async function connect(
  script: Script,
  parts: Partial<ClientParts> = {},
  transport = networkStreaming(),
): Promise<McpClient> {
  server = await serveMcp(script)
  const { url } = server
  return (client = new McpClient({
    recorder,
    name: 'connection-1',
    revision: '2025-11-25',
    capabilities: { elicitation: { url: {} } },
    patience: waits(1000),
    link: (link) =>
      new HttpLink({
        ...link,
        transport,
        url,
        headers: { authorization: 'Bearer t' },
        signal: new AbortController().signal,
        within: 500,
      }),
    ...parts,
  }))
}

const requests = (channel: string) => recorder.transcript().requests(channel)
const sent = (method: string) =>
  requests('mcp').find(({ body }) => body?.text.includes(`"method":"${method}"`))

describe('over HTTP', () => {
  test('what is too many is sent again, and waited for anew', async () => {
    let left = 2
    const tooMany = { status: 429, text: 'slow down' }
    const parts = { patience: waits(400) }
    const opened = await connect(
      { answer: ({ method }) => (method === 'tools/list' && left-- > 0 ? tooMany : undefined) },
      parts,
    )
    await opened.open()
    expect(await opened.request('tools/list')).toMatchObject({ kind: 'result' })
    const deferred = recorder.transcript().steps('sent-later')
    expect(deferred.map(({ detail }) => detail['status'])).toEqual([429, 429])
  })

  test('the handshake gives every later message its session and revision', async () => {
    const opened = await connect({ session: 'session-1' })
    expect(await opened.open()).toBeUndefined()
    expect(await opened.request('tools/list')).toMatchObject({ kind: 'result', id: 2 })
    const [initialize, , , list] = server!.seen
    expect(initialize?.headers['mcp-session-id']).toBeUndefined()
    expect(list?.headers).toMatchObject({
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-11-25',
      authorization: 'Bearer t',
      accept: 'application/json, text/event-stream',
    })
    expect(server!.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'POST'])
    await opened.close()
    expect(server!.seen.at(-1)).toMatchObject({ method: 'DELETE' })
  })

  test('the URL of one request may have a query', async () => {
    const opened = await connect({})
    await opened.open()
    await opened.request('tools/list', {}, { query: { access_token: 'a b' } })
    await opened.request('tools/list')
    const [first, second] = requests('mcp').slice(-2)
    expect(first?.url).toBe(`${server!.url}?access_token=a+b`)
    expect(second?.url).toBe(server!.url)
  })

  test('no session is as good, and nothing is ended then', async () => {
    const opened = await connect({})
    expect(await opened.open()).toBeUndefined()
    await opened.close()
    expect(server!.seen.map(({ method }) => method)).not.toContain('DELETE')
  })

  test('an older revision is gone on with, an unknown one is a reason', async () => {
    const older = await connect({ revision: '2025-03-26' })
    expect([await older.open(), older.revision]).toEqual([undefined, '2025-03-26'])
    const odd = await connect({ revision: '1999-01-01' })
    expect(await odd.open()).toMatch(/1999-01-01/)
  })

  test.each([
    ['a refusal', { answer: () => ({ status: 401, text: 'who?' }) }, /HTTP 401/],
    [
      'an HTML page',
      { answer: () => ({ status: 200, type: 'text/html', text: '<p>' }) },
      /text\/html.*no message/,
    ],
    [
      'an error',
      { answer: jsonReply({ error: { code: 1, message: 'no' } }) },
      /refused: the error 1, "no"/,
    ],
    ['silence', { answer: () => 'hang' as const }, /no answer within/],
    ['a closed connection', { answer: () => 'reset' as const }, /not answered/],
  ] satisfies [string, Script, RegExp][])('%s instead of a handshake', async (_, script, why) => {
    expect(await (await connect(script, { patience: waits(300) })).open()).toMatch(why)
    expect(recorder.transcript().steps('unanswered').length).toBe(
      /refused/.test(String(why)) ? 0 : 1,
    )
  })

  test('a request of the server comes on the stream of the call, and is answered', async () => {
    const asked: unknown[] = []
    const opened = await connect(
      {
        tool: (id, call) => [
          sse('')(),
          sse({ jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params: { mode: 'url' } })(),
          call
            .answer('e')
            .then((answer) =>
              sse({ jsonrpc: '2.0', id, result: { content: [], answered: answer } })(),
            ),
        ],
      },
      {
        onRequest: (request, call) => {
          asked.push([request.method, call])
          opened.respond(request, { result: { action: 'accept' } }, call)
          return true
        },
      },
    )
    await opened.open()
    const reply = await opened.request('tools/call', { name: 't' }, { call: 'call-1' })
    expect(asked).toEqual([['elicitation/create', 'call-1']])
    expect(reply).toMatchObject({ kind: 'result', result: { answered: { action: 'accept' } } })
    expect(requests('mcp-stream').map(({ call, method }) => [call, method])).toEqual([
      ['call-1', 'SSE'],
      ['call-1', 'SSE'],
    ])
    expect(connectionOf(requests('mcp-stream')[0]!)).toBe('connection-1')
  })

  test('an answer may come on the stream beside', async () => {
    const opened = await connect({ beside: true })
    await opened.open()
    const reply = await opened.request('tools/call', { name: 't' }, { call: 'call-1' })
    expect(reply).toMatchObject({ kind: 'result' })
    expect(requests('mcp-stream')[0]?.call).toBe('call-1')
  })

  test.each([
    ['ends', networkStreaming()],
    ['breaks', breaking],
  ])(
    'a stream that %s is asked for its rest, from its last event, until the answer is there',
    async (_, transport) => {
      const opened = await connect({ session: 's', sleeps: 1 }, {}, transport)
      await opened.open()
      const reply = await opened.request('tools/call', { name: 't' }, { call: 'call-1' })
      expect(reply).toMatchObject({ kind: 'result' })
      const resumed = server!.seen.filter(({ headers }) => headers['last-event-id'] !== undefined)
      expect(resumed.map(({ headers }) => headers['last-event-id'])).toEqual(['0', '1'])
      expect(resumed[0]?.headers).toMatchObject({
        'mcp-session-id': 's',
        authorization: 'Bearer t',
      })
      expect(requests('mcp-stream').map(({ call }) => call)).toEqual(['call-1'])
    },
  )

  test('a stream that has no more to say is left, and what became of it is recorded', async () => {
    const opened = await connect({ trouble: 'end' })
    await opened.open()
    void opened.request('tools/call', { name: 't' }, { call: 'call-1', within: Infinity })
    const ended = (t: Transcript) => t.steps('stream-ended', 'call-1')[0]
    const found = await recorder.waitFor(ended, 5000, new AbortController().signal)
    expect(found?.detail).toEqual({ what: 'it ended without the answer' })
  })

  test('the stream beside is opened again where it ends', async () => {
    const opened = await connect({ beside: true, restless: true })
    await opened.open()
    const reply = await opened.request('tools/call', { name: 't' }, { call: 'call-1' })
    expect(reply).toMatchObject({ kind: 'result' })
    expect(server!.seen.filter(({ method }) => method === 'GET')).toHaveLength(2)
  })

  test('the first answer of a kind may take as long as the run waits at all', async () => {
    const patience = new Patience({ stepMs: 0, maxWaitMs: 30_000 })
    const opened = await connect({}, { patience })
    expect(await opened.open()).toBeUndefined()
    expect(await opened.request('tools/list')).toMatchObject({ kind: 'result' })
    // One more of a kind has as long as those before it needed, and more.
    expect(patience.within('tools/list')).toBeLessThan(30_000)
    expect(patience.within('tools/call')).toBe(30_000)
  })

  test('who demands a session that it did not begin is told so, in its own words', async () => {
    const error = { code: -32000, message: 'Mcp-Session-Id is required' }
    const refused = { status: 400, text: JSON.stringify({ jsonrpc: '2.0', id: null, error }) }
    const answer = ({ method }: { readonly method?: string | undefined }) =>
      method === 'tools/call' ? refused : undefined
    const reasons = []
    for (const session of [undefined, 's']) {
      const opened = await connect({ answer, ...(session === undefined ? {} : { session }) })
      await opened.open()
      reasons.push(await opened.request('tools/call', { name: 't' }))
    }
    expect(reasons).toEqual([
      {
        kind: 'none',
        reason: expect.stringMatching(
          /^HTTP 400: "Mcp-Session-Id is required"; its answer to initialize has no header/,
        ),
      },
      { kind: 'none', reason: 'HTTP 400: "Mcp-Session-Id is required"' },
    ])
  })

  test.each([
    ['nothing', ''],
    ['an error without id', '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"?"}}'],
    ['an error of the request', '{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"?"}}'],
  ])('a session that is over is followed by a new one: 404 with %s', async (_, text) => {
    let calls = 0
    const opened = await connect({
      session: 's',
      answer: ({ method }) =>
        method === 'tools/call' && ++calls === 1 ? { status: 404, text } : undefined,
    })
    await opened.open()
    expect(await opened.request('tools/call', { name: 't' })).toMatchObject({ kind: 'result' })
    const begun = requests('mcp').filter(({ body }) => body?.text.includes('"initialize"'))
    expect(begun.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, undefined])
    expect(recorder.transcript().steps('unanswered')).toEqual([])
  })

  test('a session that somebody else began is not', async () => {
    const opened = await connect({ answer: () => ({ status: 404, text: '' }) })
    opened.join({ id: 's', revision: '2025-06-18' })
    expect(await opened.request('tools/call', { name: 't' })).toMatchObject({ kind: 'none' })
    expect(requests('mcp').map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      '2025-06-18',
    ])
  })

  test('who does not know the session that it began is told so', async () => {
    const opened = await connect({
      session: 's',
      answer: ({ method }) => (method === 'tools/call' ? { status: 404, text: '' } : undefined),
    })
    await opened.open()
    expect(await opened.request('tools/call', { name: 't' })).toEqual({
      kind: 'none',
      reason: expect.stringMatching(/^HTTP 404; the request has the Mcp-Session-Id of its answer/),
    })
  })

  test('a request that nobody takes is refused, a ping is answered', async () => {
    const opened = await connect({
      tool: (id, call) => [
        sse({ jsonrpc: '2.0', id: 1, method: 'ping' })(),
        sse({ jsonrpc: '2.0', id: 2, method: 'roots/list' })(),
        Promise.all([call.answer(1), call.answer(2)]).then((answers) =>
          sse({ jsonrpc: '2.0', id, result: { answers } })(),
        ),
      ],
    })
    await opened.open()
    expect(await opened.request('tools/call', { name: 't' })).toMatchObject({
      result: { answers: [{}, { code: -32601 }] },
    })
  })

  test.each([
    ['a stream that is cut', 'cut', /./],
    ['a stream that ends without an answer', 'end', /within/],
    ['an answer to another request', 'other', /within/],
    ['a batch that holds the answer', 'batch', undefined],
    ['something that is no message', 'junk', /within/],
  ] as const)('%s', async (_, how, reason) => {
    const opened = await connect({ trouble: how })
    await opened.open()
    const reply = await opened.request('tools/call', { name: 't' }, { call: 'call-1', within: 300 })
    if (!reason) return expect(reply).toMatchObject({ kind: 'result' })
    expect(reply).toMatchObject({ kind: 'none', reason: expect.stringMatching(reason) })
    expect(recorder.transcript().steps('unanswered', 'call-1')).toHaveLength(1)
  })

  test('without a handshake every request says who sends it, and its headers repeat it', async () => {
    const opened = await connect({}, { revision: '2026-07-28' })
    expect(await opened.open()).toBeUndefined()
    expect(server!.seen).toEqual([])
    await opened.request('tools/call', { name: 'list_items', arguments: {} }, { call: 'call-1' })
    expect(server!.seen[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'list_items',
    })
    expect(JSON.parse(sent('tools/call')?.body?.text ?? '')).toMatchObject({
      params: {
        name: 'list_items',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
        },
      },
    })
  })
})

describe('over standard input and output', () => {
  function spoken(reply: (message: { id?: number; method?: string }) => readonly string[]) {
    const life = new AbortController()
    let link: StdioLink | undefined
    const peer: StdioPeer = {
      gone: life.signal,
      write(text) {
        for (const line of reply(JSON.parse(text) as never))
          queueMicrotask(() => link?.onLine(line))
      },
      stop: async () => life.abort('it was stopped'),
    }
    client = new McpClient({
      recorder,
      name: 'connection-1',
      revision: '2025-11-25',
      capabilities: {},
      patience: waits(300),
      link: (parts) => (link = new StdioLink(parts, peer)),
    })
    return { client, die: () => life.abort('it exited with code 1') }
  }
  const welcome = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { protocolVersion: '2025-11-25', capabilities: {} },
  })
  const answer = '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}'

  test('messages stand on lines, and other lines disturb nothing', async () => {
    const { client: opened } = spoken(({ method }) =>
      method === 'initialize'
        ? ['starting up ...', welcome]
        : method === 'tools/call'
          ? [answer]
          : [],
    )
    expect(await opened.open()).toBeUndefined()
    expect(await opened.request('tools/call', { name: 't' }, { call: 'c' })).toMatchObject({
      kind: 'result',
    })
    expect(requests('mcp-stream').map(({ body, call }) => [body?.text.slice(0, 8), call])).toEqual([
      ['starting', undefined],
      ['{"jsonrp', undefined],
      ['{"jsonrp', 'c'],
    ])
    expect(sent('initialize')).toMatchObject({ method: 'STDIN', url: 'stdio:' })
  })

  test('a request of the server is of a call that waits, or else of one that was answered', async () => {
    const asks = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: method, method })
    const { client: opened } = spoken(({ id, method }) =>
      method === 'initialize'
        ? [welcome]
        : id === 3
          ? [
              asks('ping'),
              ...[2, 3].map((each) => answer.replace('2,', `${each},`)),
              ...['first', 'second', 'third'].map(asks),
            ]
          : [],
    )
    await opened.open()
    const call = (name: string) => opened.request('tools/call', { name: 't' }, { call: name })
    await Promise.all([call('a'), call('b')])
    const recorded = requests('mcp-stream').map(({ body, call: of }) => {
      return [(JSON.parse(body!.text) as { id: unknown }).id, of]
    })
    expect(recorded.slice(1)).toEqual([
      ['ping', 'a'],
      [2, 'a'],
      [3, 'b'],
      ['first', 'a'],
      ['second', 'b'],
      ['third', 'b'],
    ])
  })

  test('what is no message is named where an answer is missing', async () => {
    const spread = JSON.stringify(JSON.parse(welcome), null, 2).split('\n')
    const { client: opened } = spoken(() => ['starting up ...', ...spread])
    expect(await opened.open()).toMatch(/spreads a message over several lines/)
    const { client: noisy } = spoken(() => ['starting up ...'])
    expect(await noisy.open()).toMatch(/no message, such as "starting up ..."/)
  })

  test('a process that ends leaves nobody waiting', async () => {
    const { client: opened, die } = spoken(() => [])
    const opening = opened.open()
    die()
    expect(await opening).toMatch(/exited with code 1/)
  })
})

/** A small MCP server for tests, which can go wrong on the wire in many ways. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One chunk of a stream of server-sent events. */
export const sse = (message: unknown) => (): string =>
  `data: ${typeof message === 'string' ? message : JSON.stringify(message)}\n\n`

interface Plain {
  readonly status: number
  readonly type?: string
  readonly text: string
}

/** Answers of the client to what it was asked while a call is pending. */
export interface Asking {
  answer(id: string | number): Promise<unknown>
}

export interface Script {
  /** The session that `initialize` begins. */
  readonly session?: string
  readonly revision?: string
  /** Answers everything. */
  readonly answer?: (message: Rpc) => Plain | 'hang' | 'reset' | undefined
  /** The stream that answers `tools/call`. */
  readonly tool?: (id: unknown, call: Asking) => readonly (string | Promise<string>)[]
  /** Answers on the stream that GET opens. */
  readonly beside?: boolean
  /** The stream that answers `tools/call` ends at once, and this many times again before GET brings the answer. */
  readonly sleeps?: number
  /** The stream that GET opens ends after each message. */
  readonly restless?: boolean
  /** What goes wrong with the answer of `tools/call`. */
  readonly trouble?: 'cut' | 'end' | 'other' | 'batch' | 'junk'
}

interface Rpc {
  readonly id?: unknown
  readonly method?: string
  readonly result?: unknown
  readonly error?: unknown
}

interface Seen {
  readonly method: string
  readonly headers: IncomingMessage['headers']
}

export interface TestServer {
  readonly url: string
  readonly seen: readonly Seen[]
  close(): Promise<void>
}

export const jsonReply =
  (members: Readonly<Record<string, unknown>>) =>
  ({ id }: Rpc): Plain => ({
    status: 200,
    text: JSON.stringify({ jsonrpc: '2.0', id, ...members }),
  })

export async function serveMcp(script: Script): Promise<TestServer> {
  const seen: Seen[] = []
  const answers = new Map<unknown, (answer: unknown) => void>()
  const asked = new Map<unknown, Promise<unknown>>()
  const answered = (id: unknown): Promise<unknown> => {
    const waiting = asked.get(id) ?? new Promise<unknown>((resolve) => answers.set(id, resolve))
    asked.set(id, waiting)
    return waiting
  }
  let beside: ServerResponse | undefined
  let arrived: (stream: ServerResponse) => void = () => undefined
  let rest: string[] = []
  const server = createServer((request, response) => {
    void serve(request, response)
  })
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push({ method: request.method ?? '', headers: request.headers })
    const after = request.headers['last-event-id']
    if (request.method === 'GET' && after !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.end(rest.shift() ?? '')
    }
    if (request.method === 'GET' && script.beside === true) {
      beside = response.writeHead(200, { 'content-type': 'text/event-stream' })
      beside.flushHeaders()
      return arrived(beside)
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse(await text(request)) as Rpc
    const plain = script.answer?.(message)
    if (plain === 'hang') return undefined
    if (plain === 'reset') return void request.socket.destroy()
    if (plain) {
      const type = plain.type ?? 'application/json'
      return void response.writeHead(plain.status, { 'content-type': type }).end(plain.text)
    }
    if (message.method === undefined || message.id === undefined) {
      void answered(message.id)
      answers.get(message.id)?.(message.result ?? message.error)
      return void response.writeHead(202).end()
    }
    if (message.method === 'initialize') {
      const protocolVersion = script.revision ?? '2025-11-25'
      const { text: body } = jsonReply({ result: { protocolVersion, capabilities: {} } })(message)
      const headers = script.session ? { 'mcp-session-id': script.session } : {}
      return void response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(body)
    }
    const { text: body } = jsonReply({ result: { content: [] } })(message)
    if (message.method === 'tools/call' && script.beside === true) {
      response.writeHead(202).end()
      if (script.restless !== true) return void beside?.write(sse(body)())
      const again = new Promise<ServerResponse>((resolve) => (arrived = resolve))
      beside?.end()
      return void (await again).write(sse(body)())
    }
    if (message.method === 'tools/call' && script.sleeps !== undefined) {
      const asleep = Array.from({ length: script.sleeps }, (_, n) => `id: ${n + 1}\ndata:\n\n`)
      rest = [...asleep, `id: last\n${sse(body)()}`]
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.end('retry: 10\nid: 0\ndata:\n\n')
    }
    if (message.method === 'tools/call' && (script.tool ?? script.trouble)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const chunk of script.tool?.(message.id, { answer: answered }) ?? [])
        response.write(await chunk)
      if (script.trouble) response.write(troubled[script.trouble](body))
      if (script.trouble === 'cut') return void setTimeout(() => response.destroy(), 20)
      return void response.end()
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const troubled: Readonly<Record<NonNullable<Script['trouble']>, (body: string) => string>> = {
  cut: () => 'data: {"jsonrpc":"2.0",',
  end: () => ': nothing\n\n',
  other: sse({ jsonrpc: '2.0', id: 'unknown', result: {} }),
  batch: (body) => sse(`[${body}]`)(),
  junk: () => sse('<html>')() + sse('[1,null]')() + sse('{"jsonrpc":"2.0"}')(),
}

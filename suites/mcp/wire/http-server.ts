/**
 * Puts a server of ours on Streamable HTTP (Model Context Protocol, Transports): sessions, answers as JSON or, for calls
 * of tools in revisions in which a server may ask meanwhile, as a stream; and the stream that GET opens.
 */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { jsonOf } from '../../../harness/engine/index.ts'
import { bodyLimit, bodyOf, flattenHeaders } from '../../../harness/parties/http.ts'
import { serverOptions } from '../../../harness/parties/server-options.ts'
import { messagesIn, type Message } from './json-rpc.ts'
import { withBatches } from './revisions.ts'
import { ServerJournal, type Received } from './server-journal.ts'
import type { McpServer, Outlet, ServerSession } from './server.ts'

/** A server that clients can reach. */
export interface ReachableServer {
  /** The MCP endpoint. */
  readonly url: string
  close(): Promise<void>
}

/** One at whose port others may stand. */
export interface HttpServer extends ReachableServer {
  /** Hands on what is asked for at paths that end with that of another endpoint. */
  share(path: string, listener: Listener): void
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

interface Connection {
  readonly id: string
  readonly session: ServerSession
  readonly journal: ServerJournal
}

const json = { 'content-type': 'application/json' }
const stream = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }

export interface HttpOptions {
  /** Serves https. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Answers what is asked for beside the endpoint: whether it did. */
  readonly beside?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Refuses a request to the endpoint by HTTP 401 with this challenge, before anything of it is read. */
  readonly unauthorized?: (headers: Readonly<Record<string, string>>) => string | undefined
  /** Where requests to the endpoint are sent on to by HTTP 307. */
  readonly movedTo?: () => string | undefined
  /** The path of the endpoint. */
  readonly path?: string
  /** A server whose port it shares, in place of one of its own. */
  readonly beneath?: HttpServer | undefined
}

/** Starts listening on a loopback port. */
export async function serveHttp(
  mcp: McpServer,
  { tls, beside, unauthorized, movedTo, path = '/mcp', beneath }: HttpOptions = {},
): Promise<HttpServer> {
  const connections = new Map<string, Connection>()
  const guests = new Map<string, Listener>()
  let url = ''
  let shared: Connection | undefined

  const begin = (): Connection | undefined => {
    const session = mcp.connect()
    if (!session) return undefined
    const journal = new ServerJournal(mcp.parts.recorder, session)
    const connection = { id: randomUUID(), session, journal }
    connections.set(connection.id, connection)
    return connection
  }

  /** Later revisions have no sessions; in those with a handshake, that begins one. */
  const connectionOf = (
    request: IncomingMessage,
    opens: boolean,
  ): Connection | number | undefined => {
    if (mcp.parts.modern) return (shared ??= begin())
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') return connections.get(id) ?? 404
    return opens ? begin() : 400
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', url)
    if (pathname !== path) {
      const [, guest] = [...guests].find(([end]) => pathname.endsWith(end)) ?? []
      if (guest) return guest(request, response)
      if (beside?.(request, response) !== true) refuseWith(response, 404, 'Not Found')
      return
    }
    const refuse = (status: number): void => {
      const why = refusals[status] ?? 'Not Found'
      mcp.noteRefusal({ status, why, method: request.method ?? '' })
      refuseWith(response, status, why)
    }
    const raw = await read(request)
    if (raw === undefined) return refuse(413)
    const body = raw.length > 0 ? bodyOf(raw) : undefined
    const opens = messagesIn(jsonOf(body)).some(({ value }) => value['method'] === 'initialize')
    const headers = flattenHeaders(request.headers)
    const challenge = unauthorized?.(headers)
    const found = connectionOf(
      request,
      challenge !== undefined || (opens && request.method === 'POST'),
    )
    if (found === undefined) return refuse(429)
    if (typeof found === 'number') return refuse(found)
    const { session, journal, id } = found
    const received = journal.received(request.method ?? '', url + search, headers, body)
    if (!received) return refuse(429)
    const answer = { response, journal, received, url, session: mcp.parts.modern ? undefined : id }
    if (challenge !== undefined) {
      const own = { ...answer, session: undefined }
      return answerWith(own, 401, undefined, { 'www-authenticate': challenge })
    }
    const location = movedTo?.()
    if (location !== undefined) return answerWith(answer, 307, undefined, { location })
    if (request.method === 'POST') return post(answer, session, received, headers)
    if (request.method === 'GET' && !mcp.parts.modern) return session.listen(streamTo(answer))
    if (request.method === 'DELETE' && connections.delete(id)) return answerWith(answer, 200)
    return answerWith(answer, 405)
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch(() => response.destroy())
  }
  const share = (end: string, guest: Listener): void => void guests.set(end, guest)
  if (beneath) {
    beneath.share(path, listener)
    url = new URL(path, beneath.url).href
    return { url, share, close: () => Promise.resolve(mcp.close()) }
  }
  const server = tls
    ? createTlsServer({ ...serverOptions, ...tls }, listener)
    : createServer(serverOptions, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}${path}`
  return {
    url,
    share,
    close: async () => {
      mcp.close()
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

interface Answer {
  readonly response: ServerResponse
  readonly journal: ServerJournal
  readonly received: Received
  readonly url: string
  /** Id of the session that the answer names. */
  readonly session: string | undefined
}

function post(
  answer: Answer,
  session: ServerSession,
  { messages, isBatch }: Received,
  headers: Readonly<Record<string, string>>,
): void {
  const [message] = messages
  if (isBatch && session.revision !== withBatches)
    return answerWith(answer, 400, invalidRequest('one message for each POST: no batches'))
  if (message === undefined || messages.some(({ kind }) => kind === 'other'))
    return answerWith(answer, 400, invalidRequest('this is not a JSON-RPC 2.0 message'))
  if (isBatch) return takeBatch(answer, session, messages, headers)
  if (message.kind !== 'request') {
    session.receive(message, nowhere)
    return answerWith(answer, 202)
  }
  const streams = message.method === 'tools/call' && answer.session !== undefined
  session.receive(message, streams ? streamTo(answer) : jsonTo(answer, message), headers)
}

/** Everything in it, answered on one stream. */
function takeBatch(
  answer: Answer,
  session: ServerSession,
  messages: readonly Message[],
  headers: Readonly<Record<string, string>>,
): void {
  const requests = messages.filter(({ kind }) => kind === 'request')
  const others = messages.filter(({ kind }) => kind !== 'request')
  for (const each of others) session.receive(each, nowhere)
  if (requests.length === 0) return answerWith(answer, 202)
  const stream = streamTo(answer)
  let open = requests.length
  const shared: Outlet = { ...stream, end: () => void ((open -= 1) === 0 && stream.end()) }
  for (const each of requests) session.receive(each, shared, headers)
}

function invalidRequest(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })
}

const nowhere: Outlet = { send: () => false, end: () => undefined }

/** An answer of one message. */
function jsonTo(answer: Answer, request: Message): Outlet {
  return {
    send(message) {
      if (answer.response.writableEnded) return false
      const failed = 'error' in message && request.kind === 'request'
      answerWith(answer, failed && isRefusal(message) ? 400 : 200, JSON.stringify(message))
      return true
    },
    end: () => undefined,
  }
}

/** A revision that is not spoken is said by the status, too (2026-07-28, Versioning). */
function isRefusal({ error }: Readonly<Record<string, unknown>>): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === -32022
}

function streamTo({ response, journal, received, url, session }: Answer): Outlet {
  const headers = { ...stream, ...(session === undefined ? {} : { 'mcp-session-id': session }) }
  response.writeHead(200, headers)
  response.flushHeaders()
  journal.answered(received, 200, headers)
  const { call: own } = received.place
  return {
    send(message, call = own) {
      if (response.writableEnded || response.destroyed) return false
      const text = JSON.stringify(message)
      journal.sent('SSE', url, text, call)
      response.write(`event: message\ndata: ${text}\n\n`)
      return true
    },
    end: () => void response.end(),
  }
}

function answerWith(
  answer: Answer,
  status: number,
  text?: string,
  further: Readonly<Record<string, string>> = {},
): void {
  const { response, journal, received, session } = answer
  const headers = {
    ...further,
    ...(text === undefined ? {} : json),
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  }
  journal.answered(received, status, headers, text)
  response.writeHead(status, headers).end(text)
}

/** Why a request that belongs to no connection is refused, by the status. */
const refusals: Readonly<Record<number, string>> = {
  400: 'Bad Request: neither the header mcp-session-id nor a request that initializes',
  404: 'Not Found: no such session',
  413: 'Content Too Large',
  429: 'Too Many Requests: more connections or messages than are taken',
}

/** Of a request that belongs to no connection the message itself is not recorded. */
function refuseWith(response: ServerResponse, status: number, why: string): void {
  const error = { code: -32000, message: why }
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error })
  response.writeHead(status, { ...json, connection: 'close' }).end(text)
}

/** The body, or nothing where it is larger than what is read. */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyLimit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

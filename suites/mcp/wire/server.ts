/**
 * A server of the Model Context Protocol that does as it is told: calls of its tools are handed on and answered by a
 * scenario. It speaks either the revisions with a handshake or 2026-07-28, and never repairs what a client sends.
 */

import type { Recorder } from '../../../harness/engine/index.ts'
import { methodNotFound, type Message, type MessageId } from './json-rpc.ts'
import { wireLimits } from './limits.ts'
import {
  hasHandshake,
  latestWithHandshake,
  modernRevision,
  unsupportedRevision,
  withHandshake,
} from './revisions.ts'
import { membersOf, textIn } from './values.ts'

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

/** Where messages to a client go: the answer to one of its requests, or a stream of their own. */
export interface Outlet {
  /** Sends a message, which belongs to a call where one is named: whether somebody still takes it. */
  send(message: Fields, call?: string): boolean
  /** Nothing more follows. */
  end(): void
}

/** How a request of the server was answered. */
export type ClientReply =
  | Extract<Message, { readonly kind: 'result' | 'error' }>
  | { readonly kind: 'none'; readonly reason: string }

export interface ServerParts {
  readonly recorder: Recorder
  /** Begins the names of its connections. */
  readonly name: string
  /** Speaks 2026-07-28 and nothing else; otherwise the revisions with a handshake. */
  readonly modern: boolean
  /** As clients may show it. */
  readonly info: Readonly<Record<'name' | 'title' | 'version', string>>
  /** What `tools/list` gives. */
  readonly tools: readonly unknown[]
  /** The call that a `tools/call` with these parameters belongs to. */
  readonly callOf: (params: Fields) => string | undefined
  /** A tool was called; whoever takes the call answers it. */
  readonly onCall: (call: ToolCall) => void
}

/** A server, and the connections that clients have begun. */
export class McpServer {
  readonly parts: ServerParts
  readonly #sessions: ServerSession[] = []
  #refusals = 0

  constructor(parts: ServerParts) {
    this.parts = parts
  }

  /** A new connection; `undefined` where a client has begun more than are taken. */
  connect(): ServerSession | undefined {
    if (this.#sessions.length >= wireLimits.connections) return undefined
    const session = new ServerSession(`${this.parts.name}-${this.#sessions.length + 1}`, this.parts)
    this.#sessions.push(session)
    return session
  }

  /** Sends a notification to whoever is connected: whether anybody hears it. */
  notify(method: string, params: Fields): boolean {
    return this.#sessions.map((each) => each.notify(method, params)).includes(true)
  }

  /** What a client sent that belongs to no connection, and was refused. */
  noteRefusal(detail: Readonly<{ status: number; why: string; method: string }>): void {
    this.#refusals += 1
    if (this.#refusals > wireLimits.refusals) return
    this.parts.recorder.record({ type: 'step', action: refusal, detail })
  }

  /** Ends what waits for clients. */
  close(): void {
    for (const session of this.#sessions) session.close('the server was closed')
  }
}

/** The step that says that a request was refused which belongs to no connection. */
export const refusal = 'refused-request'

/** One connection of a client. */
export class ServerSession {
  readonly name: string
  /** What the client declared last, in the handshake or with a request. */
  capabilities: Fields = {}
  /** The revision that was agreed on, once there is one. */
  revision: string | undefined
  readonly #parts: ServerParts
  readonly #pending = new Map<MessageId, (reply: ClientReply) => void>()
  readonly #calls = new Map<MessageId, string | undefined>()
  readonly #unsent: Fields[] = []
  #beside: Outlet | undefined
  #asked = 0

  constructor(name: string, parts: ServerParts) {
    this.name = name
    this.#parts = parts
  }

  /** A stream for what the server has to say beside its answers; what waited for one is sent. */
  listen(outlet: Outlet): void {
    this.#beside = outlet
    for (const message of this.#unsent.splice(0)) outlet.send(message)
  }

  /** The call that a message of the client belongs to. */
  callOf(message: Message): string | undefined {
    if (message.kind === 'request' && message.method === 'tools/call')
      return this.#parts.callOf(membersOf(message.value['params']))
    const answers = message.kind === 'result' || message.kind === 'error'
    return answers && isId(message.id) ? this.#calls.get(message.id) : undefined
  }

  /** A message of the client, with the headers that it came with; requests are answered through the outlet. */
  receive(message: Message, outlet: Outlet, headers: Headers = {}): void {
    if (message.kind === 'request') return this.#answer(message, outlet, headers)
    if ((message.kind === 'result' || message.kind === 'error') && isId(message.id)) {
      this.#pending.get(message.id)?.(message)
      this.#pending.delete(message.id)
    }
  }

  /** Sends a request of the server; resolves with the answer, or when the connection ends. */
  ask(method: string, params: Fields, outlet: Outlet, call?: string): Promise<ClientReply> {
    const id = this.#nextId()
    return new Promise((resolve) => {
      this.#pending.set(id, resolve)
      this.#calls.set(id, call)
      if (!outlet.send({ jsonrpc: '2.0', id, method, params }, call))
        resolve({ kind: 'none', reason: 'the client does not listen any more' })
    })
  }

  /** Zero, a text, two, a text ...: either kind is an id (JSON-RPC 2.0 §4), and each direction counts for itself. */
  #nextId(): MessageId {
    const count = this.#asked
    this.#asked += 1
    return count % 2 === 0 ? count : `${this.name}-asks-${count}`
  }

  /** Sends a notification on the stream beside: whether there is one; otherwise it waits for one. */
  notify(method: string, params: Fields): boolean {
    const message = { jsonrpc: '2.0', method, params }
    const isSent = this.#beside?.send(message) === true
    if (!isSent && this.#unsent.length < wireLimits.unsent) this.#unsent.push(message)
    return isSent
  }

  close(reason: string): void {
    for (const settle of this.#pending.values()) settle({ kind: 'none', reason })
    this.#pending.clear()
    this.#beside?.end()
  }

  #answer(request: ClientRequest, outlet: Outlet, headers: Headers): void {
    const { modern, info, tools, onCall } = this.#parts
    const { id, method, value } = request
    const params = membersOf(value['params'])
    const reply = (body: Fields): void => {
      outlet.send({ jsonrpc: '2.0', id, ...body })
      outlet.end()
    }
    const fail = (code: number, message: string, data?: Fields): void =>
      reply({ error: { code, message, ...(data ? { data } : {}) } })
    if (modern) {
      const meta = membersOf(params['_meta'])
      const revision = textIn(meta['io.modelcontextprotocol/protocolVersion'])
      if (revision !== modernRevision) {
        const data = { supported: [modernRevision], requested: revision }
        return fail(unsupportedRevision, 'only 2026-07-28 is spoken here', data)
      }
      this.revision = revision
      this.capabilities = membersOf(meta['io.modelcontextprotocol/clientCapabilities'])
    }
    const complete = modern ? { resultType: 'complete' } : {}
    const cached = modern ? { ttlMs: 0, cacheScope: 'private' } : {}
    switch (method) {
      case 'initialize': {
        if (modern) break
        const offered = textIn(params['protocolVersion'])
        this.revision = withHandshake.includes(offered) ? offered : latestWithHandshake
        this.capabilities = membersOf(params['capabilities'])
        const { revision: protocolVersion } = this
        return reply({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: info } })
      }
      case 'server/discover': {
        if (!modern) break
        const meta = { 'io.modelcontextprotocol/serverInfo': info }
        const offers = { supportedVersions: [modernRevision], capabilities: { tools: {} } }
        return reply({ result: { ...complete, ...cached, ...offers, _meta: meta } })
      }
      case 'ping':
        return reply({ result: { ...complete } })
      case 'tools/list':
        return reply({ result: { ...complete, ...cached, tools } })
      case 'tools/call':
        return onCall(new ToolCall(this, request, outlet, this.#parts.callOf(params), headers))
    }
    return fail(methodNotFound, `${method} is not offered`)
  }
}

type ClientRequest = Extract<Message, { readonly kind: 'request' }>

/** A `tools/call` that waits for its answer. */
export class ToolCall {
  readonly session: ServerSession
  readonly id: MessageId
  readonly params: Fields
  /** What the client declared with it, or in its handshake. */
  readonly capabilities: Fields
  readonly call: string | undefined
  /** Of the request of HTTP that it came in. */
  readonly headers: Headers
  readonly #outlet: Outlet

  constructor(
    session: ServerSession,
    { id, value }: ClientRequest,
    outlet: Outlet,
    call: string | undefined,
    headers: Headers,
  ) {
    this.session = session
    this.headers = headers
    this.id = id
    this.params = membersOf(value['params'])
    this.capabilities = session.capabilities
    this.call = call
    this.#outlet = outlet
  }

  /** Whether it came in a revision without requests of the server. */
  get modern(): boolean {
    return !hasHandshake(this.session.revision ?? '')
  }

  /** Asks its client for something while it waits. */
  ask(method: string, params: Fields): Promise<ClientReply> {
    return this.session.ask(method, params, this.#outlet, this.call)
  }

  /** Tells its client something while it waits: whether somebody still listens. */
  notify(method: string, params: Fields): boolean {
    return this.#outlet.send({ jsonrpc: '2.0', method, params }, this.call)
  }

  /** Answers it. */
  finish(answer: { readonly result: Fields } | { readonly error: Fields }): void {
    this.#outlet.send({ jsonrpc: '2.0', id: this.id, ...answer }, this.call)
    this.#outlet.end()
  }
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || typeof value === 'number'
}

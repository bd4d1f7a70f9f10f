/**
 * A client of the Model Context Protocol that repairs nothing: it sends what it is told, hands on what comes, and
 * waits for every answer with a deadline. What goes wrong on the wire is a value, and stands in the recording.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { withDeadline, type Patience, type Recorder } from '../../../harness/engine/index.ts'
import { methodNotFound, type Message } from './json-rpc.ts'
import type { Link, LinkParts, SendOptions, Session, Via } from './link.ts'
import {
  envelope,
  hasHandshake,
  initialization,
  mirrored,
  withHandshake,
  type Capabilities,
  type Revision,
} from './revisions.ts'
import { membersOf } from './values.ts'

/** How a request was answered: a result, an error, or not at all. */
export type Reply =
  | Extract<Message, { readonly kind: 'result' | 'error' }>
  | { readonly kind: 'none'; readonly reason: string }

/** What a request of the server is answered. */
export type ServerReply =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string } }

type ServerRequest = Extract<Message, { readonly kind: 'request' }>

export interface ClientParts {
  readonly recorder: Recorder
  /** Name of the connection. */
  readonly name: string
  readonly revision: Revision
  readonly capabilities: Capabilities
  /** How long the answer to a request may take that says nothing else; each method has needs of its own. */
  readonly patience: Pick<Patience, 'within' | 'learn'>
  readonly link: (parts: LinkParts) => Link
  /** A request of the server: whether it is going to be answered; what nobody takes is answered here. */
  readonly onRequest?: (request: ServerRequest, call: string | undefined) => boolean
  readonly onNotification?: (method: string, params: Readonly<Record<string, unknown>>) => void
}

export interface RequestOptions {
  readonly call?: string | undefined
  /** Milliseconds; `Infinity` waits until the connection ends. */
  readonly within?: number
  /** Milliseconds that are waited at least, where `within` is not said. */
  readonly atLeast?: number
  /** Further headers, over HTTP. */
  readonly headers?: Readonly<Record<string, string>>
  /** What the query of the endpoint has besides, over HTTP. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

interface Pending {
  readonly call: string | undefined
  /** Whether a request of the server was already taken to belong to it. */
  related: boolean
  readonly settle: (...outcome: Settled) => void
}

/** A reply, with the headers of the HTTP answer that it came in. */
type Settled = readonly [reply: Reply, headers?: Readonly<Record<string, string>>]

/** Milliseconds that the head of the stream beside is waited for. */
const headMs = 300

export class McpClient {
  readonly name: string
  readonly #parts: ClientParts
  readonly #link: Link
  readonly #pending = new Map<number, Pending>()
  /** The calls that were answered since one was made while no other was pending. */
  #answered: Pending[] = []
  #ids = 0
  #revision: string
  /** Whether the session is of its own handshake. */
  #began = false
  #beginning: Promise<string | undefined> | undefined

  constructor(parts: ClientParts) {
    this.name = parts.name
    this.#parts = parts
    this.#revision = parts.revision
    this.#link = parts.link({
      recorder: parts.recorder,
      name: parts.name,
      onMessage: (message, via) => this.#receive(message, via),
      callOf: (message) => this.#callOf(message),
    })
  }

  /** The revision that was agreed on. */
  get revision(): string {
    return this.#revision
  }

  /** Aborted when nothing can come any more. */
  get gone(): AbortSignal {
    return this.#link.gone
  }

  /**
   * The handshake, where the revision has one: `undefined`, or why the connection cannot be used.
   * @param atLeast milliseconds that the answer may take, however fast others were
   */
  async open(atLeast = 0): Promise<string | undefined> {
    const { revision, capabilities, patience } = this.#parts
    if (!hasHandshake(revision)) return undefined
    const params = initialization(revision, capabilities)
    const [reply, headers] = await this.#exchange('initialize', params, { atLeast })
    if (reply.kind === 'none') return `initialize was not answered: ${reply.reason}`
    if (reply.kind === 'error')
      return `initialize was refused: the error ${JSON.stringify(reply.code)}, ${JSON.stringify(reply.message)}`
    const { protocolVersion } = membersOf(reply.result)
    if (typeof protocolVersion !== 'string' || !withHandshake.includes(protocolVersion)) {
      return `the server offers revision ${JSON.stringify(protocolVersion)}, which nobody knows here`
    }
    this.#revision = protocolVersion
    this.#began = true
    this.#link.agreed?.({ id: headers?.['mcp-session-id'], revision: protocolVersion })
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    await withDeadline(patience.within('initialize'), undefined, (signal) =>
      this.#link.send(initialized, { signal }),
    )
    await this.listen()
    return undefined
  }

  /** Asks for the stream of what the server says beside its answers. */
  async listen(): Promise<void> {
    // Some servers let the head of a stream wait for its first event.
    await Promise.race([this.#link.listen?.(), delay(headMs)])
  }

  /** Goes on in a session that another connection began. */
  join(session: Session): void {
    this.#revision = session.revision
    this.#link.agreed?.(session)
  }

  /** Sends a request and waits for its answer. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    options: RequestOptions = {},
  ): Promise<Reply> {
    const [reply] = await this.#exchange(method, params, options)
    return reply
  }

  /** Answers a request of the server. */
  respond({ id }: Pick<ServerRequest, 'id'>, reply: ServerReply, call?: string): void {
    void this.#link.send({ jsonrpc: '2.0', id, ...reply }, { call })
  }

  async close(): Promise<void> {
    await this.#link.close()
    for (const id of this.#pending.keys()) this.#settle(id, none('the connection was closed'))
  }

  async #exchange(
    method: string,
    params: Readonly<Record<string, unknown>>,
    { call, within: limited, atLeast = 0, headers: further, query }: RequestOptions,
  ): Promise<Settled> {
    const { patience, recorder } = this.#parts
    const within = limited ?? Math.max(atLeast, patience.within(method))
    const begun = performance.now()
    const id = ++this.#ids
    const limit = new AbortController()
    const settled = await new Promise<Settled>((resolve) => {
      const settle = (...outcome: Settled): void => {
        stop?.()
        this.gone.removeEventListener('abort', lost)
        resolve(outcome)
      }
      const lost = (): void => this.#settle(id, none(String(this.gone.reason)))
      const late = (): void => {
        const { trouble } = this.#link
        const why = trouble === undefined ? '' : `; ${trouble}`
        this.#settle(id, none(`no answer within ${within} ms${why}`))
        limit.abort()
      }
      let stop: (() => void) | undefined
      const wait = (ms: number): void => {
        stop?.()
        stop = ms === Infinity ? undefined : recorder.deadline(ms, late)
      }
      wait(within)
      this.gone.addEventListener('abort', lost, { once: true })
      if (call !== undefined && this.#waiting.length === 0) this.#answered = []
      this.#pending.set(id, { call, related: false, settle })
      if (this.gone.aborted) lost()
      else {
        const onDeferred = (pause: number): void => {
          if (this.#pending.has(id)) wait(pause + within)
        }
        const options = { call, headers: further, query, signal: limit.signal, onDeferred }
        void this.#send(id, method, params, options)
      }
    })
    const [reply] = settled
    const answered = reply.kind !== 'none'
    if (limited === undefined) patience.learn(method, answered ? performance.now() - begun : 0)
    if (!answered) {
      const detail = { method, connection: this.name, reason: reply.reason }
      const place = call === undefined ? {} : { call }
      recorder.record({ type: 'step', action: 'unanswered', ...place, detail })
    }
    return settled
  }

  async #send(
    id: number,
    method: string,
    params: Readonly<Record<string, unknown>>,
    { headers: further, ...options }: SendOptions,
  ): Promise<void> {
    const { revision, capabilities } = this.#parts
    const legacy = hasHandshake(revision)
    const sent = legacy ? params : { ...params, _meta: envelope(revision, capabilities) }
    const own = legacy ? {} : { 'mcp-protocol-version': revision, ...mirrored(method, params) }
    const headers = { ...own, ...further }
    const send = (): Promise<string | undefined> =>
      this.#link.send(
        { jsonrpc: '2.0', id, method, params: sent },
        { ...options, headers, awaited: () => this.#pending.has(id) },
      )
    let problem = await send()
    if (problem !== undefined && method !== 'initialize' && (await this.#beganAnew()))
      problem = await send()
    if (problem !== undefined) this.#settle(id, none(problem))
  }

  /** A session that is over is followed by a new one (2025-11-25, Transports, Session Management): whether there is one. */
  async #beganAnew(): Promise<boolean> {
    if (this.#beginning === undefined) {
      if (!this.#began || this.#link.isOver !== true) return false
      this.#link.forget?.()
      this.#beginning = this.open().finally(() => (this.#beginning = undefined))
    }
    return (await this.#beginning) === undefined
  }

  #receive(message: Message, { call, headers }: Via): void {
    switch (message.kind) {
      case 'result':
      case 'error': {
        const id = typeof message.id === 'number' ? message.id : NaN
        return this.#settle(id, message, headers)
      }
      case 'request':
        if (message.method === 'ping') return this.respond(message, { result: {} })
        if (this.#parts.onRequest?.(message, call) === true) return undefined
        return this.respond(message, {
          error: { code: methodNotFound, message: `${message.method} is not offered` },
        })
      case 'notification':
        return this.#parts.onNotification?.(message.method, membersOf(message.value['params']))
      case 'other':
        return undefined
    }
  }

  /** An answer to nothing that is pending stands in the recording, and is for nobody. */
  #settle(id: number, ...outcome: Settled): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (pending?.call !== undefined) this.#answered.push(pending)
    pending?.settle(...outcome)
  }

  get #waiting(): readonly Pending[] {
    return [...this.#pending.values()].filter(({ call }) => call !== undefined)
  }

  /**
   * An answer belongs to its request; a request of the server, to the one that waits for the longest without one, and where
   * none waits any more, to the one that was answered.
   */
  #callOf(message: Message | undefined): string | undefined {
    if (message === undefined) return undefined
    if (message.kind === 'result' || message.kind === 'error')
      return typeof message.id === 'number' ? this.#pending.get(message.id)?.call : undefined
    const waiting = this.#waiting
    if (message.kind !== 'request') return waiting.length === 1 ? waiting[0]?.call : undefined
    const unrelated = ({ related }: Pending): boolean => !related
    const pending =
      waiting.find(unrelated) ??
      waiting[0] ??
      this.#answered.find(unrelated) ??
      this.#answered.at(-1)
    // A ping may come at any time, and asks for nothing that a call needs.
    if (pending && message.method !== 'ping') pending.related = true
    return pending?.call
  }
}

function none(reason: string): Reply {
  return { kind: 'none', reason }
}

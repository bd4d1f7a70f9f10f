/** Plays a RAP tool server: its discovery document, its invocation endpoint, and what runtimes notify it of. */

import type { AddressInfo } from 'node:net'
import { serve, type HttpBindings, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { answerHalfClosed, readBody, serverOptions } from '../../../harness/parties/index.ts'
import { jsonOf } from '../../../harness/engine/index.ts'
import type { Body, Channel } from '../../../harness/engine/index.ts'
import type { Recorder } from '../../../harness/engine/index.ts'
import type { Fields } from './vocabulary.ts'

/** How an invocation is answered: a status, `reset` of the connection, or a status after something has happened. */
export type Acknowledgement = number | 'reset' | Promise<number>

/** The scenario and the call that an invocation belongs to. */
export interface InvocationScope {
  readonly recorder: Recorder
  readonly call: string
  /** Default: 200 at once; `nth` counts the invocations of the call from 0. */
  readonly acknowledge?: ((nth: number) => Acknowledgement) | undefined
  /** The status with which notifications about the call are answered, or when; default: 200 at once. */
  readonly notified?: number | Promise<number> | undefined
}

/** Whose calls and groups are which: what a runtime notifies any toolset of need not be a call of that toolset. */
export class Routes {
  readonly #calls = new Map<string, InvocationScope>()
  readonly #ids = new Map<unknown, InvocationScope>()
  readonly #groups = new Map<unknown, InvocationScope>()

  enter({ id, group_id }: Fields, scope: InvocationScope): void {
    this.#calls.set(place(group_id, id), scope)
    this.#ids.set(id, scope)
    this.#groups.set(group_id, scope)
  }

  /** An id need be unique within its thread only. */
  of({ tool_call_id, thread_id }: Fields): InvocationScope | undefined {
    return (
      this.#calls.get(place(thread_id, tool_call_id)) ??
      this.#ids.get(tool_call_id) ??
      this.#groups.get(thread_id)
    )
  }
}

function place(group: unknown, id: unknown): string {
  return JSON.stringify([group, id])
}

/** A tool as its toolset describes it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, unknown>>
}

/** A discovery document. */
export interface ToolsetDocument {
  readonly name: string
  readonly endpoint: string
  readonly tools: readonly ToolDescription[]
}

/** Makes another document of it, which need not be a valid one. */
export type ToolsetChange = (document: ToolsetDocument) => unknown

/** What a toolset offers, and who is told of its invocations. */
export interface ToolsetOptions {
  readonly name: string
  readonly tools: readonly ToolDescription[]
  /** The path of its base URL, without a trailing slash: what it is discovered and notified below. */
  readonly base: string
  /** The path of its invocation endpoint. */
  readonly path: string
  /** 0 takes a free port. */
  readonly port: number
  /** Takes what belongs to no scenario. */
  readonly log: Recorder
  /** Tells for the body of an invocation, which need not be one, whose it is. */
  readonly attribute: (body: Body | undefined) => InvocationScope | undefined
  /** Shared by all toolsets of a run. */
  readonly routes: Routes
}

/** A running toolset that the suite plays. */
export interface ToolsetServer {
  /** Base URL, without a trailing slash. */
  readonly url: string
  /** From now on its tools are described like this. */
  describe(description: string): void
  /** From now on its discovery document is what becomes of the one that it has. */
  alter(change: ToolsetChange): void
  close(): Promise<void>
}

/** Headers that a runtime may use as a credential; recorded without their value. */
const confidential = new Set(['authorization', 'cookie', 'x-api-key'])

/** Starts a toolset on a loopback port. */
export async function startToolset(options: ToolsetOptions): Promise<ToolsetServer> {
  const { name, base, path: endpoint, port, log, attribute, routes } = options
  const counts = new Map<InvocationScope, number>()
  let { tools } = options
  let origin = ''
  let change: ToolsetChange = (document) => document

  const open = (channel: Channel, request: Request, target: string, body: Body | undefined) => {
    const message = fieldsOf(body)
    const scope = channel === 'invocation' ? attribute(body) : routes.of(message)
    if (scope && channel === 'invocation') routes.enter(message, scope)
    const recorder = scope && !scope.recorder.ended ? scope.recorder : log
    const exchange = recorder.newExchange()
    const place = { channel, exchange, ...(scope ? { call: scope.call } : {}) } as const
    recorder.record({
      type: 'request',
      ...place,
      method: request.method,
      url: origin + target,
      headers: withoutCredentials(request.headers),
      ...(body ? { body } : {}),
    })
    return { scope, recorder, place }
  }

  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  app.get(`${base}/.well-known/rap-toolset`, (c) => {
    const { recorder, place } = open('discovery', c.req.raw, c.req.path, undefined)
    const text = JSON.stringify(change({ name, endpoint: origin + endpoint, tools }))
    const body = { text, bytes: Buffer.byteLength(text) }
    const headers = { 'content-type': 'application/json' }
    recorder.record({ type: 'response', ...place, status: 200, headers, body })
    return c.body(text, 200, headers)
  })
  app.all(endpoint, async (c) => {
    const body = await readBody(c.req.raw)
    const { scope, recorder, place } = open('invocation', c.req.raw, endpoint, body)
    const nth = scope ? (counts.get(scope) ?? 0) : 0
    if (scope) counts.set(scope, nth + 1)
    const acknowledgement = await (scope?.acknowledge?.(nth) ?? 200)
    if (acknowledgement === 'reset') {
      const message = 'the harness reset the connection'
      recorder.record({ type: 'failure', ...place, code: 'reset', message })
      c.env?.incoming?.socket.resetAndDestroy()
      throw new TypeError(message)
    }
    // What HTTP libraries take for an invitation to try again.
    const headers: Record<string, string> = acknowledgement === 429 ? { 'retry-after': '0' } : {}
    recorder.record({ type: 'response', ...place, status: acknowledgement, headers })
    return c.body(null, acknowledgement as 200, headers)
  })
  for (const path of [`${base}/close_thread`, `${base}/cancel_tool_call`]) {
    app.post(path, async (c) => {
      const body = await readBody(c.req.raw)
      const { scope, recorder, place } = open('notification', c.req.raw, path, body)
      const status = await (scope?.notified ?? 200)
      recorder.record({ type: 'response', ...place, status, headers: {} })
      return c.body(null, status as 200)
    })
  }
  // What is looked for where nothing is: an invocation belongs to a scenario, but is none of its call.
  app.all('*', async (c) => {
    const { method, path } = c.req
    const body = await readBody(c.req.raw)
    const scope = attribute(body)
    const recorder = scope?.recorder ?? log
    const channel = channelOf(path)
    if (channel === 'invocation' && !scope) return c.body(null, 404)
    const place = { channel, exchange: recorder.newExchange() } as const
    const headers = withoutCredentials(c.req.raw.headers)
    const shown = body ? { body } : {}
    recorder.record({ type: 'request', ...place, method, url: origin + path, headers, ...shown })
    recorder.record({ type: 'response', ...place, status: 404, headers: {} })
    return c.body(null, 404)
  })
  app.onError((_, c) => c.body(null, 500))

  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, hostname: '127.0.0.1', port, serverOptions }, () =>
      resolve(starting),
    )
    answerHalfClosed(starting)
    starting.once('error', reject)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: origin + base,
    describe(description) {
      tools = tools.map((tool) => ({ ...tool, description }))
    },
    alter(next) {
      change = next
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

function channelOf(path: string): Channel {
  if (path.endsWith('/rap-toolset')) return 'discovery'
  return /\/(close_thread|cancel_tool_call)$/.test(path) ? 'notification' : 'invocation'
}

export function fieldsOf(body: Body | undefined): Fields {
  const value = jsonOf(body)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function withoutCredentials(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, confidential.has(name) ? '[not recorded]' : value]),
  )
}

/** Plays the model: speaks OpenAI's, Anthropic's and Gemini's protocols, and says what a script decides. */

import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { createAdapters } from './api-adapter.ts'
import { createHandler } from './handle-request.ts'
import { createIds, type RandomBytes } from './ids.ts'
import type { Decide, ModelAnswer, ModelEvent } from './model-reply.ts'
import { WaitingRoom } from './waiting-room.ts'

/** What the model says, where it listens, and who is told. */
export interface ScriptedModelOptions {
  readonly decide: Decide
  /** Told of every request and every answer, in order, before a byte of the answer is sent. */
  readonly onExchange?: ((event: ModelEvent) => void) | undefined
  /** Port of 127.0.0.1 to listen on. Default: a free one. */
  readonly port?: number | undefined
  /** Opens no port: `fetch` answers for this origin inside the process. */
  readonly origin?: string | undefined
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined
  /** Default: the system's randomness. */
  readonly random?: RandomBytes | undefined
}

/** A running model endpoint. */
export interface ScriptedModel {
  /** Base URL without `/v1`, as the clients of Anthropic and Gemini take it. */
  readonly origin: string
  /** Base URL with `/v1`, as OpenAI's clients take it. */
  readonly baseUrl: string
  readonly fetch: (request: Request) => Promise<Response>
  /** Exchanges that are held, oldest first. */
  readonly held: readonly string[]
  /** Answers what is held, with empty text unless told otherwise: all of it, or one exchange. */
  release(answer?: ModelAnswer, exchange?: string): void
  /** Stops listening and cuts every connection; what still waits is reported as `closed`. */
  close(): Promise<void>
}

/**
 * Starts a scripted model on a port of 127.0.0.1.
 * Rejects with the error of `listen` when no port can be bound.
 *
 * @example
 * const model = await startScriptedModel({
 *   decide: ({ messages }) =>
 *     messages.some(({ role }) => role === 'tool')
 *       ? { text: 'Done.' }
 *       : { toolCalls: [{ name: 'list_repositories', arguments: { owner: 'ada' } }] },
 *   onExchange: (event) => console.log(event.type, event.exchange),
 * })
 * const runtime = spawn('agent', { env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'any' } })
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const waiting = new WaitingRoom()
  const handle = createHandler({
    decide: options.decide,
    report: options.onExchange ?? (() => {}),
    waiting,
    adapters: createAdapters(),
    ids: createIds(options.random ?? randomBytes),
    now: options.now ?? Date.now,
  })
  const app = new Hono()
  app.all('*', (c) => handle(c.req.raw))
  app.onError((_, c) => c.body(null, 500))

  const server = options.origin === undefined ? await listen(app, options.port ?? 0) : undefined
  const origin =
    options.origin ?? `http://127.0.0.1:${(server?.address() as AddressInfo | undefined)?.port}`
  return {
    origin,
    baseUrl: `${origin}/v1`,
    fetch: async (request) => app.fetch(request),
    get held() {
      return waiting.held
    },
    release: (answer = {}, exchange) => waiting.release(answer, exchange),
    async close() {
      waiting.close()
      if (server) await stop(server)
    },
  }
}

/** Idle connections outlive those of clients: who sends just when a server closes sees a reset. */
const serverOptions = { keepAliveTimeout: 120_000 }

function listen(app: Hono, port: number): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port, serverOptions }, () =>
      resolve(server),
    )
    server.once('error', reject)
  })
}

async function stop(server: ServerType): Promise<void> {
  const stopped = new Promise<void>((resolve) => void server.close(() => resolve()))
  if ('closeAllConnections' in server) server.closeAllConnections()
  await stopped
}

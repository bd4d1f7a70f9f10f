/** One HTTP exchange: read, logged, answered by an endpoint, possibly disturbed by faults, logged again. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Authorization } from './authorization.ts'
import { ConnectionClosed } from './connection-closed.ts'
import type { AttemptDetail, EndpointName, EventDetail } from './events.ts'
import type { FaultEndpoint } from './faults/fault.ts'
import type { FaultId } from './faults/index.ts'
import { errorReply, OAuthError } from './oauth-error.ts'
import { parseParameters, type Parameters } from './parameters.ts'
import { deviate, refuse, understand } from './profiles/apply.ts'
import { readBody } from './read-body.ts'
import { json, bodyOf, toResponse, type Reply } from './reply.ts'
import type { ProviderState } from './state.ts'
import type { MaybePromise } from './storage/storage.ts'
import { withFaults } from './with-faults.ts'

export interface Exchange {
  readonly method: string
  /** Path and query as on the wire. */
  readonly target: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
  /** The body as it was sent, where a profile reads it in another way. */
  readonly sent: string
  readonly query: Parameters
  /** The body as form parameters, whatever its content type. */
  readonly form: Parameters
  readonly signal: AbortSignal
  /** The part of the path that an endpoint's pattern names. */
  readonly segment: (name: string) => string
  /** What the exchange belongs to, once that can be told. */
  authorization: Authorization | undefined
  /** Faults that fired. */
  readonly fired: FaultId[]
  /** Deviations and leniencies that took effect, by their names. */
  readonly leniencies: string[]
  log(detail: EventDetail): void
}

export interface Endpoint<Attempt extends AttemptDetail = AttemptDetail> {
  readonly name: EndpointName
  readonly methods: readonly string[]
  /** A Hono path pattern. */
  readonly path: string
  /** What the path is below. Default: the issuer. */
  readonly place?: 'origin' | 'issuer' | undefined
  /** Which faults disturb it. */
  readonly faults?: FaultEndpoint
  /** Tells which authorization a request belongs to, from what it presents. */
  attribute?(exchange: Exchange): MaybePromise<Authorization | undefined>
  /** Describes what is attempted, refused until `handle` writes otherwise; logged once answered. */
  attempt?(exchange: Exchange): MaybePromise<Attempt>
  /** Answers. @throws OAuthError to refuse */
  handle(exchange: Exchange, attempt: Attempt): Reply | Promise<Reply>
}

/** An attempt while it is being decided. */
export type Draft<T> = { -readonly [Name in keyof T]: T[Name] }

/** Turns an endpoint into a Hono handler. It rejects with `ConnectionClosed` when no answer is given. */
export function serveEndpoint(state: ProviderState, endpoint: Endpoint) {
  return async (context: Context): Promise<Response> => {
    const { exchange, problem } = await receive(state, endpoint, context)
    let attempt: AttemptDetail | undefined
    try {
      if (problem) throw problem
      attempt = await endpoint.attempt?.(exchange)
      const reply = deviate(
        state,
        endpoint.name,
        exchange,
        await answer(state, endpoint, exchange, attempt),
      )
      if (attempt) exchange.log(attempt)
      logResponse(exchange, reply)
      return toResponse(reply)
    } catch (error) {
      if (attempt) exchange.log(describeFailure(attempt, error))
      if (error instanceof ConnectionClosed) {
        exchange.log({ type: 'connection', closedBy: error.by, faults: [...exchange.fired] })
        throw error
      }
      const reply = deviate(state, endpoint.name, exchange, failure(error))
      logResponse(exchange, reply)
      return toResponse(reply)
    }
  }
}

async function receive(state: ProviderState, endpoint: Endpoint, context: Context) {
  const request = context.req.raw
  const url = new URL(request.url)
  const { body, problem: unreadable } = await readBody(request, state.settings.bodyLimit)
  const number = state.log.nextExchange()
  const exchange: Exchange = {
    method: request.method,
    target: rawTarget(context) ?? url.pathname + url.search,
    url,
    headers: request.headers,
    body,
    sent: body,
    query: parseParameters(url.search),
    form: parseParameters(body),
    signal: request.signal,
    segment: (name) => context.req.param(name) ?? '',
    authorization: undefined,
    fired: [],
    leniencies: [],
    log(detail) {
      const authorization = exchange.authorization?.id
      state.log.append({ exchange: number, endpoint: endpoint.name, authorization }, detail)
    },
  }
  const problem = (await prepare(state, endpoint, exchange)) ?? unreadable
  const { method, target } = exchange
  const headers = Object.fromEntries(request.headers)
  exchange.log({ type: 'request', method, target, headers, body })
  return { exchange, problem }
}

/** Attributes the exchange; reports a storage that fails, so that the request is logged all the same. */
async function prepare(state: ProviderState, endpoint: Endpoint, exchange: Exchange) {
  try {
    await state.ready
    await state.clock.refresh()
    await state.signer.refresh()
    understand(state, endpoint.name, exchange)
    exchange.authorization = await endpoint.attribute?.(exchange)
    return undefined
  } catch (error) {
    console.error(error)
    return new OAuthError('temporarily_unavailable', 'the storage fails', { status: 503 })
  }
}

/** Behind a Node.js server, the request line before any normalisation. */
function rawTarget(context: Context): string | undefined {
  const bindings: Partial<HttpBindings> | undefined = context.env
  return bindings?.incoming?.url
}

async function answer(
  state: ProviderState,
  endpoint: Endpoint,
  exchange: Exchange,
  attempt: AttemptDetail | undefined,
): Promise<Reply> {
  if (!endpoint.methods.includes(exchange.method)) {
    const headers = { allow: endpoint.methods.join(', ') }
    throw new OAuthError('invalid_request', 'method not allowed', { status: 405, headers })
  }
  // an endpoint that describes attempts gets the attempt that it described; the others look at none
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const handle = () =>
    refuse(state, endpoint.name, exchange) ?? endpoint.handle(exchange, attempt as AttemptDetail)
  return endpoint.faults ? withFaults(state, exchange, endpoint.faults, handle) : handle()
}

function logResponse(exchange: Exchange, reply: Reply): void {
  const { status, headers } = reply
  const faults = [...exchange.fired]
  const leniencies = exchange.leniencies.length > 0 ? [...exchange.leniencies] : undefined
  exchange.log({ type: 'response', status, headers, body: bodyOf(reply), faults, leniencies })
}

function describeFailure(attempt: AttemptDetail, error: unknown): AttemptDetail {
  const code = error instanceof OAuthError ? error.code : undefined
  return { ...attempt, outcome: 'refused', error: attempt.error ?? code }
}

function failure(error: unknown): Reply {
  if (error instanceof OAuthError) return errorReply(error)
  console.error(error)
  return json({ error: 'server_error' }, 500)
}

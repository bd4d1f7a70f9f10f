/** One HTTP exchange: read, logged, answered by an endpoint, possibly disturbed by faults, logged again. */
import type { Context } from 'hono'
import type { Authorization } from './authorization.ts'
import { ConnectionClosed } from './connection-closed.ts'
import type { AttemptDetail, EndpointName, EventDetail } from './events.ts'
import type { FaultEndpoint } from './faults/fault.ts'
import type { FaultId } from './faults/index.ts'
import { chain, rescue, type MaybePromise } from './maybe-promise.ts'
import { errorReply, OAuthError } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'
import { deviate, refuse } from './profiles/apply.ts'
import { receive } from './receive.ts'
import { json, bodyOf, toResponse, type Reply } from './reply.ts'
import type { ProviderState } from './state.ts'
import { withFaults } from './with-faults.ts'

export interface Exchange {
  readonly method: string
  /** Path and query as on the wire. */
  readonly target: string
  readonly url: URL
  /** The query with its question mark; empty without one. */
  readonly search: string
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
  handle(exchange: Exchange, attempt: Attempt): MaybePromise<Reply>
}

/** An attempt while it is being decided. */
export type Draft<T> = { -readonly [Name in keyof T]: T[Name] }

/** Turns an endpoint into a Hono handler. It rejects with `ConnectionClosed` when no answer is given. */
export function serveEndpoint(state: ProviderState, endpoint: Endpoint) {
  return (context: Context): MaybePromise<Response> =>
    chain(receive(state, endpoint, context), ({ exchange, problem }) => {
      let attempt: AttemptDetail | undefined
      const conclude = (reply: Reply) => {
        const deviating = deviate(state, endpoint.name, exchange, reply)
        if (attempt) exchange.log(attempt)
        const body = bodyOf(deviating)
        logResponse(exchange, deviating, body)
        return toResponse(deviating, body)
      }
      const serve = () => {
        if (problem) throw problem
        return chain(endpoint.attempt?.(exchange), (described) => {
          attempt = described
          return chain(answer(state, endpoint, exchange, attempt), conclude)
        })
      }
      return rescue(serve, (error) => {
        attempt &&= describeFailure(attempt, error)
        if (!(error instanceof ConnectionClosed)) return conclude(failure(error))
        if (attempt) exchange.log(attempt)
        exchange.log({ type: 'connection', closedBy: error.by, faults: [...exchange.fired] })
        throw error
      })
    })
}

function answer(
  state: ProviderState,
  endpoint: Endpoint,
  exchange: Exchange,
  attempt: AttemptDetail | undefined,
): MaybePromise<Reply> {
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

function logResponse(exchange: Exchange, { status, headers }: Reply, body: string): void {
  const faults = [...exchange.fired]
  const leniencies = exchange.leniencies.length > 0 ? [...exchange.leniencies] : undefined
  exchange.log({ type: 'response', status, headers, body, faults, leniencies })
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

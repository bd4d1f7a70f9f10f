/** What one HTTP exchange is, and what an endpoint is that answers it. */
import type { Authorization } from '../authorization/authorization.ts'
import type { FaultEndpoint } from '../faults/fault.ts'
import type { FaultId } from '../faults/index.ts'
import type { AttemptDetail, EndpointName, EventDetail } from '../log/events.ts'
import type { MaybePromise } from '../storage/maybe-promise.ts'
import type { Parameters } from './parameters.ts'
import type { Reply } from './reply.ts'

export interface Exchange {
  readonly method: string
  /** Path and query as on the wire. */
  readonly target: string
  readonly url: URL
  /** The query with its question mark; empty without one. */
  readonly search: string
  readonly headers: Headers
  readonly body: string
  /** The body as it was sent, where a preset reads it in another way. */
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
  /** Whether pages of other origins may use it. */
  readonly crossOrigin?: true
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

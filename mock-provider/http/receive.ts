/** Receives a request: reads it, tells which authorization it belongs to, and logs it. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Authorization } from '../authorization/authorization.ts'
import type { FaultId } from '../faults/index.ts'
import type { EventDetail } from '../log/events.ts'
import { understand } from '../presets/apply.ts'
import type { ProviderState } from '../provider/state.ts'
import { chain, rescue, type MaybePromise } from '../storage/maybe-promise.ts'
import type { Endpoint, Exchange } from './exchange.ts'
import { OAuthError } from './oauth-error.ts'
import { parseParameters, type Parameters } from './parameters.ts'
import { readBody } from './read-body.ts'

export interface Received {
  readonly exchange: Exchange
  /** Why it has to be refused. */
  readonly problem: OAuthError | undefined
}

/** Begins an exchange. At once, unless there is a body to read or a storage to wait for. */
export function receive(
  state: ProviderState,
  endpoint: Endpoint,
  context: Context,
): MaybePromise<Received> {
  const { req, env } = context
  return chain(readBody(req.raw, state.settings.bodyLimit), ({ body, problem: unreadable }) => {
    const { incoming }: Partial<HttpBindings> = env ?? {}
    const exchange = new ReceivedExchange(state, endpoint, context, body, incoming?.url)
    const headers = incoming
      ? sentHeaders(incoming.rawHeaders)
      : Object.fromEntries(req.raw.headers)
    return chain(prepare(state, endpoint, exchange), (problem = unreadable) => {
      const { method, target } = exchange
      exchange.log({ type: 'request', method, target, headers, body })
      return { exchange, problem }
    })
  })
}

/** Attributes the exchange; reports a storage that fails, so that the request is logged all the same. */
function prepare(
  state: ProviderState,
  endpoint: Endpoint,
  exchange: Exchange,
): MaybePromise<OAuthError | undefined> {
  const attribute = () => {
    understand(state, endpoint.name, exchange)
    return chain(endpoint.attribute?.(exchange), (authorization) => {
      exchange.authorization = authorization
      return undefined
    })
  }
  return rescue(
    () => chain(state.refresh(), attribute),
    (error) => {
      console.error(error)
      return new OAuthError('temporarily_unavailable', 'the storage fails', { status: 503 })
    },
  )
}

/** What is derived from a request is derived when it is first needed; much never is. */
class ReceivedExchange implements Exchange {
  readonly method: string
  readonly target: string
  headers: Headers
  body: string
  readonly sent: string
  authorization: Authorization | undefined
  readonly fired: FaultId[] = []
  readonly leniencies: string[] = []
  readonly segment = (name: string) => this.#context.req.param(name) ?? ''
  readonly #context: Context
  readonly #number: number
  readonly #endpoint: Endpoint
  readonly #state: ProviderState
  #url: URL | undefined
  #search: string | undefined
  #query: Parameters | undefined
  #form: Parameters | undefined

  /** `target` is the one on the request line, before any normalisation, where that is known. */
  constructor(
    state: ProviderState,
    endpoint: Endpoint,
    context: Context,
    body: string,
    target: string | undefined,
  ) {
    const { method, headers } = context.req.raw
    this.#state = state
    this.#endpoint = endpoint
    this.#context = context
    this.#number = state.log.nextExchange()
    this.method = method
    this.headers = headers
    this.body = body
    this.sent = body
    this.target = target ?? this.url.pathname + this.url.search
  }

  get url(): URL {
    return (this.#url ??= new URL(this.#context.req.url))
  }

  get search(): string {
    return (this.#search ??= /^[^?#]*(\?[^#]+)?/.exec(this.#context.req.url)?.[1] ?? '')
  }

  set search(search: string) {
    this.#search = search
  }

  get query(): Parameters {
    return (this.#query ??= parseParameters(this.search))
  }

  set query(parameters: Parameters) {
    this.#query = parameters
  }

  get form(): Parameters {
    return (this.#form ??= parseParameters(this.sent))
  }

  set form(parameters: Parameters) {
    this.#form = parameters
  }

  get signal(): AbortSignal {
    return this.#context.req.raw.signal
  }

  log(detail: EventDetail): void {
    const authorization = this.authorization?.id
    const envelope = { exchange: this.#number, endpoint: this.#endpoint.name, authorization }
    this.#state.log.append(envelope, detail)
  }
}

/** The headers as they were sent, by lower-case names; those of one name are joined (RFC 9110 §5.3). */
function sentHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase()
    const value = raw[index + 1]!
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return headers
}

/** Hand-written recordings for the tests of the checks. */

import { Transcript, type JudgingContext, type Sighting } from '../../../../harness/engine/index.ts'
import { ClientRecording, type Cases as CasesOf, type ExampleOptions } from '../../../testing.ts'
import type { Declared } from './configuration.ts'

export type Cases = CasesOf<Declared>

type Fields = Readonly<Record<string, unknown>>

const serverOrigin = 'http://127.0.0.1:4100'
const providerOrigin = 'https://127.0.0.1:4200'
const endpoint = `${serverOrigin}/mcp`

/** What the elicitations of a call are, unless told otherwise: each call has its own. */
const elicitationOf = (call: string) => ({
  mode: 'url',
  elicitationId: `elicitation of ${call}`,
  url: `${serverOrigin}/connect?e=${call}`,
  message: 'Connect your account',
})

interface Begin {
  readonly user?: string
  readonly connection?: string
  readonly headers?: Record<string, string>
}

interface Place {
  readonly channel: string
  readonly exchange: string
  readonly call?: string
}

/** Writes a transcript in the protocol's terms. */
export class Recording extends ClientRecording {
  readonly #connections = new Map<string, string>()
  #exchanges = 0
  #ids = 0
  #asked = 0
  #endpoint = endpoint

  /** What follows is sent to another server. */
  to(origin: string): this {
    this.#endpoint = `${origin}/mcp`
    return this
  }

  /** Something of the current call was waited for, and given up. */
  gaveUp(within = 30_000): this {
    return this.after(within).step('gave-up', { what: 'no result', within })
  }

  /** A connection whose `initialize` was answered. */
  connect(
    connection = 'connection-1',
    headers: Record<string, string> = {},
    bearer?: string,
  ): this {
    this.event({ type: 'step', action: 'connect', detail: { connection, bearer } })
    const place = this.#open('mcp', connection, false)
    return this.#post(place, { method: 'initialize' }, {}).#answered(place, 200, headers)
  }

  /** The connection of the current call is refused when it is to begin. */
  refusedConnection(id: number | null = 0): this {
    const place = this.#open('mcp', undefined, false)
    this.#post(place, { id: 0, method: 'initialize' }, {})
    const text = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } })
    const body = { text, bytes: text.length }
    return this.event({ type: 'response', ...place, status: 400, headers: {}, body })
  }

  /** A call on a connection that is not there yet. */
  beginUnconnected(): this {
    const call = `call-${this.#connections.size + 1}`
    this.#connections.set(call, 'connection-1')
    return this.on(call).step('begin', { user: 'user-1', connection: 'connection-1' })
  }

  /** A new call: `call-1`, `call-2` ... */
  begin(
    { user = 'user-1', connection = 'connection-1', headers = {} }: Begin = {},
    status: number | 'open' | 'refused' = 200,
  ): this {
    const call = `call-${this.#connections.size + 1}`
    this.#connections.set(call, connection)
    this.on(call).step('begin', { user, connection, name: 'list_items', arguments: {} })
    return this.attempt({}, status, headers)
  }

  /** The tool is called once more, or for the first time. */
  attempt(
    params: Fields = {},
    status: number | 'open' | 'refused' = 200,
    headers: Record<string, string> = {},
  ): this {
    this.#ids += 1
    const place = this.#open('mcp')
    const message = { method: 'tools/call', params: { name: 'list_items', ...params } }
    this.#post(place, { id: this.#ids, ...message }, headers)
    if (status === 'open') return this
    if (status === 'refused')
      return this.event({ type: 'failure', ...place, code: 'ECONNREFUSED', message: 'refused' })
    return this.#answered(place, status, {})
  }

  /** Any message of the server on a stream. */
  stream(
    message: Fields,
    { connection, call = this.current }: { connection?: string; call?: string } = {},
    ...secrets: Sighting[]
  ): this {
    const place = this.#open('mcp-stream', connection)
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    return this.event(
      {
        type: 'request',
        ...place,
        ...(call === '' ? {} : { call }),
        method: 'SSE',
        url: endpoint,
        headers: {},
        body: { text, bytes: text.length },
      },
      ...secrets,
    )
  }

  /** The server asks by a request. */
  elicit(changes: Fields = {}): this {
    this.#asked += 1
    const isForm = 'mode' in changes && changes['mode'] !== 'url'
    const params = isForm
      ? { message: 'Who are you?', ...changes }
      : { ...elicitationOf(this.current), ...changes }
    return this.stream({ id: `e${this.#asked}`, method: 'elicitation/create', params })
  }

  /** A line of standard output. */
  written(text: string): this {
    const place = this.#open('mcp-stream')
    const body = { text, bytes: text.length }
    return this.event({
      type: 'request',
      ...place,
      method: 'STDOUT',
      url: 'stdio:',
      headers: {},
      body,
    })
  }

  /** The server asks by the error that ends the request. */
  required(elicitations: readonly Fields[] = [elicitationOf(this.current)]): this {
    return this.fails({ code: -32042, message: 'authorize first', data: { elicitations } })
  }

  /** The server asks in the result that ends the request. */
  input(changes: Fields = {}): this {
    const { elicitationId: _, ...params } = elicitationOf(this.current)
    const inputRequests = { auth: { method: 'elicitation/create', params } }
    const result = { resultType: 'input_required', inputRequests, requestState: 's', ...changes }
    return this.stream({ id: this.#ids, result })
  }

  /** The client answers what the server asked for by a request. */
  answer(action: string, status: number | 'open' = 202): this {
    const place = this.#open('mcp')
    const reply = action === 'error' ? { error: { code: -32603 } } : { result: { action } }
    this.#post(place, { id: `e${this.#asked}`, ...reply }, {})
    return status === 'open' ? this : this.#answered(place, status, {})
  }

  /** Somebody else declines what the server asked for by a request. */
  refusedBy(connection: string, status = 202): this {
    const place = this.#open('mcp', connection, false)
    this.#post(place, { id: `e${this.#asked}`, result: { action: 'decline' } }, {})
    return this.#answered(place, status, {})
  }

  /** The retry that says what the user said. */
  retry(action: string): this {
    return this.attempt({ inputResponses: { auth: { action } }, requestState: 's' })
  }

  /** Somebody asks for the stream of a session. */
  listens(status: number | 'open', headers: Record<string, string> = {}): this {
    const place = this.#open('mcp', 'connection-2', false)
    this.event({ type: 'request', ...place, method: 'GET', url: this.#endpoint, headers })
    return status === 'open' ? this : this.#answered(place, status, {})
  }

  /** A result of the current call. */
  result(text = '[{"id":"1"}]', changes: Fields = {}): this {
    return this.stream({ id: this.#ids, result: { content: [{ type: 'text', text }], ...changes } })
  }

  failed(text = 'it was declined'): this {
    return this.result(text, { isError: true })
  }

  /** An error of JSON-RPC. */
  fails(error: Fields = { code: -32603, message: 'no' }): this {
    return this.stream({ id: this.#ids, error })
  }

  complete(id: unknown = `elicitation of ${this.current}`, connection?: string): this {
    const params = { elicitationId: id }
    const where = connection === undefined ? {} : { connection }
    return this.stream(
      { method: 'notifications/elicitation/complete', params },
      { ...where, call: '' },
    )
  }

  /** The browser comes back to the server with these parameters. */
  callback(parameters: Record<string, string> = { code: 'c', state: 's' }): this {
    const place = this.#open('browser')
    const url = `${serverOrigin}/callback?${new URLSearchParams(parameters).toString()}`
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    return this.event({ type: 'response', ...place, status: 200, headers: {} })
  }

  /** The browser opens a page of the server. */
  opens(url: string, cookie = ''): this {
    const place = this.#open('browser')
    const headers = cookie === '' ? {} : { cookie }
    this.event({ type: 'request', ...place, method: 'GET', url, headers })
    return this.event({ type: 'response', ...place, status: 302, headers: {} })
  }

  decision(subject = 'subject-of-user-1'): this {
    return this.provider('decision', { action: 'approve', subject })
  }

  /** The browser came to the authorization endpoint. */
  authorizationRequest(detail: Record<string, unknown>): this {
    return this.provider('authorization-request', { valid: true, ...detail })
  }

  /** The provider answered a token request. */
  grant(detail: Record<string, unknown> = {}): this {
    return this.provider('grant', {
      grantType: 'authorization_code',
      outcome: 'issued',
      ...detail,
    })
  }

  /** The provider issued a code for these scopes, and a token for that. */
  redeemed(authorization: string, scopes: readonly string[]): this {
    const place = { type: 'provider', authorization, ...this.belongs() } as const
    this.event({ ...place, event: 'authorization-request', detail: { scopes } })
    const detail = { grantType: 'authorization_code', outcome: 'issued' }
    return this.event({ ...place, event: 'grant', detail })
  }

  /** A request to the protected API. */
  access(detail: Record<string, unknown> = {}): this {
    return this.provider('resource-access', {
      token: 'access_token-1',
      subject: 'subject-of-user-1',
      outcome: 'served',
      ...detail,
    })
  }

  /** A request to the provider, as it arrives. */
  upstream(path: string, ...secrets: Sighting[]): this {
    const place = this.#open('provider')
    const url = providerOrigin + path
    return this.event({ type: 'request', ...place, method: 'GET', url, headers: {} }, ...secrets)
  }

  /** Up to the answer of the client that its user agrees. */
  agreed(): this {
    return this.begin().elicit().answer('accept')
  }

  /** The browser comes back with a code, and the server redeems it. */
  authorized(): this {
    return this.decision().callback().grant()
  }

  /** A call from its beginning to its result. */
  served(): this {
    return this.agreed().authorized().access().result()
  }

  #open(channel: string, connection?: string, ofCall = true): Place {
    this.#exchanges += 1
    const name = connection ?? this.#connections.get(this.current) ?? 'connection-1'
    const own = channel.startsWith('mcp') ? `${name}/` : ''
    const belongs = ofCall && channel !== 'mcp-stream' ? this.belongs() : {}
    return { channel, exchange: `${own}x${this.#exchanges}`, ...belongs }
  }

  #post(place: Place, message: Fields, headers: Record<string, string>): this {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    const body = { text, bytes: text.length }
    const url = this.#endpoint
    return this.event({ type: 'request', ...place, method: 'POST', url, headers, body })
  }

  #answered(place: Place, status: number, headers: Record<string, string>): this {
    return this.event({ type: 'response', ...place, status, headers })
  }
}

export const recording = (scenario = 'a-scenario', startsAt?: number): Recording =>
  new Recording(scenario, startsAt)

/** Several scenarios of one run as one transcript. */
export function merged(...recordings: readonly Recording[]): { readonly transcript: Transcript } {
  return { transcript: Transcript.merge(recordings.map(({ transcript }) => transcript)) }
}

/** A secret that was seen in an event. */
export function sighting(kind: string, id = `${kind}-1`): Sighting {
  return { id, kind, encoding: 'raw', at: 'body.text' }
}

const declared: Declared = {
  pendingTimeoutMs: undefined,
  refreshTokens: true,
  scopes: ['items:read'],
  login: true,
  revision: '2025-11-25',
  modern: true,
  oauthClient: true,
  transport: 'http',
  authorization: true,
  tokenFormat: 'opaque',
  otherArguments: true,
  driven: 'command',
  redirectMatching: 'exact',
  tokenStore: ['{data.dir}'],
  logs: undefined,
}

/** What checks know beside the transcript, with what a vendor declared. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

/** Hand-written recordings for the tests of the checks. */

import { Transcript, type JudgingContext, type Sighting } from '../../../../harness/engine/index.ts'
import { ClientRecording, type ExampleOptions } from '../../../testing.ts'
import type { Declared } from './configuration.ts'

type Fields = Readonly<Record<string, unknown>>

const endpoint = 'http://127.0.0.1:4100/mcp'
const redirectUri = 'http://127.0.0.1:8976/callback'
const options = ['http://127.0.0.1:{port}/callback', 'com.example.items://oauth/callback']

/** The authorization URL of a call, unless told otherwise. */
export function authorizationUrl(changes: Record<string, string | undefined> = {}): string {
  const parameters = {
    client_id: 'client-1',
    response_type: 'code',
    redirect_uri: redirectUri,
    state: 's',
    code_challenge: 'x',
    ...changes,
  }
  const url = new URL('https://127.0.0.1:4200/authorize')
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

type Headers = Readonly<Record<string, string>>

interface Begin {
  readonly user?: string
  readonly connection?: string
  readonly headers?: Headers
}

interface Place {
  readonly channel: string
  readonly exchange: string
  readonly call?: string
}

/** Writes a transcript in the protocol's terms. */
export class Recording extends ClientRecording {
  #calls = 0
  #exchanges = 0
  #ids = 0
  #asked = 0
  #connection = ''

  /** A new call: `call-1`, `call-2` ..., each of a user with a connection of their own. */
  begin(
    { user, connection, headers }: Begin = {},
    status: number | 'open' | 'refused' = 200,
  ): this {
    this.#calls += 1
    this.#connection = connection ?? `connection-${this.#calls}`
    const detail = { user: user ?? `user-${this.#calls}`, connection: this.#connection }
    this.on(`call-${this.#calls}`).step('begin', { ...detail, arguments: {} })
    const message = { id: (this.#ids += 1), method: 'tools/call', params: { name: 'list_items' } }
    return this.#post(message, status, { headers })
  }

  /** A client connects with a token of its user, and its `initialize` is answered. */
  connect(connection = 'connection-1', headers: Headers = {}, bearer?: string): this {
    this.#connection = connection
    return this.step('connect', { connection, bearer }).#post({ method: 'initialize' }, 200, {
      answered: headers,
    })
  }

  /** Somebody asks for the stream of a session. */
  listens(status: number | 'open', headers: Headers = {}): this {
    this.#connection = 'connection-2'
    const place = this.#place('mcp', false)
    this.event({ type: 'request', ...place, method: 'GET', url: endpoint, headers })
    return this.#answered(place, status)
  }

  /** A request of the server to the API. */
  upstream(...secrets: Sighting[]): this {
    const url = 'https://127.0.0.1:4200/resource/items'
    const event = { ...this.#place('provider'), method: 'GET', url, headers: {} } as const
    return this.event({ type: 'request', ...event }, ...secrets)
  }

  /** Any message of the server on a stream. */
  stream(message: Fields, ...secrets: Sighting[]): this {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    const place = this.#place('mcp-stream')
    const body = { text, bytes: text.length }
    const event = { ...place, method: 'SSE', url: endpoint, headers: {}, body } as const
    return this.event({ type: 'request', ...event }, ...secrets)
  }

  ask(changes: Fields = {}): this {
    this.#asked += 1
    const params = {
      url: authorizationUrl(),
      message: 'Connect your account',
      redirect_uri_options: options,
      ...changes,
    }
    return this.stream({ id: `a${this.#asked}`, method: 'auth/request', params })
  }

  /** The client answers what was asked last. */
  answer(reply: Fields = { result: {} }, status = 202): this {
    return this.#post({ id: `a${this.#asked}`, ...reply }, status)
  }

  /** The browser stopped at the redirect, and the client returns it. */
  returned(query: Record<string, string> = { code: 'c', state: 's' }, base = redirectUri): this {
    const url = `${base}?${new URLSearchParams(query).toString()}`
    const place = this.#place('browser')
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    this.answer({ result: { url } })
    return this.event({ type: 'response', ...place, status: 200, headers: {} })
  }

  result(text = '[{"id":"1"}]', changes: Fields = {}, ...secrets: Sighting[]): this {
    const result = { content: [{ type: 'text', text }], ...changes }
    return this.stream({ id: this.#ids, result }, ...secrets)
  }

  /** The end of the call of that name, which is not the last one that was begun. */
  resultOf(name: string, isError = false): this {
    const result = { content: [{ type: 'text', text: '[{"id":"1"}]' }], isError }
    return this.stream({ id: Number(name.split('-')[1]), result })
  }

  failed(text = 'it was declined'): this {
    return this.result(text, { isError: true })
  }

  /** The user authorizes, the client returns the callback, and the server redeems it. */
  authorized(): this {
    return this.returned().grant()
  }

  visit(): this {
    return this.step('visited', { ended: 'interaction' })
  }

  requested(detail: Record<string, unknown> = {}): this {
    return this.provider('authorization-request', { valid: true, redirectUri, ...detail })
  }

  /** An authorization request as the provider took it, pushed or not. */
  authorizationRequest(detail: Record<string, unknown>): this {
    return this.provider('authorization-request', detail)
  }

  grant(detail: Record<string, unknown> = {}): this {
    return this.provider('grant', { grantType: 'authorization_code', outcome: 'issued', ...detail })
  }

  access(token = 'access_token-1'): this {
    return this.provider('resource-access', { token, outcome: 'served' })
  }

  gaveUp(within = 30_000): this {
    return this.after(within).step('gave-up', { what: 'no result', within })
  }

  #post(
    message: Fields,
    status: number | 'open' | 'refused' = 200,
    { headers = {}, answered }: { headers?: Headers | undefined; answered?: Headers } = {},
  ): this {
    const place = this.#place('mcp')
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    const body = { text, bytes: text.length }
    const event = { ...place, method: 'POST', url: endpoint, headers, body }
    return this.event({ type: 'request', ...event }).#answered(place, status, answered)
  }

  #answered(place: Place, status: number | 'open' | 'refused', headers: Headers = {}): this {
    if (status === 'open') return this
    return status === 'refused'
      ? this.event({ type: 'failure', ...place, code: 'ECONNREFUSED', message: 'refused' })
      : this.event({ type: 'response', ...place, status, headers })
  }

  #place(channel: string, ofCall = true): Place {
    const exchange = `${this.#connection}/x${(this.#exchanges += 1)}`
    return { channel, exchange, ...(ofCall ? this.belongs() : {}) }
  }
}

export const recording = (scenario = 'a-scenario'): Recording => new Recording(scenario)

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
  capability: 'standard',
  authorization: true,
  tokenFormat: 'opaque',
  driven: 'command',
  redirectMatching: 'exact',
  tokenStore: ['{data.dir}'],
  logs: undefined,
}

/** What checks know beside the transcript, with what a vendor declared. */
export const examples: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

/** Hand-written recordings for the tests of the checks. */

import type { JudgingContext, Sighting } from '../../../../harness/engine/index.ts'
import { ClientRecording, type Cases as CasesOf, type ExampleOptions } from '../../../testing.ts'
import type { Declared } from './configuration.ts'
import { challengeKey } from '../challenges.ts'
import { streamChannel } from '../../wire/link.ts'

export type Cases = CasesOf<Declared>

export type Fields = Readonly<Record<string, unknown>>

export const origin = 'http://127.0.0.1:4100'
export const endpoint = `${origin}/mcp`
export const issuer = 'https://127.0.0.1:4200'
export const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`

/** A challenge as it has to be. */
export const bearer = `Bearer resource_metadata="${metadataUrl}", scope="notes:read"`

/** A challenge to a token without a scope. */
export const lacking = 'Bearer error="insufficient_scope", scope="notes:read"'

/** What the server says to who has signed in. */
export const notes = 'the notes of the user'

/** Writes a transcript in the protocol's terms. */
export class Recording extends ClientRecording {
  #ids = 0
  #calls = 0
  #exchanges = 0
  #connections = 0

  /** Where everybody is. */
  deployed(): this {
    const origins = { [origin]: origin, 'http://localhost:4100': origin }
    const detail = { endpoint, issuer, origins }
    return this.event({ type: 'step', action: 'deployment', detail })
  }

  /** A connection whose `initialize` was answered. */
  connect(status = 200): this {
    this.#connections += 1
    this.event({
      type: 'step',
      action: 'connect',
      detail: { connection: `connection-${this.#connections}` },
    })
    this.#post({ method: 'initialize', id: 0 }, '')
    return this.#http(status)
  }

  /** The tool is called: `call-1`, `call-2` ... */
  call(headers: Record<string, string> = {}): this {
    this.#calls += 1
    this.on(`call-${this.#calls}`).step('begin', { name: 'list_notes', arguments: {} })
    return this.again(headers)
  }

  /** The same call is tried again. */
  again(headers: Record<string, string> = {}): this {
    this.#ids += 1
    return this.#post({ id: this.#ids, method: 'tools/call' }, this.current, headers)
  }

  /** A call that begins and whose connection cannot be opened. */
  refused(status: number): this {
    this.#calls += 1
    return this.on(`call-${this.#calls}`).step('begin').connect(status)
  }

  /** The call is answered by a result. */
  result(result: Fields, ...secrets: Sighting[]): this {
    const text = JSON.stringify({ jsonrpc: '2.0', id: this.#ids, result })
    return this.#http(200, { 'content-type': 'application/json' }, text, ...secrets)
  }

  /** Before the answer to the call, its stream says this. */
  notified(params: Fields): this {
    const value = { jsonrpc: '2.0', method: 'notifications/message', params }
    const text = JSON.stringify(value)
    return this.event({
      type: 'request',
      channel: streamChannel,
      exchange: `connection-${Math.max(1, this.#connections)}/stream`,
      ...this.belongs(),
      method: 'SSE',
      url: endpoint,
      headers: {},
      body: { text, bytes: text.length },
    })
  }

  error(code = -32602, data?: Fields): this {
    const error = { code, message: 'no', data }
    const text = JSON.stringify({ jsonrpc: '2.0', id: this.#ids, error })
    return this.#http(200, {}, text)
  }

  http(status: number, headers: Record<string, string> = {}): this {
    return this.#http(status, headers)
  }

  /** The connection of the call ends without an answer. */
  hungUp(code = 'UND_ERR_SOCKET'): this {
    const message = 'other side closed'
    return this.event({ type: 'failure', ...this.#place(), ...this.belongs(), code, message })
  }

  /** The call is challenged by this value, in a result with these members. */
  challenged(value: unknown = [bearer], changes: Fields = {}): this {
    return this.result({
      isError: true,
      content: [{ type: 'text', text: 'Sign in.' }],
      _meta: { [challengeKey]: value },
      ...changes,
    })
  }

  /** The call is served. */
  served(text = notes): this {
    return this.result({ content: [{ type: 'text', text }] })
  }

  /** A document was fetched for a call. */
  fetched(
    url: string,
    body: unknown,
    { status = 200, type = 'application/json' }: { status?: number; type?: string } = {},
  ): this {
    const place = this.#fetch(url)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.event({
      type: 'response',
      ...place,
      status,
      headers: { 'content-type': type },
      body: { text, bytes: text.length },
    })
  }

  /** A document that did not come. */
  unfetched(url: string, code = 'ECONNREFUSED'): this {
    return this.event({ type: 'failure', ...this.#fetch(url), code, message: 'it was refused' })
  }

  /** The metadata of the resource, with these changes. */
  metadata(changes: Fields = {}, options: { status?: number; type?: string } = {}): this {
    const document = { resource: endpoint, authorization_servers: [issuer], ...changes }
    return this.fetched(metadataUrl, document, options)
  }

  /** The metadata of the authorization server. */
  server(named: string = issuer): this {
    return this.fetched(`${named}/.well-known/oauth-authorization-server`, { issuer: named })
  }

  /** From the call to the provider, and a token. */
  followed(): this {
    return this.deployed().call().challenged().metadata().server()
  }

  granted(): this {
    return this.provider('grant', { grantType: 'authorization_code', outcome: 'issued' })
  }

  /** A token that is wrong in one way. */
  token(flaw = 'expired'): this {
    return this.step('token', { flaw })
  }

  /** The whole of the gate. */
  complete(text = notes): this {
    return this.followed().granted().call().served(text)
  }

  output(text: string, ...secrets: Sighting[]): this {
    const bytes = text.length
    return this.event({ type: 'output', source: 'stdout', text, bytes }, ...secrets)
  }

  #fetch(url: string) {
    this.#exchanges += 1
    const place = { channel: 'metadata', exchange: `m${this.#exchanges}`, ...this.belongs() }
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    return place
  }

  #place() {
    return {
      channel: 'mcp',
      exchange: `connection-${Math.max(1, this.#connections)}/x${this.#exchanges}`,
    }
  }

  #post(message: Fields, call: string, headers: Record<string, string> = {}): this {
    this.#exchanges += 1
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    return this.event({
      type: 'request',
      ...this.#place(),
      ...(call === '' ? {} : { call }),
      method: 'POST',
      url: endpoint,
      headers,
      body: { text, bytes: text.length },
    })
  }

  #http(
    status: number,
    headers: Record<string, string> = {},
    text?: string,
    ...secrets: Sighting[]
  ): this {
    const body = text === undefined ? {} : { body: { text, bytes: text.length } }
    const place = { ...this.#place(), ...this.belongs() }
    return this.event({ type: 'response', ...place, status, headers, ...body }, ...secrets)
  }
}

export const recording = (scenario = 'a-scenario', startsAt?: number): Recording =>
  new Recording(scenario, startsAt)

/** A secret that was seen in an event. */
export function sighting(kind: string): Sighting {
  return { id: `${kind}-1`, kind, encoding: 'raw', at: 'body.text' }
}

const declared: Declared = {
  scopes: ['notes:read'],
  modern: true,
  logs: undefined,
  driven: 'command',
}

/** What checks know beside the transcript, with what a vendor declared. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

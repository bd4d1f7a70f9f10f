/** Hand-written recordings for the tests of the checks. */

import { Transcript, type JudgingContext, type Sighting } from '../../../../harness/engine/index.ts'
import { ClientRecording, type ExampleOptions } from '../../../testing.ts'
import type { Declared } from './configuration.ts'
import { browserChannel, siteChannel } from './vocabulary.ts'

type Fields = Readonly<Record<string, unknown>>

const endpoint = 'http://127.0.0.1:4100/mcp'

/** The authorization URL, with this redirect URI. */
export function urlWith(redirectUri = 'http://127.0.0.1:8000/callback'): string {
  const url = new URL('http://as.example:4200/authorize?client_id=c&state=s')
  url.searchParams.set('redirect_uri', redirectUri)
  return url.href
}

const promptText = 'warehouse-1 asks: Connect your account\nAt: as.example:4200\nOpen it?'

/** Writes a transcript in the protocol's terms. */
export class Recording extends ClientRecording {
  #exchanges = 0
  #ids = 0
  #asked = ''
  readonly #askings: string[] = []

  /** A client that says what it can do. */
  client(capabilities: Fields = { delegated_authorization: {} }): this {
    this.step('client', { places: [endpoint] })
    return this.#post({ id: 'i', method: 'initialize', params: { capabilities } })
  }

  /** The user has the tool called, and the server asks. */
  asked(changes: Fields = {}, name = 'call-1'): this {
    this.client().on(name).step('begin', { tool: 'list_items', arguments: {} })
    this.#post({ id: (this.#ids += 1), method: 'tools/call', params: { name: 'list_items' } })
    const params = { url: urlWith(), message: 'Connect your account', ...changes }
    this.#asked = `asks-${(this.#exchanges += 1)}`
    this.#askings.push(this.#asked)
    const message = { jsonrpc: '2.0', id: this.#asked, method: 'auth/request', params }
    const text = JSON.stringify(message)
    const body = { text, bytes: text.length }
    const place = this.#place('mcp-stream')
    return this.event({
      type: 'request',
      ...place,
      method: 'SSE',
      url: endpoint,
      headers: {},
      body,
    })
  }

  prompt(text = promptText): this {
    return this.step('prompt', { id: 'prompt-1', text })
  }

  decide(action = 'accept'): this {
    return this.step('decide', { prompt: 'prompt-1', action })
  }

  opened(url = urlWith()): this {
    return this.step('opened', { url })
  }

  /** Up to the browser, as it should be. */
  agreed(changes: Fields = {}): this {
    return this.asked(changes).prompt().decide().opened()
  }

  /** Something asks the authorization server. */
  visited(): this {
    const place = this.#place(siteChannel)
    const url = 'http://as.example:4200/authorize'
    return this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
  }

  /** The browser comes back; the listener takes it, or there is none, or the connection ends with that code. */
  comes(
    rest = '/callback?code=c&state=s',
    taken: boolean | string = true,
    ...secrets: Sighting[]
  ): this {
    const place = this.#place(browserChannel)
    const url = `http://127.0.0.1:8000${rest}`
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} }, ...secrets)
    const code = taken === false ? 'ECONNREFUSED' : taken
    return code === true
      ? this.event({ type: 'response', ...place, status: 200, headers: {} })
      : this.event({ type: 'failure', ...place, code, message: 'no answer' })
  }

  /** The client answers what it was asked. */
  replies(
    reply: Fields = { result: { url: 'http://127.0.0.1:8000/callback?code=c&state=s' } },
  ): this {
    return this.#post({ id: this.#asked, ...reply })
  }

  /** It returns this URL to the server of the call of that number, the first or the second one that asked. */
  returnsTo(call: number, rest = '/callback?code=c&state=s'): this {
    const url = `http://127.0.0.1:8000${rest}`
    return this.on(`call-${call}`).#post({ id: this.#askings[call - 1], result: { url } })
  }

  /** The request of this call is answered with an error. */
  refusesTo(call: number): this {
    const error = { code: -32603, message: 'not now' }
    return this.on(`call-${call}`).#post({ id: this.#askings[call - 1], error })
  }

  /** It returns this URL. */
  returns(rest = '/callback?code=c&state=s'): this {
    return this.replies({ result: { url: `http://127.0.0.1:8000${rest}` } })
  }

  /** Any other message of the client. */
  says(message: Fields, ...secrets: Sighting[]): this {
    return this.#post(message, ...secrets)
  }

  probe(where: 'itself' | 'others' | 'afterwards', state: string): this {
    const host = where === 'others' ? '127.0.0.2' : '127.0.0.1'
    return this.step('probe', { where, port: 8000, found: { [host]: state } })
  }

  prints(text: string, ...secrets: Sighting[]): this {
    const output = { source: 'approve stderr', text, bytes: text.length }
    return this.event({ type: 'output', ...output }, ...secrets)
  }

  /** A file of its data folder has this in it. */
  keeps(text: string, ...secrets: Sighting[]): this {
    const output = { source: 'store approve-1/last', text, bytes: text.length }
    return this.event({ type: 'output', ...output }, ...secrets)
  }

  gaveUp(): this {
    return this.step('gave-up', { what: 'no answer', within: 30_000 })
  }

  #post(message: Fields, ...secrets: Sighting[]): this {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    const body = { text, bytes: text.length }
    const event = { ...this.#place('mcp'), method: 'POST', url: endpoint, headers: {}, body }
    return this.event({ type: 'request', ...event }, ...secrets)
  }

  #place(channel: string) {
    const exchange = `warehouse-1-1/x${(this.#exchanges += 1)}`
    return { channel, exchange, ...this.belongs() }
  }
}

export const recording = (scenario = 'a-scenario'): Recording => new Recording(scenario)

/** The same as what was recorded in a whole run. */
export function merged(...recordings: readonly Recording[]): { readonly transcript: Transcript } {
  return { transcript: Transcript.merge(recordings.map(({ transcript }) => transcript)) }
}

/** An authorization code that was seen in an event. */
export const code: Sighting = {
  id: 'authorization_code-1',
  kind: 'authorization_code',
  encoding: 'raw',
  at: 'body.text',
}

/** What checks know beside the transcript, with what a vendor declared. */
export const examples: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { opens: true, logs: undefined, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

/** Hand-written recordings for the tests of the checks. */

import { Transcript, type JudgingContext } from '../../../../harness/engine/index.ts'
import { ClientRecording, type Cases as CasesOf, type ExampleOptions } from '../../../testing.ts'
import type { Declared } from './configuration.ts'
import { inputKey } from './asking.ts'
import { pageChannel } from './vocabulary.ts'

export type Cases = CasesOf<Declared>

type Fields = Readonly<Record<string, unknown>>

const endpoint = 'http://127.0.0.1:4100/mcp'
const site = 'http://127.0.0.1:4200'

/** What the elicitation of a call is, unless told otherwise. */
const elicitation = (call: string) => ({
  mode: 'url',
  elicitationId: `elicitation of ${call}`,
  url: urlOf(call),
  message: 'Connect your account',
})

/** Where the elicitation of a call leads. */
export function urlOf(call = 'call-1', page = 'connect'): string {
  return `${site}/${page}?e=${call}&to=a%2Fb`
}

/** A prompt with everything that there has to be. */
export function promptText(url = urlOf(), server = 'warehouse-1'): string {
  return `${server} asks: Connect your account\n${url}\nOpen it?`
}

/** Writes a transcript in the protocol's terms. */
export class Recording extends ClientRecording {
  #calls = 0
  #exchanges = 0
  #ids = 0
  #prompts = 0
  #asked: unknown

  /** A client that knows two servers, and says what it can do; `null` says nothing of elicitation. */
  client(elicits: unknown = { url: {} }, detail: Fields = {}): this {
    this.step('client', {
      names: [
        ['warehouse-1', 'Server warehouse-1'],
        ['notebook-1', 'Server notebook-1'],
      ],
      places: [endpoint, 'http://127.0.0.1:4101/mcp'],
      modern: false,
      ...detail,
    })
    const capabilities = elicits === null ? {} : { elicitation: elicits }
    return this.post({ id: 'i', method: 'initialize', params: { capabilities } }, '')
  }

  /** The user has the tool called: `call-1`, `call-2` ... */
  begin(): this {
    this.#calls += 1
    this.on(`call-${this.#calls}`).step('begin', { tool: 'list_items', arguments: {} })
    return this
  }

  /** The client calls the tool. */
  attempt(params: Fields = {}, id: unknown = (this.#ids += 1)): this {
    return this.post({ id, method: 'tools/call', params: { name: 'list_items', ...params } })
  }

  /** From the first call of the tool to what the server asks. */
  asked(changes: Fields = {}): this {
    return this.client().begin().attempt().elicit(changes)
  }

  /** The server asks by a request. */
  elicit(changes: Fields = {}): this {
    const params = { ...elicitation(this.current), ...changes }
    this.#asked = `asks-${(this.#exchanges += 1)}`
    return this.stream({ id: this.#asked, method: 'elicitation/create', params })
  }

  /** The server asks for two URLs, each by a request of its own. */
  askedTwice(): this {
    this.client().begin().attempt()
    for (const name of ['first', 'second'])
      this.stream({
        id: name,
        method: 'elicitation/create',
        params: { ...elicitation(this.current), url: urlOf(name, name) },
      })
    return this
  }

  /** The server asks for two URLs in the result that ends the request. */
  inputTwice(): this {
    this.client({ url: {} }, { modern: true }).begin().attempt()
    const inputRequests = Object.fromEntries(
      ['first', 'second'].map((name) => [
        name,
        {
          method: 'elicitation/create',
          params: { ...elicitation(this.current), url: urlOf(name, name) },
        },
      ]),
    )
    return this.stream({ id: this.#ids, result: { resultType: 'input_required', inputRequests } })
  }

  /** The server asks by the error that ends the request, for as many pages of its site as are named. */
  required(...pages: readonly string[]): this {
    const own = elicitation(this.current)
    const elicitations = pages.map((page) => ({ ...own, url: urlOf(page, page) }))
    const data = { elicitations: pages.length > 0 ? elicitations : [own] }
    return this.stream({ id: this.#ids, error: { code: -32042, data } })
  }

  /** The server asks in the result that ends the request. */
  input(changes: Fields = { requestState: 's' }): this {
    const { elicitationId: _, ...params } = elicitation(this.current)
    const inputRequests = { [inputKey]: { method: 'elicitation/create', params } }
    const result = { resultType: 'input_required', inputRequests, ...changes }
    return this.stream({ id: this.#ids, result })
  }

  /** The server asks for that URL in the result that ends the request. */
  inputAt(url: string): this {
    const { elicitationId: _, ...params } = { ...elicitation(this.current), url }
    const inputRequests = { [inputKey]: { method: 'elicitation/create', params } }
    return this.stream({ id: this.#ids, result: { resultType: 'input_required', inputRequests } })
  }

  prompt(text = promptText(urlOf(this.current)), url?: string): this {
    const id = `prompt-${(this.#prompts += 1)}`
    return this.step('prompt', { id, text, ...(url === undefined ? {} : { url }) })
  }

  decide(action = 'accept', prompt = this.#prompts): this {
    return this.step('decide', { prompt: `prompt-${prompt}`, action })
  }

  opened(url = urlOf(this.current), by: 'browser' | 'client' = 'browser'): this {
    return this.step('opened', { url, by })
  }

  /** The client ends by itself. */
  gone(): this {
    return this.step('gone', { reason: 'the client exited with code 1' })
  }

  visited(path = '/connect'): this {
    const place = { channel: pageChannel, exchange: `p${(this.#exchanges += 1)}` }
    const url = site + path
    return this.event({
      type: 'request',
      ...place,
      ...this.belongs(),
      method: 'GET',
      url,
      headers: {},
    })
  }

  /** The client answers the request of the server. */
  answer(result: Fields = { action: 'accept' }, id = this.#asked): this {
    return this.post({ id, result })
  }

  refuse(code: unknown = -32602): this {
    return this.post({ id: this.#asked, error: { code, message: 'no' } })
  }

  /** The client calls again, with what was asked for. */
  retry(params: Fields = {}, answers: Fields = { [inputKey]: { action: 'accept' } }): this {
    return this.attempt({ inputResponses: answers, requestState: 's', ...params })
  }

  complete(elicitationId = `elicitation of ${this.current}`, detail: Fields = {}): this {
    return this.step('complete', { elicitationId, ...detail })
  }

  /** The other server says it, which knows nothing of it. */
  completeElsewhere(): this {
    return this.complete(undefined, { by: 'the other server' })
  }

  gaveUp(within = 30_000): this {
    return this.after(within).step('gave-up', { what: 'no answer', within })
  }

  /** Up to the consent of the user. */
  agreed(): this {
    return this.asked().prompt().decide()
  }

  /** A call from its beginning to what is opened and answered. */
  accepted(): this {
    return this.agreed().opened().answer()
  }

  /** Any message of the client. */
  post(message: Fields, call = this.current): this {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    return this.event({
      type: 'request',
      channel: 'mcp',
      exchange: `warehouse-1/x${(this.#exchanges += 1)}`,
      ...(call === '' ? {} : { call }),
      method: 'POST',
      url: endpoint,
      headers: {},
      body: { text, bytes: text.length },
    })
  }

  stream(message: Fields): this {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    return this.event({
      type: 'request',
      channel: 'mcp-stream',
      exchange: `warehouse-1/x${(this.#exchanges += 1)}`,
      ...this.belongs(),
      method: 'SSE',
      url: endpoint,
      headers: {},
      body: { text, bytes: text.length },
    })
  }
}

export const recording = (scenario = 'a-scenario', startsAt?: number): Recording =>
  new Recording(scenario, startsAt)

/** Several scenarios of one run as one transcript. */
export function merged(...recordings: readonly Recording[]): { readonly transcript: Transcript } {
  return { transcript: Transcript.merge(recordings.map(({ transcript }) => transcript)) }
}

const declared: Declared = {
  revision: '2025-11-25',
  modern: true,
  opens: true,
  twoServers: true,
}

/** What checks know beside the transcript, with what a vendor declared. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

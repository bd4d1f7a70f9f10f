/** Hand-written recordings for the tests of the checks. */

import type { JudgingContext } from '../../../harness/engine/index.ts'
import { ClientRecording, type Cases as CasesOf, type ExampleOptions } from '../../testing.ts'
import { requestName, type Dialect, type Fields } from '../wire.ts'
import type { Declared } from './configuration.ts'
import { newAsk, pausingEvents, resultEvent, type Ask, type AskOptions } from './script.ts'
import { apiChannel, consentChannel } from './vocabulary.ts'

export type Cases = CasesOf<Declared>

const agent = 'http://127.0.0.1:4100'
export const landing = 'http://127.0.0.1:4200/callback'
const provider = {
  authorizationEndpoint: 'https://127.0.0.1:4300/authorize',
  tokenEndpoint: 'https://127.0.0.1:4300/token',
  clientId: 'c',
}
const secret = {
  id: 'authorization_code-1',
  kind: 'authorization_code',
  encoding: 'plain',
  at: 'url',
}
export const code = '[secret authorization_code-1]'
const place = { appName: 'helper', userId: 'u', sessionId: 's' }

/** Writes a transcript in the protocol's terms. */
class Recording extends ClientRecording {
  /** What the agent has asked for, the latest last. */
  asks: readonly Ask[] = []
  readonly #dialect: Dialect
  #calls = 0
  #exchanges = 0
  #at: Fields = {}

  constructor(scenario: string, startsAt: number, dialect: Dialect) {
    super(scenario, startsAt)
    this.#dialect = dialect
  }

  /** The user says something, and the agent asks for credentials. */
  asked(...options: readonly AskOptions[]): this {
    this.#calls += 1
    const call = `call-${this.#calls}`
    const { conversation = 'conv-1' } = this.#at
    this.on(call).step('begin', { text: 'Please', conversation })
    const all = options.length === 0 ? [{}] : options
    this.asks = all.map((each, nth) => newAsk(call, nth, this.#dialect, provider, each))
    return this.send([{ text: 'Please' }], pausingEvents(this.asks))
  }

  /** What follows is in another conversation, of whoever the agent takes for this user. */
  by(conversation: string, at: Fields): this {
    this.#at = { ...at, conversation }
    return this
  }

  get ask(): Ask {
    return this.asks.at(-1)!
  }

  /** The URL of a request, with the redirect URI in it. */
  url(ask = this.ask): string {
    return `${ask.authUri}&redirect_uri=${encodeURIComponent(landing)}`
  }

  opened(url = this.url(), by = 'user'): this {
    return this.step('opened', { url, by })
  }

  shown(text: string, conversation?: string): this {
    const whose = conversation === undefined ? {} : { conversation }
    return this.event({ type: 'surface', source: 'poll', ...whose, text })
  }

  /** Where the browser is sent by the provider. */
  redirect(parameters: Fields = { code, state: encodeURIComponent(this.ask.state) }): string {
    const query = Object.entries(parameters).map(([name, each]) => `${name}=${String(each)}`)
    return `${landing}?${query.join('&')}`
  }

  /** The browser loads a callback. */
  back(url = this.redirect(), page = '<p>Thank you.</p>'): this {
    return this.#load(url, 200, { 'content-type': 'text/html' }, page)
  }

  /** The browser loads a callback, and is sent on. */
  sentOn(location: string): this {
    return this.#load(this.redirect(), 302, { location })
  }

  #load(url: string, status: number, headers: Record<string, string>, page = ''): this {
    const exchange = `b${(this.#exchanges += 1)}`
    const at = { channel: 'browser', exchange, ...this.belongs() }
    this.event({ type: 'request', ...at, method: 'GET', url, headers: {} }, secret)
    return this.event({ type: 'response', ...at, status, headers, body: bodyOf(page) })
  }

  denied(): this {
    return this.back(this.redirect({ error: 'access_denied', state: this.ask.state }))
  }

  foreign(
    parameters: Fields = { code },
    state: Fields = { state: 'state-of-somebody-else' },
  ): this {
    const url = this.redirect({ ...parameters, ...state })
    return this.step('tamper', { url }).back(url)
  }

  /** What answers a request: the AuthConfig with what a callback brought. */
  config(url = this.redirect(), more: Fields = {}, ask = this.ask): Fields {
    const { config } = ask
    if (this.#dialect === 'response') return { ...config, exchanged_auth_credential: made, ...more }
    const exchanged = config['exchangedAuthCredential'] as { readonly oauth2: Fields }
    const oauth2 = { ...exchanged.oauth2, authResponseUri: url, redirectUri: landing, ...more }
    return { ...config, exchangedAuthCredential: { ...exchanged, oauth2 } }
  }

  /** The client application answers, by default as it should; an answer that fails gets an error. */
  answer(changes: Fields = {}, response = this.config(), fails = false): this {
    const functionResponse = { id: this.ask.id, name: requestName, response, ...changes }
    return this.send([{ functionResponse }], fails ? undefined : [resultEvent(this.ask)])
  }

  /** The client application answers as it should, and what comes of it asks for more. */
  answeredBy(...options: readonly AskOptions[]): this {
    const { ask } = this
    const functionResponse = { id: ask.id, name: requestName, response: this.config() }
    this.asks = options.map((each, nth) => newAsk(ask.call, nth + 1, this.#dialect, provider, each))
    return this.send([{ functionResponse }], [resultEvent(ask), ...pausingEvents(this.asks)])
  }

  /** A message to the agent, and its answer: events, or an error. */
  send(parts: readonly Fields[], events: readonly Fields[] | undefined, at: Fields = {}): this {
    const { conversation: _, ...own } = this.#at
    const body = { ...place, ...own, ...at, newMessage: { role: 'user', parts } }
    return this.#exchange(apiChannel, '/run', body, events)
  }

  /** In the dialect of responses: the URL is made at the route for that. */
  begun(ask = this.ask): this {
    const given = { authUri: ask.authUri, flowId: ask.id }
    return this.#exchange(consentChannel, '/consent/begin', { authConfig: ask.config }, given)
  }

  /** In the dialect of responses: the credential is made at the route for that. */
  completed(sent: Fields = {}): this {
    const body = { flowId: this.ask.id, state: this.ask.state, code, ...sent }
    return this.#exchange(consentChannel, '/consent/complete', body, { credential: made })
  }

  printed(text: string): this {
    return this.event({ type: 'output', source: 'stdout', text, bytes: text.length })
  }

  gaveUp(what: string, within = 5000): this {
    return this.after(within).step('gave-up', { what, within })
  }

  /** From the request to the browser that comes back. */
  approved(...options: readonly AskOptions[]): this {
    return this.asked(...options)
      .opened()
      .back()
  }

  #exchange(channel: string, path: string, body: Fields, answer: unknown): this {
    const exchange = `x${(this.#exchanges += 1)}`
    const at = { channel, exchange, ...this.belongs() }
    const sent = bodyOf(JSON.stringify(body))
    const url = agent + path
    this.event({ type: 'request', ...at, method: 'POST', url, headers: {}, body: sent })
    const status = answer === undefined ? 500 : 200
    const given = bodyOf(answer === undefined ? 'refused' : JSON.stringify(answer))
    return this.event({ type: 'response', ...at, status, headers: {}, body: given })
  }
}

const made = {
  auth_type: 'o_auth2',
  oauth2: { client_id: 'c', access_token: '[secret access_token-1]' },
}

function bodyOf(text: string) {
  return { text, bytes: text.length }
}

export const recording = (dialect: Dialect = 'call', scenario = 'a-scenario', startsAt = 0) =>
  new Recording(scenario, startsAt, dialect)

/** What checks know beside the transcript, with what a vendor declared. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: {
      dialect: 'call',
      pastes: false,
      ownBrowser: false,
      severalUsers: true,
      ...declarations,
    },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

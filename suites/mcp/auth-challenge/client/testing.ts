/** Hand-written recordings for the tests of the checks. */

import type { JudgingContext, Sighting } from '../../../../harness/engine/index.ts'
import { ClientRecording, type Cases as CasesOf, type ExampleOptions } from '../../../testing.ts'
import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import type { Declared } from './configuration.ts'
import { bearerFor, challengingResult } from './rules.ts'
import { itemsText, metadataChannel, neededScope, signInText, trapChannel } from './vocabulary.ts'

export type Cases = CasesOf<Declared>

type Fields = Readonly<Record<string, unknown>>

export const endpoint = 'https://127.0.0.1:4100/mcp'
export const otherEndpoint = 'https://127.0.0.1:4101/mcp'
/** That of the other server, where both stand at one host. */
export const endpointBeside = 'https://127.0.0.1:4100/notes/mcp'
const issuer = 'https://127.0.0.1:4200'
const wellKnown = 'https://127.0.0.1:4100/.well-known/oauth-protected-resource/mcp'
const trap = 'http://127.0.0.1:4300'
const callback = 'http://127.0.0.1:4400/callback'

/** A secret that was seen in an event. */
export function sighting(kind: string, at = 'headers.authorization', number = 1): Sighting {
  return { id: `${kind}-${number}`, kind, encoding: 'raw', at }
}

/** Writes a transcript in the protocol's terms. */
export class Recording extends ClientRecording {
  #calls = 0
  #exchanges = 0
  #ids = 0

  client(other = otherEndpoint): this {
    return this.event({
      type: 'step',
      action: 'client',
      detail: { servers: [endpoint, other], issuer, trap },
    })
  }

  /** The user has the tool called: `call-1`, `call-2` ... */
  begin(): this {
    this.#calls += 1
    const note = `note of call-${this.#calls}`
    return this.on(`call-${this.#calls}`).step('begin', {
      user: 'user-1',
      tool: 'list_items',
      arguments: { note },
    })
  }

  /** The client calls the tool. */
  attempt(args: Fields = { note: `note of ${this.current}` }): this {
    return this.#post(endpoint, args, {})
  }

  /** The client calls it with a token. */
  attemptWithToken(args: Fields = { note: `note of ${this.current}` }): this {
    const headers = { authorization: 'Bearer [secret access_token-1]' }
    return this.#post(endpoint, args, headers, sighting('access_token'))
  }

  /** The client calls it with a header that has no token. */
  attemptWithout(authorization = 'Bearer undefined'): this {
    return this.#post(endpoint, { note: `note of ${this.current}` }, { authorization })
  }

  /** The client answers a ping of the server. */
  answersPing(authorization?: string): this {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const body = { text: '{"jsonrpc":"2.0","id":0,"result":{}}', bytes: 36 }
    return this.event({
      type: 'request',
      ...this.#place('mcp'),
      method: 'POST',
      url: endpoint,
      headers,
      body,
    })
  }

  /** A call of the tool of the other server. */
  attemptElsewhere(...secrets: Sighting[]): this {
    return this.#post(otherEndpoint, {}, {}, ...secrets)
  }

  /** The same where that stands at the same host. */
  attemptBeside(...secrets: Sighting[]): this {
    return this.#post(endpointBeside, {}, {}, ...secrets)
  }

  challenged(value: unknown = [bearerFor(wellKnown)], isError = true): this {
    const text = signInText(`note of ${this.current}`)
    return this.#stream(challengingResult(value, { isError, text }))
  }

  served(): this {
    return this.#stream({ content: [{ type: 'text', text: itemsText(this.current) }] })
  }

  /** From the call of the user to the challenge. */
  asked(): this {
    return this.client().begin().attempt().challenged()
  }

  metadata(url = wellKnown, ...secrets: Sighting[]): this {
    return this.#get(metadataChannel, url, ...secrets)
  }

  trapped(): this {
    return this.#get(trapChannel, `${trap}/x`)
  }

  /** The metadata of the provider was fetched. */
  discovered(...secrets: Sighting[]): this {
    return this.asksProvider(`${issuer}/.well-known/oauth-authorization-server`, ...secrets)
  }

  /** Something came to a place without TLS, where no provider is. */
  sentElsewhere(...secrets: Sighting[]): this {
    const url = `${trap}/token`
    const place = {
      channel: 'callback',
      exchange: `x${(this.#exchanges += 1)}`,
      call: elsewhereCall,
    }
    return this.event({ type: 'request', ...place, method: 'POST', url, headers: {} }, ...secrets)
  }

  /** Something else was asked of it, or of another provider. */
  asksProvider(url: string, ...secrets: Sighting[]): this {
    return this.#get('provider', url, ...secrets)
  }

  opened(): this {
    return this.step('opened', { url: `${issuer}/authorize?client_id=c` })
  }

  requested(changes: Fields = {}): this {
    return this.provider('authorization-request', {
      valid: true,
      resource: [endpoint],
      scopes: [neededScope],
      ...changes,
    })
  }

  /** The browser came back, and was answered. */
  returned(query = 'code=c&state=s', page?: string): this {
    const place = this.#place('browser')
    this.event({
      type: 'request',
      ...place,
      method: 'GET',
      url: `${callback}?${query}`,
      headers: {},
    })
    const body = page === undefined ? {} : { body: { text: page, bytes: page.length } }
    return this.event({ type: 'response', ...place, status: 200, headers: {}, ...body })
  }

  /** The browser came back, and nobody listened. */
  returnedInVain(): this {
    const place = this.#place('browser')
    const url = `${callback}?code=c&state=s`
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    return this.event({ type: 'failure', ...place, code: 'ECONNREFUSED', message: 'refused' })
  }

  granted(resource: readonly string[] = [endpoint]): this {
    const detail = { grantType: 'authorization_code', outcome: 'issued', resource }
    return this.provider('grant', detail)
  }

  accessed(): this {
    return this.provider('resource-access', { token: 'access_token-1', outcome: 'served' })
  }

  shown(text = signInText(`note of ${this.current}`)): this {
    return this.event({ type: 'surface', source: 'stdout', ...this.belongs(), text })
  }

  /** The client wrote to its standard error. */
  logged(text: string): this {
    return this.event({ type: 'surface', source: 'stderr', ...this.belongs(), text })
  }

  gaveUp(within = 30_000): this {
    return this.after(within).step('gave-up', { what: 'nothing was opened', within })
  }

  /** A request of the client was refused by HTTP 401. */
  unauthorized(): this {
    const place = { channel: 'mcp', exchange: `warehouse-1/x${(this.#exchanges += 1)}` }
    this.event({ type: 'request', ...place, method: 'POST', url: endpoint, headers: {} })
    return this.event({ type: 'response', ...place, status: 401, headers: {} })
  }

  /** A request with a token was redirected by HTTP 307. */
  redirected(): this {
    const place = { channel: 'mcp', exchange: `warehouse-1/x${(this.#exchanges += 1)}` }
    const request = {
      type: 'request',
      ...place,
      method: 'POST',
      url: endpoint,
      headers: {},
    } as const
    this.event(request, sighting('access_token'))
    return this.event({ type: 'response', ...place, status: 307, headers: {} })
  }

  /** From the challenge to a token. */
  signedIn(): this {
    return this.metadata().opened().requested().returned().granted()
  }

  /** The whole of the gate. */
  complete(): this {
    return this.asked().signedIn().attemptWithToken().accessed().served()
  }

  #place(channel: string) {
    return { channel, exchange: `x${(this.#exchanges += 1)}`, ...this.belongs() }
  }

  #get(channel: string, url: string, ...secrets: Sighting[]): this {
    const place = this.#place(channel)
    return this.event({ type: 'request', ...place, method: 'GET', url, headers: {} }, ...secrets)
  }

  #post(url: string, args: Fields, headers: Record<string, string>, ...secrets: Sighting[]): this {
    const id = (this.#ids += 1)
    const params = { name: 'list_items', arguments: args }
    const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
    const body = { text, bytes: text.length }
    const place = { ...this.#place('mcp'), exchange: `warehouse-1/x${this.#exchanges}` }
    return this.event({ type: 'request', ...place, method: 'POST', url, headers, body }, ...secrets)
  }

  #stream(result: Fields): this {
    const text = JSON.stringify({ jsonrpc: '2.0', id: this.#ids, result })
    return this.event({
      type: 'request',
      ...this.#place('mcp-stream'),
      exchange: `warehouse-1/x${this.#exchanges}`,
      method: 'SSE',
      url: endpoint,
      headers: {},
      body: { text, bytes: text.length },
    })
  }
}

export const recording = (scenario = 'a-scenario', startsAt?: number): Recording =>
  new Recording(scenario, startsAt)

const declared: Declared = {
  revision: '2025-11-25',
  opens: true,
  modern: true,
  twoServers: true,
  pendingTimeoutMs: undefined,
  refreshTokens: true,
  scopes: [neededScope],
  tokenStore: undefined,
  logs: undefined,
  driven: 'command',
  redirectMatching: 'exact',
}

/** What checks know beside the transcript, with what a vendor declared. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

/** Where nothing is unusual: the gate worked. */
export const gate = (): Recording => recording('array').complete()

/** What says nothing about what follows a challenge. */
export const unchallenged = () => ({
  'the tool was not called': recording().client().begin(),
  'it was served at once': recording().client().begin().attempt().served(),
})

/** Examples of a challenge that no flow may follow; `reached` writes what shows that it was looked at. */
export const noFlowExamples = (reached: (t: Recording) => Recording = (t) => t): Cases => ({
  pass: { 'nothing was opened': reached(recording().asked()).window() },
  violation: {
    'a page was opened': reached(recording().asked()).opened(),
    'the provider was asked': reached(recording().asked()).requested(),
  },
  inconclusive: {
    ...unchallenged(),
    'nobody watched': reached(recording().asked()),
    'it was watched for less time than a flow takes': [
      reached(recording().asked()).window(),
      {},
      recording('array').asked().after(3000).opened(),
    ],
  },
})

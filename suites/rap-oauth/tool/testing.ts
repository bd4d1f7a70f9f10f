/** Hand-written recordings for the tests of the checks, and the form in which a check shows what it concludes. */

import {
  Transcript,
  type Body,
  type Channel,
  type EndEvent,
  type Judgement,
  type Sighting,
} from '../../../harness/engine/index.ts'
import type { Invocation } from '../messages.ts'
import {
  ClientRecording,
  describeExamples,
  describeJudge,
  type Cases as CasesOf,
  type Example as ExampleOf,
  type ExampleOptions,
} from '../../testing.ts'
import type { Context, Judge } from './checks.ts'
import type { Declared } from './configuration.ts'
import type { ToolScenario } from './scenarios/define.ts'

/** How an exchange ends: a status, a whole answer, a connection that is refused or reset, too late, or not at all. */
export type Ending =
  | number
  | 'refused'
  | 'reset'
  | 'late'
  | 'open'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly text?: string }

type Fields = Readonly<Record<string, unknown>>
type Detail = Record<string, unknown>

interface Place {
  readonly channel: Channel
  readonly exchange: string
  readonly call?: string
}

export const toolOrigin = 'http://127.0.0.1:4100'
export const providerOrigin = 'https://127.0.0.1:4200'
export const redirectUri = `${toolOrigin}/oauth/callback`

/** Writes a transcript in the protocol's terms. */
export class Recording extends ClientRecording {
  readonly #sent = new Map<string, Invocation>()
  readonly #invocations = new Map<string, Place>()
  #exchanges = 0

  /** A message of the current call was waited for in vain. */
  gaveUp(within = 30_000): this {
    return this.after(within).step('gave-up', { what: 'no message', within })
  }

  /** A new call: `call-1`, `call-2` ... */
  invoke(changes: Fields = {}, ack: Ending = 200): this {
    const name = `call-${this.#sent.size + 1}`
    const message: Invocation = {
      operation: 'list_items',
      arguments: {},
      id: `id of ${name}`,
      call_id: `secondary id of ${name}`,
      callback_url: `http://127.0.0.1:4000/callback/${name}?sig=1`,
      group_id: `thread of ${name}`,
      user_id: 'user-1',
      ...changes,
    }
    this.#sent.set(name, message)
    this.on(name).step('invoke', { message })
    return this.post(name, JSON.stringify(message), ack)
  }

  /** The current call once more, with a callback URL of its own. */
  invokeAgain(changes: Fields = {}): this {
    const { callback_url, ...sent } = this.sent
    const message = { ...sent, callback_url: `${callback_url}&again=1`, ...changes }
    this.#sent.set(this.current, message)
    return this.step('invoke', { message }).post(this.current, JSON.stringify(message))
  }

  /** Bytes for the invocation endpoint. */
  post(name: string, text: string, ack: Ending = 200): this {
    this.on(name)
    const place = this.#open('invocation')
    this.#invocations.set(name, place)
    this.event({
      type: 'request',
      ...place,
      method: 'POST',
      url: `${toolOrigin}/rap`,
      headers: { 'content-type': 'application/json' },
      body: bodyOf(text),
    })
    return this.#end(place, ack)
  }

  /** The answer to the current call's invocation, where it came late. */
  ack(ending: Ending): this {
    const place = this.#invocations.get(this.current)
    if (!place) throw new Error(`no invocation of ${this.current}`)
    return this.#end(place, ending)
  }

  oauth(changes: Fields = {}, ...secrets: Sighting[]): this {
    const message = { type: 'oauth', auth_url: `${providerOrigin}/authorize?state=s`, ...changes }
    return this.message(message, ...secrets)
  }

  result(text = '3 items', changes: Fields = {}, ...secrets: Sighting[]): this {
    return this.message({ type: 'tool_result', text, ...changes }, ...secrets)
  }

  /** A message that echoes the ids of the current call, unless it says otherwise. */
  message(fields: Fields, ...secrets: Sighting[]): this {
    const { id, call_id, group_id } = this.sent
    const text = JSON.stringify({ id, call_id, group_id, ...fields })
    return this.deliver(text, {}, ...secrets)
  }

  /** Any request to the callback URL of the current call. */
  deliver(
    text: string,
    options: { method?: string; type?: string | undefined; url?: string; answer?: Ending } = {},
    ...secrets: Sighting[]
  ): this {
    const { method = 'POST', url = this.sent.callback_url, answer = 200 } = options
    const type = 'type' in options ? options.type : 'application/json'
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    const place = this.#open('callback')
    const body = bodyOf(text)
    return this.event({ type: 'request', ...place, method, url, headers, body }, ...secrets).#end(
      place,
      answer,
    )
  }

  /** The browser comes back to the tool with these parameters. */
  callback(parameters: Record<string, string> = { code: 'c', state: 's' }, ending: Ending = 200) {
    return this.browse(`${redirectUri}?${new URLSearchParams(parameters).toString()}`, ending)
  }

  browse(url: string, ending: Ending = 200, ...secrets: Sighting[]): this {
    const place = this.#open('browser')
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    return this.#end(place, ending, ...secrets)
  }

  discover(ending: Ending): this {
    const place = { channel: 'discovery', exchange: this.#exchange() } as const
    const url = `${toolOrigin}/.well-known/rap-toolset`
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    return this.#end(place, ending)
  }

  /** The tool is notified of a cancellation. */
  notify(ending: Ending = 200): this {
    const place = { channel: 'notification', exchange: this.#exchange() } as const
    const url = `${toolOrigin}/cancel_tool_call`
    this.event({ type: 'request', ...place, method: 'POST', url, headers: {} })
    return this.#end(place, ending)
  }

  /** A request to the provider or its API, as it arrives. */
  upstream(path: string, ending: Ending = 200, ...secrets: Sighting[]): this {
    const place = this.#open('provider')
    const url = providerOrigin + path
    this.event({ type: 'request', ...place, method: 'POST', url, headers: {} }, ...secrets)
    return this.#end(place, ending)
  }

  authorizationRequest(detail: Detail = {}): this {
    return this.provider('authorization-request', {
      via: 'query',
      clientId: 'client',
      redirectUri,
      responseType: 'code',
      state: 's',
      scopes: ['items:read'],
      codeChallenge: 'c'.repeat(43),
      codeChallengeMethod: 'S256',
      resource: [],
      extra: {},
      valid: true,
      ...detail,
    })
  }

  decision(detail: Detail = {}): this {
    return this.provider('decision', { action: 'approve', subject: 'subject-of-user', ...detail })
  }

  /** The provider answered a token request. */
  grant(detail: Detail = {}): this {
    return this.provider('grant', {
      grantType: 'authorization_code',
      presented: 'authorization_code-1',
      verifier: 'matched',
      outcome: 'issued',
      issued: ['access_token-1', 'refresh_token-1'],
      ...detail,
    })
  }

  refused(error = 'invalid_grant', detail: Detail = {}): this {
    return this.grant({ outcome: 'refused', error, issued: [], ...detail })
  }

  refresh(presented: string, detail: Detail = {}): this {
    return this.grant({ grantType: 'refresh_token', presented, verifier: 'none', ...detail })
  }

  /** A request to the protected API with a token of the current call's flow. */
  access(detail: Detail = {}): this {
    return this.provider('resource-access', {
      token: 'access_token-1',
      credential: 'header',
      route: 'GET /resource/items',
      outcome: 'served',
      ...detail,
    })
  }

  output(source: string, text: string, ...secrets: Sighting[]): this {
    const bytes = Buffer.byteLength(text)
    return this.event({ type: 'output', source, text, bytes }, ...secrets)
  }

  /** From the invocation up to the consent page. */
  asked(changes: Fields = {}): this {
    return this.invoke(changes).oauth().authorizationRequest().decision()
  }

  /** From the invocation to an issued token. */
  authorized(changes: Fields = {}): this {
    return this.asked(changes).callback().upstream('/token').grant()
  }

  /** From the invocation to the result of the retried operation. */
  completed(changes: Fields = {}): this {
    return this.authorized(changes).upstream('/resource/items').access().result()
  }

  end(outcome: EndEvent['outcome'] = 'completed', reason?: string): this {
    return this.event({ type: 'end', outcome, ...(reason === undefined ? {} : { reason }) })
  }

  /** What the current call was sent. */
  get sent(): Invocation {
    const sent = this.#sent.get(this.current)
    if (!sent) throw new Error(`there is no call ${this.current}`)
    return sent
  }

  #exchange(): string {
    this.#exchanges += 1
    return `x${this.#exchanges}`
  }

  #open(channel: Channel): Place {
    return { channel, exchange: this.#exchange(), ...this.belongs() }
  }

  #end(place: Place, ending: Ending, ...secrets: Sighting[]): this {
    if (ending === 'open') return this
    if (ending === 'refused') {
      return this.event({ type: 'failure', ...place, code: 'ECONNREFUSED', message: 'refused' })
    }
    if (ending === 'reset') {
      return this.event({ type: 'failure', ...place, code: 'ECONNRESET', message: 'reset' })
    }
    if (ending === 'late') {
      return this.event({ type: 'failure', ...place, code: 'timeout', message: 'too late' })
    }
    const { status, headers = {}, text } = typeof ending === 'number' ? { status: ending } : ending
    const body = text === undefined ? {} : { body: bodyOf(text) }
    return this.event({ type: 'response', ...place, status, headers, ...body }, ...secrets)
  }
}

export function recording(scenario = 'a-scenario', startsAt = 0): Recording {
  return new Recording(scenario, startsAt)
}

function bodyOf(text: string): Body {
  return { text, bytes: Buffer.byteLength(text) }
}

/** Several scenarios of one run as one transcript. */
export function merged(...recordings: readonly Recording[]): { readonly transcript: Transcript } {
  return { transcript: Transcript.merge(recordings.map(({ transcript }) => transcript)) }
}

/** A secret that was seen in an event. */
export function sighting(kind: string, at = 'body.text', encoding = 'raw'): Sighting {
  return { id: `${kind}-1`, kind, encoding, at }
}

const declared: Declared = {
  pendingTimeoutMs: 4000,
  refreshTokens: true,
  anonymous: true,
  scopes: ['items:read'],
  tokenStore: undefined,
  logs: undefined,
  driven: 'command',
  redirectMatching: 'exact',
}

const options: ExampleOptions<Declared> = {
  context: (declarations, control) => contextOf(declarations, control),
}

/** What checks know beside the transcript, with what a vendor declared. */
export function contextOf(declarations: Partial<Declared> = {}, control?: Transcript): Context {
  return {
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }
}

export type Example = ExampleOf<Declared>
export type Cases = CasesOf<Declared>

/** What is judged of an example, and what a check knows beside it. */
export function split(example: Example): readonly [Transcript, Context] {
  const [recorded, declarations, control] = 'transcript' in example ? [example] : example
  return [recorded.transcript, contextOf(declarations, control?.transcript)]
}

/** What a check of a scenario concludes from a recording. */
export function judge(scenario: ToolScenario, name: string, example: Example): Judgement {
  const check = scenario.checks.find(({ requirement }) => requirement === name)
  if (!check) throw new Error(`${scenario.id} has no check ${name}`)
  return check.judge(...split(example))
}

/** Registers a test for every example of every check of a scenario. */
export function describeChecks(
  scenario: ToolScenario,
  cases: Readonly<Record<string, Cases>>,
): void {
  describeExamples([scenario], { [scenario.id]: cases }, options)
}

/** Registers a test for every example of one judgement. */
export function judges(name: string, judged: Judge, cases: Partial<Cases>): void {
  describeJudge(name, judged, cases, options)
}

/** What each call of somebody unusual has to be: answered, when it was taken. */
export const answeredCalls: Cases = {
  pass: {
    'every call is answered': [recording().invoke().oauth(), {}, recording().completed()],
    'it is refused': [recording().invoke({}, 400), {}, recording().completed()],
  },
  violation: {
    'taken, and nothing came': [recording().invoke().gaveUp(), {}, recording().completed()],
    'taken after the call of somebody else who was asked': [
      recording().asked({ user_id: 'other' }).invoke().gaveUp(),
      {},
      recording().completed(),
    ],
  },
  inconclusive: {
    'nothing comes of any call': [recording().invoke().gaveUp(), {}, recording().invoke().gaveUp()],
    'it was not waited for': [recording().invoke(), {}, recording().completed()],
    'its user is asked already': [
      recording().asked().invoke().gaveUp(),
      {},
      recording().completed(),
    ],
  },
}

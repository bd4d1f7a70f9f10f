/** Hand-written recordings of runtimes, for the tests of the checks. */

import { type Channel } from '../../../harness/engine/index.ts'
import type { ModelMessage, ModelToolResult } from '../../../harness/parties/index.ts'
import { WrittenRecording, type Cases as AnyCases, type ExampleOptions } from '../../testing.ts'
import type { TokenKind } from './attribution.ts'
import type { Declared } from './configuration.ts'
import { authUrl, toolNames } from './vocabulary.ts'

export type Cases = AnyCases<Declared>

/** How an exchange ends: a status, the code of a failure, or not at all. */
export type Ending = number | 'ECONNREFUSED' | 'ECONNRESET' | 'timeout' | 'open'

type Fields = Readonly<Record<string, unknown>>
type Detail = Record<string, unknown>

interface Delivered {
  readonly answer?: Ending
  readonly token?: string
  readonly url?: string
}

interface Notified {
  readonly path?: string
  readonly port?: number
  readonly answer?: Ending
  readonly tool_call_id?: string
  readonly type?: string
}

export interface Asking {
  readonly system?: string
  readonly tools?: readonly string[]
  readonly images?: number
  /** What the request holds; default: everything that was said so far in the conversation. */
  readonly messages?: readonly ModelMessage[]
  /** What it holds besides, which is not said from then on. */
  readonly more?: readonly ModelMessage[]
  readonly ending?: Ending
  readonly conversation?: string
}

/** A token as the harness issues them, always the same for a number. */
export function tokenOf(kind: TokenKind, number: number | string): string {
  return `${kind}-${String(number).padStart(24, '0')}`
}

const runtimeOrigin = 'http://127.0.0.1:4300'

/** Writes a transcript in the protocol's terms. */
export class Recording extends WrittenRecording {
  readonly #histories = new Map<string, ModelMessage[]>()
  #exchanges = 0
  #tokens = 0
  #call = 0
  #calls = 0
  #conversation = 0

  get call(): string {
    return `call-${this.#call}`
  }

  get conversation(): string {
    return tokenOf('conv', this.#conversation)
  }

  /** What follows belongs to this call and its conversation. */
  on(call: number, conversation = call): this {
    this.#call = call
    this.#conversation = conversation
    return this
  }

  step(action: string, detail: Detail = {}): this {
    return this.event({ type: 'step', action, call: this.call, detail })
  }

  /** An observation window was completed. */
  window(ms = 1000): this {
    return this.after(ms).event({ type: 'step', action: 'window', detail: { ms } })
  }

  gaveUp(what: string, { within = 5000, of }: { within?: number; of?: string } = {}): this {
    return this.after(within).step('gave-up', { what, within, ...(of ? { of } : {}) })
  }

  /** A new call, in a conversation of its own unless told otherwise; the model asks for the tool. */
  ask(
    conversation?: number,
    tool: string = toolNames[0],
    details: Fields = {},
    userNumber = conversation ?? this.#calls + 1,
  ): this {
    this.#calls += 1
    this.on(this.#calls, conversation ?? this.#calls)
    const reference = tokenOf('ref', this.#call)
    const text = `Please list what I have, reference ${reference}.`
    const user = tokenOf('user', userNumber)
    this.step('ask', { reference, conversation: this.conversation, user, tool, text })
    const id = `model-${this.#call}`
    const call = { id, name: tool, arguments: { reference, ...details } }
    return this.tell({ role: 'user', text })
      .model()
      .tell({ role: 'assistant', text: '', toolCalls: [call] })
      .step('model-called', call)
  }

  /** The runtime invokes the tool. */
  invoke(changes: Fields = {}, ack: Ending = 200, headers: Record<string, string> = {}): this {
    const message = { ...this.invocation, ...changes }
    return this.exchange(
      'invocation',
      'http://127.0.0.1:4400/invoke',
      JSON.stringify(message),
      ack,
      { 'content-type': 'application/json', ...headers },
    )
  }

  get invocation() {
    return {
      operation: toolNames[0] as string,
      arguments: { reference: tokenOf('ref', this.#call) },
      id: `id of ${this.call}`,
      call_id: `secondary id of ${this.call}`,
      callback_url: `${runtimeOrigin}/callback/${this.call}`,
      group_id: `group of ${this.conversation}`,
      user_id: null,
    }
  }

  running(): this {
    return this.ask().invoke()
  }

  /** A toolset is notified that the call was cancelled. */
  notify({
    path = '/cancel_tool_call',
    port = 4400,
    answer = 200,
    type = 'application/json',
    ...ids
  }: Notified = {}): this {
    const { group_id, id } = this.invocation
    const body = JSON.stringify({ thread_id: group_id, tool_call_id: id, ...ids })
    const headers = { 'content-type': type }
    return this.exchange('notification', `http://127.0.0.1:${port}${path}`, body, answer, headers)
  }

  /** A message of the tool to the callback URL. */
  deliver(name: string, message: Fields, { answer = 200, token = '', url }: Delivered = {}): this {
    const { id, call_id, group_id, callback_url } = this.invocation
    const whole = { id, call_id, group_id, ...message }
    const exchange = `x${this.#exchanges + 1}`
    this.step('deliver', { name, exchange, token, ...(url ? { url } : {}), message: whole })
    return this.exchange('callback', callback_url, JSON.stringify(whole), answer)
  }

  oauth(name = 'oauth', { answer, url }: { answer?: Ending | undefined; url?: string } = {}): this {
    const token = this.#token('url')
    const target = url ?? authUrl(token)
    const options = { token, url: target, ...(answer === undefined ? {} : { answer }) }
    return this.deliver(name, { type: 'oauth', auth_url: target }, options)
  }

  /** The oauth message once more. */
  again(name: string): this {
    const { token, url } = this.#last('url')
    return this.deliver(name, { type: 'oauth', auth_url: url }, { token, url })
  }

  result(name = 'result', { answer = 200 }: { answer?: Ending } = {}): this {
    const token = this.#token('result')
    return this.deliver(name, { type: 'tool_result', text: token }, { token, answer })
  }

  /** A message that belongs to nobody. */
  forge(
    name = 'forged',
    { answer = 404, url = false }: { answer?: Ending; url?: boolean } = {},
  ): this {
    const token = this.#token(url ? 'url' : 'forged')
    const more = url ? { url: authUrl(token) } : {}
    return this.deliver(name, { type: url ? 'oauth' : 'tool_result' }, { token, answer, ...more })
  }

  /** The user is shown a text; by default the URL that was sent last, in its conversation. */
  shows(text = this.#last('url').url, conversation: string | undefined = this.conversation): this {
    const whose = conversation === '' ? {} : { conversation }
    return this.event({ type: 'surface', source: 'sse', text, ...whose })
  }

  /** A look at a page that differs each time, and on which the URL that was sent last stands so many times. */
  page(times = 1): this {
    const links = `<a href="${this.#last('url').url}">Go on</a>`.repeat(times)
    const text = `<p>${this.transcript.events.length}</p>${links}`
    const { conversation } = this
    return this.event({ type: 'surface', source: 'poll', conversation, text, whole: true })
  }

  /** Something that the model is told from now on in this conversation. */
  tell(message: ModelMessage): this {
    const history = this.#histories.get(this.conversation) ?? []
    this.#histories.set(this.conversation, [...history, message])
    return this
  }

  /** An answer to the tool call of the current call: in place of an earlier one, as runtimes do. */
  answer(text: string, more: Partial<ModelToolResult> = {}): this {
    const callId = more.callId ?? `model-${this.#call}`
    const history = (this.#histories.get(this.conversation) ?? []).filter(
      ({ toolResults = [] }) => !toolResults.some((each) => each.callId === callId),
    )
    this.#histories.set(this.conversation, history)
    return this.tell({ role: 'tool', text, toolResults: [{ callId, text, ...more }] })
  }

  /** The model is asked with everything that was said so far; what it says itself counts as said. */
  model({
    system,
    tools = toolNames,
    images = 0,
    messages,
    more = [],
    ending = 200,
    conversation,
  }: Asking = {}): this {
    const said = [...(messages ?? this.#histories.get(this.conversation) ?? []), ...more]
    this.event({
      type: 'step',
      action: 'model-asked',
      detail: {
        exchange: `x${this.#exchanges + 1}`,
        conversation: conversation ?? this.conversation,
        system: system ?? '',
        messages: said,
        tools,
        images,
      },
    })
    const body = JSON.stringify({ system, messages: said })
    return this.exchange('model', 'http://127.0.0.1:4500/v1/chat/completions', body, ending)
  }

  /** The result that was sent last reaches the model as the answer to its call. */
  given(more: Partial<ModelToolResult> = {}): this {
    return this.answer(this.#last('result').token, more)
      .model()
      .tell({ role: 'assistant', text: 'Noted.' })
  }

  /** From asking to a result that has reached the model. */
  plain(): this {
    return this.running().result().given().window()
  }

  /** From asking to a call that waits for its user. */
  pending(): this {
    return this.running().oauth().shows().window()
  }

  /** The call that waited is completed by its result. */
  completed(): this {
    return this.pending().result().given().window()
  }

  /** The user says something else; the model is asked unless the runtime does not. */
  say({ asks = true, system }: { asks?: boolean; system?: string } = {}): this {
    const reference = tokenOf('ref', `9${this.#call}${this.#tokens++}`)
    const text = `By the way, how are you today? Reference ${reference}.`
    const detail = { reference, conversation: this.conversation, text }
    this.event({ type: 'step', action: 'say', detail }).tell({ role: 'user', text })
    return asks ? this.model(system === undefined ? {} : { system }) : this
  }

  exchange(
    channel: Channel,
    url: string,
    text: string,
    ending: Ending = 200,
    headers: Record<string, string> = {},
  ): this {
    this.#exchanges += 1
    const place = { channel, exchange: `x${this.#exchanges}`, call: this.call } as const
    const body = { text, bytes: Buffer.byteLength(text) }
    this.event({ type: 'request', ...place, method: 'POST', url, headers, body })
    if (ending === 'open') return this
    return typeof ending === 'number'
      ? this.event({ type: 'response', ...place, status: ending, headers: {} })
      : this.event({ type: 'failure', ...place, code: ending, message: ending })
  }

  /** The token that was sent last for the current call. */
  last(kind: 'url' | 'result' | 'forged'): string {
    return this.#last(kind).token
  }

  #token(kind: TokenKind): string {
    this.#tokens += 1
    return tokenOf(kind, this.#tokens)
  }

  #last(kind: string): { token: string; url: string } {
    const step = this.transcript.events.findLast(
      (event) =>
        event.type === 'step' &&
        event.action === 'deliver' &&
        event.call === this.call &&
        String(event.detail['token']).startsWith(kind),
    )
    if (step?.type !== 'step') throw new Error(`no ${kind} was sent for ${this.call}`)
    return { token: String(step.detail['token']), url: String(step.detail['url']) }
  }
}

export function recording(scenario = 'a-scenario'): Recording {
  return new Recording(scenario)
}

const declared: Declared = {
  durable: true,
  userTimeoutMs: 3000,
  callTimeoutMs: undefined,
  cancels: true,
  cancelsConversations: true,
  surfaceMs: 5000,
  answersOnly: false,
  storage: true,
  logs: true,
  separateSurfaces: true,
  reopens: true,
  tellsConversations: true,
  tellsUsers: true,
  outputSurfaces: [],
  owned: true,
  multipliable: true,
}

/** What checks know beside the transcript. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control) => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

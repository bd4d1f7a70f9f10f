/** The verbs that a scenario speaks: what the user says, and the tool's side of RAP. */

import {
  AdapterFailure,
  HttpFailure,
  Unreached,
  type Acknowledgement,
  type InvocationScope,
  type Recorder,
  type Run,
  type Transport,
} from '../../../harness/index.ts'
import { newToken, type Attribution, type Scope, type TokenKind } from './attribution.ts'
import type { Instance, Talk } from './instance.ts'
import type { ModelScript, Plan } from './model-script.ts'
import { firstGiven, type Given } from './told.ts'
import { callOf, shownWith, type CallView } from './view.ts'
import { whyNotInvoked } from './why-not-invoked.ts'
import type { Transcript } from '../../../harness/index.ts'

/** Names of the tools, one in each toolset; they are unlike anything that a runtime brings along. */
export const toolNames = ['conformance_list_items', 'conformance_list_notes'] as const

export interface SessionParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly transport: Transport
  readonly attribution: Attribution
  readonly script: ModelScript
  readonly instance: Instance
  readonly surfaceMs: number
  readonly aside: <T>(waiting: Promise<T>) => Promise<T>
  /** Tells the toolsets whose an invocation with this reference is. */
  readonly expect: (reference: string, scope: InvocationScope) => void
}

export interface AskOptions extends Omit<Plan, 'calls'> {
  readonly tool?: (typeof toolNames)[number]
  readonly acknowledge?: ((nth: number) => Acknowledgement) | undefined
}

/** Fields of a callback message; `undefined` leaves the field out. */
export type Fields = Readonly<Record<string, unknown>>

/** What was sent: its token stands in its text or in its URL. */
export interface Sent {
  readonly name: string
  readonly token: string
  readonly url: string
}

/** Counts the calls of a scenario. */
export class Calls {
  #count = 0
  next(): string {
    this.#count += 1
    return `call-${this.#count}`
  }
}

/** A conversation of one user with the runtime. */
export class Conversation implements Talk {
  readonly conversation: string
  readonly user: string
  readonly #parts: SessionParts
  readonly #calls: Calls

  constructor(parts: SessionParts, calls: Calls) {
    this.#parts = parts
    this.#calls = calls
    const { attribution, recorder, instance } = parts
    this.conversation = attribution.issue('conv', { recorder })
    const scope = { recorder, conversation: this.conversation }
    attribution.bind(this.conversation, scope)
    this.user = attribution.issue('user', scope)
    instance.watch(this)
  }

  /** The user asks for something for which the model will want the tool. */
  ask(options: AskOptions = {}): Call {
    return this.askAtOnce(1, options)[0]!
  }

  /** The same, where the model wants the tool several times in one turn. */
  askAtOnce(count: number, options: AskOptions = {}): Call[] {
    const { attribution, recorder, expect, script, instance } = this.#parts
    const { tool = toolNames[0], acknowledge, ...plan } = options
    const planned = Array.from({ length: count }, () => {
      const call = this.#calls.next()
      const scope: Scope = { recorder, call, conversation: this.conversation }
      const reference = attribution.issue('ref', scope)
      expect(reference, { recorder, call, acknowledge })
      return { call, scope, reference, tool }
    })
    const [first] = planned
    if (!first) return []
    script.plan(first.reference, { ...plan, calls: planned })
    const { conversation, user } = this
    const text = `Please list what I have, reference ${first.reference}.`
    for (const { call, reference } of planned) {
      const detail = { reference, conversation, user, tool, text }
      recorder.record({ type: 'step', action: 'ask', call, detail })
    }
    instance.say(this, text, recorder, first.call)
    return planned.map(({ call, scope }) => new Call(call, scope, this, this.#parts))
  }

  /** The user says something that needs no tool; gives the reference in it. */
  say(plan: Omit<Plan, 'calls'> = {}): string {
    const { attribution, recorder, script, instance } = this.#parts
    const reference = attribution.issue('ref', { recorder, conversation: this.conversation })
    script.plan(reference, plan)
    const text = `By the way, how are you today? Reference ${reference}.`
    const detail = { reference, conversation: this.conversation, text }
    recorder.record({ type: 'step', action: 'say', detail })
    instance.say(this, text, recorder)
    return reference
  }

  /** Waits until the model was asked with this token in the request. */
  async awaitModel(token: string, what = 'no request to the model'): Promise<void> {
    const { recorder, run, instance } = this.#parts
    const within = run.timing.stepMs
    const { gone } = instance
    const look = (t: Transcript): Given | undefined => firstGiven(t, token)
    const found = await recorder.waitFor(look, within, run.signal, gone)
    if (found !== undefined) return
    if (gone.aborted) throw goneBy(gone)
    recorder.record({ type: 'step', action: 'gave-up', call: 'call-1', detail: { what, within } })
    throw new Unreached(`${what} within ${within} ms`)
  }

  /** The user interrupts what is pending. */
  async cancel(): Promise<void> {
    const { instance, recorder } = this.#parts
    recorder.record({ type: 'step', action: 'cancel', detail: { conversation: this.conversation } })
    await instance.cancel(this, recorder)
  }
}

/** What was waited for; the checks look for the same words. */
export const waits = {
  invocation: 'no invocation',
  surfaced: 'the authorization URL was not shown',
  given: 'the result did not reach the model',
} as const

/** One call of the tool. Its waiting verbs throw {@link Unreached} when nothing comes. */
export class Call {
  readonly name: string
  readonly scope: Scope
  readonly conversation: Conversation
  readonly #parts: SessionParts

  constructor(name: string, scope: Scope, conversation: Conversation, parts: SessionParts) {
    this.name = name
    this.scope = scope
    this.conversation = conversation
    this.#parts = parts
  }

  /** Waits until the tool is invoked, `count` times. */
  async awaitInvocation(count = 1, within = this.#parts.run.timing.stepMs): Promise<void> {
    await this.#parts.instance.ready(this.conversation)
    const find = ({ invocations }: CallView) => invocations[count - 1]
    await this.#await(within, waits.invocation, find, { why: whyNotInvoked })
  }

  /** Sends an oauth message. With `url`, the token in it is the last one of kind `url`. */
  async oauth(name = 'oauth', make: (token: string) => string = authUrl): Promise<Sent> {
    const token = this.token('url')
    const url = make(token)
    await this.deliver(name, { type: 'oauth', auth_url: url }, { token, url })
    return { name, token, url }
  }

  /** The same oauth message once more. */
  async again(sent: Sent, name: string): Promise<void> {
    const { token, url } = sent
    await this.deliver(name, { type: 'oauth', auth_url: url }, { token, url })
  }

  /** Sends a tool_result whose text holds a token. */
  async result(name = 'result', fields: (token: string) => Fields = textResult): Promise<Sent> {
    const token = this.token('result')
    await this.deliver(name, { type: 'tool_result', ...fields(token) }, { token })
    return { name, token, url: '' }
  }

  /** A token that stands for this call; one of a forged message names no conversation. */
  token(kind: TokenKind): string {
    const { attribution, recorder } = this.#parts
    return attribution.issue(kind, kind === 'forged' ? { recorder, call: this.name } : this.scope)
  }

  /** Sends a message to the callback URL of this call, with its ids unless the message has its own. */
  async deliver(name: string, message: Fields, { token = '', url = '' } = {}): Promise<void> {
    const { sent } = callOf(this.#parts.recorder.transcript(), this.name)
    const ids = { group_id: sent['group_id'], id: sent['id'], ...callId(sent) }
    const whole = { ...ids, ...message }
    await this.send(name, JSON.stringify(whole), { token, url, message: whole })
  }

  /** Sends any bytes to the callback URL of this call. */
  async send(
    name: string,
    body: string,
    { token = '', url = '', message = {}, contentType = 'application/json' }: SendOptions = {},
  ): Promise<void> {
    const { recorder, run, transport } = this.#parts
    const target = this.callbackUrl()
    const exchange = recorder.newExchange()
    const place = { channel: 'callback', exchange, call: this.name } as const
    const headers = { 'content-type': contentType }
    const shown = { text: body.slice(0, shownBytes), bytes: Buffer.byteLength(body) }
    const short = body.length > shownBytes ? {} : { message }
    const detail = { name, exchange, token, ...(url ? { url } : {}), ...short }
    recorder.record({ type: 'step', action: 'deliver', call: this.name, detail })
    recorder.record({
      type: 'request',
      ...place,
      method: 'POST',
      url: target,
      headers,
      body: shown,
    })
    try {
      const within = run.timing.stepMs
      const { signal } = run
      const answer = await transport({ method: 'POST', url: target, headers, body, within, signal })
      recorder.record({ type: 'response', ...place, ...answer })
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
    }
  }

  /** What was recorded of this call so far. */
  seen(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }

  /** Sends an oauth message that this call's tool would not send. */
  async forgeOAuth(name: string, fields: Fields): Promise<void> {
    const token = this.token('url')
    const url = authUrl(token)
    await this.deliver(name, { type: 'oauth', auth_url: url, ...fields }, { token, url })
  }

  /** The callback URL of the invocation. */
  callbackUrl(): string {
    const url = callOf(this.#parts.recorder.transcript(), this.name).sent['callback_url']
    if (typeof url === 'string' && URL.canParse(url)) return url
    throw new Unreached('the invocation has no usable callback_url')
  }

  /** Waits until the exact URL was shown to a user. */
  async awaitSurfaced({ name, url }: Sent): Promise<void> {
    const { surfaceMs, aside } = this.#parts
    const find = (_: CallView, t: Transcript) => shownWith(t, url)[0]
    await aside(this.#await(surfaceMs, waits.surfaced, find, { of: name }))
  }

  /** Waits until the result reached the model. */
  async awaitGiven({ token }: Sent): Promise<Given> {
    return this.#await(this.#parts.run.timing.stepMs, waits.given, (_, t) => firstGiven(t, token))
  }

  /** Waits for anything of this call. */
  async awaitThat(
    what: string,
    find: (call: CallView, t: Transcript) => unknown,
    within = this.#parts.run.timing.stepMs,
  ): Promise<void> {
    const { aside } = this.#parts
    await aside(this.#await(within, what, (call, t) => find(call, t) || undefined))
  }

  async #await<T>(
    within: number,
    what: string,
    find: (call: CallView, t: Transcript) => T | undefined,
    { of, why }: WaitOptions = {},
  ): Promise<T> {
    const { recorder, run, instance } = this.#parts
    const { gone } = instance
    const look = (t: Transcript): T | undefined => find(callOf(t, this.name), t)
    const found = await recorder.waitFor(look, within, run.signal, gone)
    if (found !== undefined) return found
    if (gone.aborted) throw goneBy(gone)
    const detail = { what, within, ...(of === undefined ? {} : { of }) }
    recorder.record({ type: 'step', action: 'gave-up', call: this.name, detail })
    const reason = why?.(recorder.transcript(), this.name)
    throw new Unreached(
      `${what}, for ${this.name} within ${within} ms${reason ? `: ${reason}` : ''}`,
    )
  }
}

interface WaitOptions {
  /** The delivery that it is about. */
  readonly of?: string
  /** What may have gone wrong, for the author of the runtime. */
  readonly why?: (t: Transcript, call: string) => string
}

/** An adapter that fails is no finding about the runtime: the harness itself cannot go on. */
function goneBy({ reason }: AbortSignal): Error {
  return reason instanceof AdapterFailure
    ? reason
    : new Unreached(`the runtime is gone: ${String(reason)}`)
}

interface SendOptions {
  readonly token?: string
  readonly url?: string
  readonly message?: Fields
  readonly contentType?: string
}

/** Characters of a body that are recorded. */
const shownBytes = 64 * 1024

function callId(sent: Readonly<Record<string, unknown>>): Fields {
  return 'call_id' in sent ? { call_id: sent['call_id'] } : {}
}

/** An authorization URL as providers have them. */
export function authUrl(state: string): string {
  const redirect = encodeURIComponent('https://tool.example/oauth/callback')
  return `https://provider.example/oauth/authorize?response_type=code&client_id=conformance&redirect_uri=${redirect}&scope=items%3Aread&state=${state}&prompt=consent`
}

export function textResult(token: string): Fields {
  return { text: `You have three items: one, two, three (${token}).` }
}

/** A group or call id that nobody has given out. */
export function unknownId(kind: 'group' | 'call'): string {
  return newToken(kind)
}

/** The verbs that a scenario speaks: what the user says, and the tool's side of RAP. */

import {
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { AdapterFailure, HttpFailure, type Transport } from '../../../harness/parties/index.ts'
import type { Attribution, Scope, TokenKind } from './attribution.ts'
import type { Instance, Talk } from './instance.ts'
import type { ModelScript, Plan } from './model-script.ts'
import type { InvocationScope } from './toolset-server.ts'
import { cancellationsOf, interruptionOf } from './interruption.ts'
import { askedAfter, firstGiven, givenIn, type Given } from './model-input.ts'
import { askedOf, callOf, shownWith, type CallView } from './view.ts'
import { toolNames, waits, authUrl, textResult, type Fields } from './vocabulary.ts'
import { whyNotInvoked } from './why-not-invoked.ts'

export interface SessionParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly transport: Transport
  readonly attribution: Attribution
  readonly script: ModelScript
  readonly instance: Instance
  readonly patience: Patience
  readonly surfaceMs: number
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  /** Tells the toolsets whose an invocation with this reference is. */
  readonly expect: (reference: string, scope: InvocationScope) => void
}

export interface AskOptions
  extends Omit<Plan, 'calls'>, Pick<InvocationScope, 'acknowledge' | 'notified'> {
  readonly tool?: (typeof toolNames)[number]
}

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
  #watching: readonly (() => Promise<void>)[] = []

  /** Of a user of its own, unless one is given. */
  constructor(parts: SessionParts, calls: Calls, user?: string) {
    this.#parts = parts
    this.#calls = calls
    const { attribution, recorder, instance } = parts
    this.conversation = attribution.issue('conv', { recorder })
    const scope = { recorder, conversation: this.conversation }
    attribution.bind(this.conversation, scope)
    this.user = user ?? attribution.issue('user', scope)
    this.#watching = [instance.watch(this)]
  }

  /** The user asks for something for which the model will want the tool. */
  ask(options: AskOptions = {}): Call {
    return this.askAtOnce(1, options)[0]!
  }

  /** The same, where the model wants the tool several times in one turn. */
  askAtOnce(count: number, options: AskOptions = {}): Call[] {
    const { attribution, recorder, expect, script, instance } = this.#parts
    const { tool = toolNames[0], acknowledge, notified, ...plan } = options
    const planned = Array.from({ length: count }, () => {
      const call = this.#calls.next()
      const scope: Scope = { recorder, call, conversation: this.conversation }
      const reference = attribution.issue('ref', scope)
      expect(reference, { recorder, call, acknowledge, notified })
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
    return planned.map(
      ({ call, scope, reference }) => new Call(call, { ...scope, reference }, this, this.#parts),
    )
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
    const look = (t: Transcript): Given | undefined => firstGiven(t, token)
    await expectThat(this.#parts, 'call-1', { what, look })
  }

  /** Waits likewise for a request that offers the tools: one without them is for a title or a summary. */
  async awaitTurn(token: string): Promise<void> {
    const look = (t: Transcript) =>
      askedOf(t).find((asked) => asked.tools.length > 0 && givenIn(asked, token).length > 0)
    await expectThat(this.#parts, 'call-1', { what: 'no request to the model with tools', look })
  }

  /** Opens what its user looks at anew, as somebody does who comes back later. */
  reopen(): void {
    const { instance, recorder } = this.#parts
    const { conversation } = this
    recorder.record({ type: 'step', action: 'reopened', detail: { conversation } })
    this.#watching = [...this.#watching, instance.watch(this)]
  }

  /** Closes what its user looks at, as somebody does who follows a link. */
  async leave(): Promise<void> {
    const { conversation } = this
    await Promise.all(this.#watching.map((end) => end()))
    this.#parts.recorder.record({ type: 'step', action: 'left', detail: { conversation } })
  }

  /** The user interrupts what is pending. */
  async cancel(): Promise<void> {
    const { instance, recorder } = this.#parts
    recorder.record({ type: 'step', action: 'cancel', detail: { conversation: this.conversation } })
    await instance.cancel(this, recorder)
  }
}

/** One call of the tool. Its waiting verbs throw {@link Unreached} when nothing comes. */
export class Call {
  readonly name: string
  /** What its user said, and the model wrote into the arguments. */
  readonly reference: string
  readonly scope: Scope
  readonly conversation: Conversation
  readonly #parts: SessionParts

  constructor(
    name: string,
    { reference, ...scope }: Scope & { readonly reference: string },
    conversation: Conversation,
    parts: SessionParts,
  ) {
    this.name = name
    this.reference = reference
    this.scope = scope
    this.conversation = conversation
    this.#parts = parts
  }

  /** Waits until the tool is invoked: for this call, or for one of several. */
  async awaitInvocation({ orOf = [] }: { readonly orOf?: readonly Call[] } = {}): Promise<void> {
    await this.#parts.instance.ready(this.conversation)
    const find = ({ invocations }: CallView) =>
      invocations[0] ?? orOf.find((each) => each.isInvoked)
    await this.#await(waits.invocation, find, { why: whyNotInvoked })
  }

  get isInvoked(): boolean {
    return this.seen().invocations.length > 0
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
  async result(
    name = 'result',
    fields: (token: string) => Fields = textResult,
    contentType?: string,
  ): Promise<Sent> {
    const token = this.token('result')
    await this.deliver(name, { type: 'tool_result', ...fields(token) }, { token, contentType })
    return { name, token, url: '' }
  }

  /** A token that stands for this call; one of a forged message names no conversation. */
  token(kind: TokenKind): string {
    const { attribution, recorder } = this.#parts
    return attribution.issue(kind, kind === 'forged' ? { recorder, call: this.name } : this.scope)
  }

  /** Sends a message to the callback URL of this call, with its ids unless the message has its own. */
  async deliver(
    name: string,
    message: Fields,
    options: Omit<SendOptions, 'message'> = {},
  ): Promise<void> {
    const { sent } = callOf(this.#parts.recorder.transcript(), this.name)
    const ids = { group_id: sent['group_id'], id: sent['id'], ...callId(sent) }
    const whole = { ...ids, ...message }
    await this.send(name, JSON.stringify(whole), { ...options, message: whole })
  }

  /** Sends any bytes to the callback URL of this call. */
  async send(
    name: string,
    body: string,
    { token = '', url = '', message = {}, contentType = 'application/json' }: SendOptions = {},
  ): Promise<void> {
    const { recorder, run, transport, lendSlot } = this.#parts
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
      // Only who never answers is late: a busy machine takes its time.
      const within = run.timing.maxWaitMs
      const { signal } = run
      const sending = transport({ method: 'POST', url: target, headers, body, within, signal })
      const recorded = sending.then((answer) => {
        recorder.record({ type: 'response', ...place, ...answer })
        return answer
      })
      await lendSlot(recorded)
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
    }
  }

  /** What was recorded of this call so far. */
  seen(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }

  /** Everything that was recorded so far. */
  transcript(): Transcript {
    return this.#parts.recorder.transcript()
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
    const { surfaceMs, offSlot } = this.#parts
    const find = (_: CallView, t: Transcript) => shownWith(t, url)[0]
    await offSlot(this.#await(waits.surfaced, find, { atLeast: surfaceMs, of: name }))
  }

  /** Waits until the result reached the model. */
  async awaitGiven({ token }: Sent): Promise<Given> {
    return this.#await(waits.given, (_, t) => firstGiven(t, token))
  }

  /** The same, unless what the user said has interrupted the call. */
  async awaitGivenOrInterrupted({ token }: Sent): Promise<void> {
    const find = (call: CallView, t: Transcript) => {
      const [said] = t.steps('say')
      return firstGiven(t, token) ?? (said && interruptionOf(t, call, said))
    }
    await this.#await(waits.given, find)
  }

  /** Waits until the model is asked after a result that says nothing by which it could be found. */
  async awaitTurnAfter({ name }: Sent): Promise<void> {
    await this.#await(waits.given, (call, t) => {
      const sent = call.deliveries.find((each) => each.name === name)
      return sent && askedAfter(t, call, sent)
    })
  }

  /** Waits until some tool was notified that the call was cancelled. */
  async awaitCancellation(): Promise<void> {
    await this.#await(waits.notified, (call, t) => cancellationsOf(t, call)[0])
  }

  /** Waits for anything of this call. */
  async awaitThat(
    what: string,
    find: (call: CallView, t: Transcript) => unknown,
    within = this.#parts.run.timing.stepMs,
  ): Promise<void> {
    const { offSlot } = this.#parts
    await offSlot(this.#await(what, (call, t) => find(call, t) || undefined, { within }))
  }

  async #await<T>(
    what: string,
    find: (call: CallView, t: Transcript) => T | undefined,
    options: WaitOptions = {},
  ): Promise<T> {
    const look = (t: Transcript): T | undefined => find(callOf(t, this.name), t)
    return expectThat(this.#parts, this.name, { what, look, ...options })
  }
}

interface Expected<T> extends WaitOptions {
  readonly what: string
  readonly look: (t: Transcript) => T | undefined
}

/** Waits until it is recorded, and learns how long such a thing takes. @throws Unreached when it does not come */
async function expectThat<T>(
  { recorder, run, instance, patience, lendSlot }: SessionParts,
  call: string,
  { what, look, atLeast, within = patience.within(what, atLeast), of, why }: Expected<T>,
): Promise<T> {
  const { gone } = instance
  const since = performance.now()
  const found = await lendSlot(recorder.waitFor(look, within, run.signal, gone))
  patience.learn(what, found === undefined ? 0 : performance.now() - since)
  if (found !== undefined) return found
  if (gone.aborted) throw goneBy(gone)
  const detail = { what, within, ...(of === undefined ? {} : { of }) }
  recorder.record({ type: 'step', action: 'gave-up', call, detail })
  const reason = why?.(recorder.transcript(), call)
  throw new Unreached(`${what}, for ${call} within ${within} ms${reason ? `: ${reason}` : ''}`)
}

interface WaitOptions {
  /** Milliseconds that it may take in any case. */
  readonly atLeast?: number
  /** Milliseconds that it may take; default: what such a thing was seen to take. */
  readonly within?: number
  /** The delivery that it is about. */
  readonly of?: string
  /** What may have gone wrong, for the author of the runtime. */
  readonly why?: (t: Transcript, call: string) => string
}

/** An adapter that fails is no finding about the runtime: the harness itself cannot go on. */
function goneBy({ reason }: AbortSignal): Error {
  return reason instanceof AdapterFailure
    ? reason
    : new Unreached(`the runtime is no longer running: ${String(reason)}`)
}

interface SendOptions {
  readonly token?: string
  readonly url?: string
  readonly message?: Fields
  readonly contentType?: string | undefined
}

/** Characters of a body that are recorded. */
const shownBytes = 64 * 1024

function callId(sent: Readonly<Record<string, unknown>>): Fields {
  return 'call_id' in sent ? { call_id: sent['call_id'] } : {}
}

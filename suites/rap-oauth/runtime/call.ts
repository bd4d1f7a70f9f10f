/** The verbs of a tool's call: what its tool sends, and what the scenario waits for. */

import { setTimeout as delay } from 'node:timers/promises'

import { Unreached, type Transcript } from '../../../harness/engine/index.ts'
import { HttpFailure } from '../../../harness/parties/index.ts'
import type { Scope, TokenKind } from './attribution.ts'
import type { Talk } from './instance.ts'
import { cancellationsOf, interruptionOf } from './interruption.ts'
import { askedAfter, firstGiven, givenToCall, type Given } from './model-input.ts'
import { attempts, isTransient, pausesMs, type Ending } from './redelivery.ts'
import type { SessionParts } from './session-parts.ts'
import { speak } from './speak.ts'
import { unopened } from './surfaces.ts'
import { callOf, callsOf, isShownIn, shownWith, type CallView, type Delivery } from './view.ts'
import { unreadBodyMs } from '../messages.ts'
import { authUrl, textResult, waits, type Fields } from './vocabulary.ts'
import { expectThat, type WaitOptions } from './waiting.ts'
import { whyNotInvoked } from './why-not-invoked.ts'

/** What was sent: its token stands in its text or in its URL. */
export interface Sent {
  readonly name: string
  readonly token: string
  readonly url: string
}

interface SendOptions {
  readonly token?: string
  readonly url?: string
  readonly message?: Fields
  readonly contentType?: string | undefined
  /** Whether it is sent once more where that may help, as tools do; not where the answer itself is looked at. */
  readonly redelivers?: boolean
}

/** One call of the tool. Its waiting verbs throw {@link Unreached} when nothing comes. */
export class Call {
  readonly name: string
  /** What its user said, and the model wrote into the arguments. */
  readonly reference: string
  readonly scope: Scope
  readonly conversation: Talk
  readonly #parts: SessionParts

  constructor(
    name: string,
    { reference, ...scope }: Scope & { readonly reference: string },
    conversation: Talk,
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
  async oauth(
    name = 'oauth',
    make: (token: string) => string = authUrl,
    more: Fields = {},
  ): Promise<Sent> {
    const token = this.token('url')
    const url = make(token)
    await this.deliver(
      name,
      { type: 'oauth', auth_url: url, ...more },
      { token, url, redelivers: true },
    )
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
    const options = { token, contentType, redelivers: true }
    await this.deliver(name, { type: 'tool_result', ...fields(token) }, options)
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
    { redelivers = false, ...options }: SendOptions = {},
  ): Promise<void> {
    const { token = '', url = '', message = {}, contentType = 'application/json' } = options
    const { recorder } = this.#parts
    const target = this.callbackUrl()
    const exchange = recorder.newExchange()
    const short = body.length > shownBytes ? {} : { message }
    const more = { ...(url ? { url } : {}), ...short, ...(redelivers ? { redelivers } : {}) }
    const detail = { name, exchange, token, ...more }
    recorder.record({ type: 'step', action: 'deliver', call: this.name, detail })
    const post = (as: string) => this.#post(as, target, body, contentType)
    const ending = await post(exchange)
    if (redelivers && isTransient(ending)) await this.#redeliver(exchange, post)
  }

  /** Sends the message until it is taken, or refused, or was sent often enough. */
  async #redeliver(of: string, post: (exchange: string) => Promise<Ending>): Promise<void> {
    const { recorder, run, instance, offSlot } = this.#parts
    for (const pauseMs of pausesMs) {
      const pause = delay(pauseMs, undefined, { signal: run.signal })
      await offSlot(pause.catch(() => undefined))
      if (run.signal.aborted || instance.gone.aborted) break
      const exchange = recorder.newExchange()
      const detail = { of, exchange }
      recorder.record({ type: 'step', action: attempts.again, call: this.name, detail })
      if (!isTransient(await post(exchange))) return
    }
    recorder.record({ type: 'step', action: attempts.noMore, call: this.name, detail: { of } })
  }

  /** One attempt; gives how it ended. */
  async #post(exchange: string, url: string, body: string, contentType: string): Promise<Ending> {
    const { recorder, run, transport, lendSlot } = this.#parts
    const place = { channel: 'callback', exchange, call: this.name } as const
    const to = { method: 'POST', url, headers: { 'content-type': contentType } }
    const shown = { text: body.slice(0, shownBytes), bytes: Buffer.byteLength(body) }
    recorder.record({ type: 'request', ...place, ...to, body: shown })
    try {
      // Only who never answers is late: a busy machine takes its time.
      const within = run.timing.maxWaitMs
      const { signal } = run
      const sending = transport({ ...to, body, within, bodyWithin: unreadBodyMs, signal })
      const recorded = sending.then((answer): Ending => {
        recorder.record({ type: 'response', ...place, ...answer })
        return { type: 'response', status: answer.status }
      })
      return await lendSlot(recorded)
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      const { code, message } = error
      recorder.record({ type: 'failure', ...place, code, message })
      return { type: 'failure', code }
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

  /**
   * Waits until the exact URL was shown to a user, or to that of the call where another call has the same; who sees nothing but
   * answers says something in between.
   */
  async awaitSurfaced({ name, url }: Sent, { own = false } = {}): Promise<void> {
    const { surfaceMs, offSlot, answersOnly, recorder, run, instance } = this.#parts
    const { conversation } = this.conversation
    const look = (t: Transcript) =>
      shownWith(t, url).find((event) => !own || isShownIn(event, conversation))
    const find = (_: CallView, t: Transcript) => look(t)
    if (answersOnly) {
      const shown = offSlot(recorder.waitFor(look, surfaceMs, run.signal, instance.gone))
      if (!(await shown)) speak(this.conversation, this.#parts)
    }
    const why = (t: Transcript): string => unopened(t) ?? ''
    const progress = countOf(({ url }, t) => url !== undefined && shownWith(t, url)[0])
    await offSlot(
      this.#await(waits.surfaced, find, { atLeast: surfaceMs, of: name, progress, why }),
    )
  }

  /** Waits until the result reached the model. */
  async awaitGiven({ token }: Sent): Promise<Given> {
    const progress = countOf(({ token }, t) => firstGiven(t, token))
    return this.#await(waits.given, (_, t) => firstGiven(t, token), { progress })
  }

  /** The same, where results of other calls have the same words. */
  async awaitOwnGiven({ name }: Pick<Sent, 'name'>): Promise<void> {
    await this.#await(waits.given, (call, t) => {
      const sent = call.deliveries.find((each) => each.name === name)
      return sent && givenToCall(t, call, sent)
    })
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

/** Characters of a body that are recorded. */
const shownBytes = 64 * 1024

/** How many of all that was delivered is as it should be: a runtime takes the messages of a group one after the other. */
function countOf(isDone: (delivery: Delivery, t: Transcript) => unknown) {
  return (t: Transcript): number =>
    callsOf(t)
      .flatMap(({ deliveries }) => deliveries)
      .filter((each) => isDone(each, t)).length
}

function callId(sent: Readonly<Record<string, unknown>>): Fields {
  return 'call_id' in sent ? { call_id: sent['call_id'] } : {}
}

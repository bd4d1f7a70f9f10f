/** The verbs of a tool's call: what its tool sends, and what the scenario waits for. */

import { Unreached, type Transcript } from '../../../harness/engine/index.ts'
import { HttpFailure } from '../../../harness/parties/index.ts'
import type { Scope, TokenKind } from './attribution.ts'
import type { Talk } from './instance.ts'
import { cancellationsOf, interruptionOf } from './interruption.ts'
import { askedAfter, firstGiven, type Given } from './model-input.ts'
import type { SessionParts } from './session-parts.ts'
import { callOf, shownWith, type CallView } from './view.ts'
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
    await this.deliver(name, { type: 'oauth', auth_url: url, ...more }, { token, url })
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
      const to = { method: 'POST', url: target, headers, body }
      const sending = transport({ ...to, within, bodyWithin: unreadBodyMs, signal })
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

/** Characters of a body that are recorded. */
const shownBytes = 64 * 1024

function callId(sent: Readonly<Record<string, unknown>>): Fields {
  return 'call_id' in sent ? { call_id: sent['call_id'] } : {}
}

/** A call of the tool: what the runtime and its user wait for. */

import {
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { Deployment } from '../../../harness/parties/index.ts'
import type { PendingCall } from '../../oauth-client/pending-call.ts'
import { noteTokenUse } from '../../oauth-client/user.ts'
import { askedTooMuch } from '../../oauth-client/view.ts'
import type { Invocation } from '../messages.ts'
import type { Endpoint } from './discovery.ts'
import type { Pace } from '../../oauth-client/pace.ts'
import { postInvocation } from './post-invocation.ts'
import {
  callOf,
  isAnswered,
  mayBeTooMany,
  wasRefused,
  wasTooMany,
  wordsOfEnd,
  type CallView,
  type Message,
} from './view.ts'

const tooMany = Symbol('too many')

/** How often a call is made once more where it is not known that it was too many: at first, and where that has helped others. */
const [times, timesWhereItHelps] = [5, 24]

/** What a call, and the tool that it is a call of, act with. */
export interface ToolParts {
  readonly recorder: Recorder
  readonly deployment: Deployment
  readonly endpoint: Endpoint
  readonly run: Run
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  readonly patience: Patience
  readonly pace: Pace
}

/**
 * One invocation, sent at once. Its waiting verbs throw {@link Unreached} when the message does not come; where the tool
 * was asked too much at once, they make the call once more, as a model would.
 */
export class Call implements PendingCall {
  readonly name: string
  readonly groupId: string
  readonly #message: () => Invocation
  readonly #parts: ToolParts
  #renewal: Promise<boolean> | undefined
  /** How often it was made once more although it was not known that it was too many. */
  #doubts = 0
  /** How it had ended before it was made once more; none: it was made once. */
  #refusal: string | undefined
  /** Whether what it ends in counts, unless it says that it was too many. */
  readonly #counts: boolean

  /** An invocation with the id of an earlier one is the same call: a tool need not answer it again. */
  constructor(
    name: string,
    groupId: string,
    message: () => Invocation,
    parts: ToolParts,
    hasNewIds = true,
  ) {
    this.name = name
    this.groupId = groupId
    this.#message = message
    this.#parts = parts
    this.#counts = parts.pace.isFirst() || !hasNewIds
    this.#send()
  }

  #send(): void {
    const { endpoint, recorder } = this.#parts
    const message = this.#message()
    recorder.record({ type: 'step', action: 'invoke', call: this.name, detail: { message } })
    const body = JSON.stringify(message)
    void postInvocation(this.name, body, 'application/json', endpoint.url, this.#parts)
  }

  /** Makes a call that was too many once more; several who wait for it do so together. False: that is of no use. */
  #renew(): Promise<boolean> {
    const { recorder, run, pace } = this.#parts
    this.#renewal ??= (async () => {
      const call = callOf(recorder.transcript(), this.name)
      const refusal = wordsOfEnd(call)
      const isKnown = wasTooMany(call)
      const isAgain = this.#refusal !== undefined
      this.#refusal = refusal
      const action = isKnown ? 'too-many' : 'once-more'
      recorder.record({ type: 'step', action, call: this.name, detail: {} })
      if (!isKnown) this.#doubts += 1
      if (isAgain) pace.note(true, isKnown || pace.hasHelped(refusal))
      const turn = await pace.turn(run.signal, isKnown)
      if (!turn) this.#doubts = timesWhereItHelps
      if (turn && this.#wasTooMany(recorder.transcript(), true)) this.#send()
      return turn || !isKnown
    })().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  #wasTooMany(t: Transcript, inDoubt: boolean): boolean {
    const call = callOf(t, this.name)
    return wasTooMany(call) || (inDoubt && mayBeTooMany(t, call))
  }

  /** Notes whether it was of use that it was made once more. */
  #noteRenewal(): void {
    const { pace, recorder } = this.#parts
    if (this.#refusal === undefined) return
    const hasGoneOn = !this.#wasTooMany(recorder.transcript(), true)
    pace.note(!hasGoneOn, hasGoneOn)
    if (hasGoneOn) pace.learn(this.#refusal)
  }

  /** Whether it may be made once more although it is not known that it was too many. */
  #mayDoubt(t: Transcript): boolean {
    const { pace } = this.#parts
    if (this.#counts || this.#doubts >= timesWhereItHelps || !pace.mayDoubt) return false
    return this.#doubts < times || pace.hasHelped(wordsOfEnd(callOf(t, this.name)))
  }

  /** Milliseconds since it first answered, by a message. */
  waited(): number {
    const { recorder, run } = this.#parts
    const [first] = callOf(recorder.transcript(), this.name).answers
    return first ? run.now() - first.event.t : 0
  }

  /** Waits until the invocation was answered, whatever the answer. */
  async awaitAck(): Promise<void> {
    await this.#once(this.#parts.run.timing.stepMs, 'no answer to the invocation', (call) =>
      call.ack ? true : undefined,
    )
  }

  /** Waits for the oauth message and gives its URL. A result instead of it, or a refusal, ends the waiting. */
  async asked(): Promise<string> {
    const { patience } = this.#parts
    const within = patience.within('message')
    const message = await this.#await(within, 'no oauth message', (call) => {
      return call.answers[0] ?? (wasRefused(call) ? 'refused' : undefined)
    }).catch((error: unknown) => {
      patience.learn('message', 0)
      throw error
    })
    this.#note()
    if (message === 'refused') throw new Unreached(`the invocation of ${this.name} was refused`)
    const url = message.value['auth_url']
    if (message.type !== 'oauth')
      throw new Unreached('a tool_result came instead of an oauth message')
    if (typeof url !== 'string') throw new Unreached('the oauth message has no auth_url')
    return url
  }

  /** Notes for the other scenarios how long the first message took. */
  #note(): void {
    const { request, answers } = callOf(this.#parts.recorder.transcript(), this.name)
    if (request && answers[0]) this.#parts.patience.learn('message', answers[0].event.t - request.t)
  }

  /** Waits for the first result, beside other scenarios, as long as the run waits for anything. */
  async ended(within = this.#parts.run.timing.maxWaitMs): Promise<Message> {
    return this.#end(this.#await(within, 'no tool_result', (call) => call.results[0]))
  }

  #end(result: Promise<Message>): Promise<Message> {
    const { offSlot, patience, recorder } = this.#parts
    return offSlot(result).finally(() => {
      noteTokenUse(patience, callOf(recorder.transcript(), this.name))
    })
  }

  /** Waits likewise, and goes on without one, or with any: for what is to be tried whether or not the call has ended. */
  async settle(within = this.#parts.run.timing.maxWaitMs): Promise<void> {
    const result = this.#once(within, 'no tool_result', (call) => call.results[0])
    await this.#end(result).catch((error: unknown) => {
      if (!(error instanceof Unreached) || this.#parts.deployment.implementation.gone.aborted)
        throw error
    })
  }

  /** Waits likewise for whichever answer comes first. */
  async answered(): Promise<'asked' | 'ended'> {
    const { offSlot, run } = this.#parts
    const message = await offSlot(
      this.#await(run.timing.maxWaitMs, 'no message', (call) => call.answers[0]),
    )
    return message.type === 'oauth' ? 'asked' : 'ended'
  }

  /** Waits likewise, and tells whether its user is asked, or the call was refused, by a result or by a status. */
  async isAsked(): Promise<boolean> {
    await this.awaitAnswer()
    const types = ['oauth', 'tool_result'] as const
    return types.some((type) => this.hasMessage(type)) && (await this.answered()) === 'asked'
  }

  /** Whether a message of this type has arrived. */
  hasMessage(type: 'oauth' | 'tool_result'): boolean {
    const { messages } = callOf(this.#parts.recorder.transcript(), this.name)
    return messages.some((message) => message.type === type)
  }

  /** Waits likewise for an answer, or for a status of the invocation that says that it is not taken; or of one beside it. */
  async awaitAnswer(...beside: readonly Call[]): Promise<void> {
    const { offSlot, run } = this.#parts
    const names = beside.map(({ name }) => name)
    await offSlot(
      this.#await(
        run.timing.maxWaitMs,
        'neither a message nor a refusal',
        (call, t) => [call, ...names.map((name) => callOf(t, name))].some(isAnswered) || undefined,
        false,
      ),
    )
  }

  /** Waits likewise, but only so long, and goes on without. */
  async mayAnswer(within: number): Promise<void> {
    const answer = this.#await(within, 'no answer yet', (call) => isAnswered(call) || undefined)
    await answer.catch((error: unknown) => {
      if (!(error instanceof Unreached)) throw error
    })
  }

  async waitUntil(
    what: string,
    find: (call: CallView, t: Transcript) => unknown,
    within = this.#parts.run.timing.stepMs,
  ): Promise<void> {
    await this.#await(within, what, (call, t) => find(call, t) || undefined)
  }

  /**
   * Waits for something of the call, however often it has to be made; also where it only may have been too many, unless any
   * end will do. @throws Unreached when it does not come
   */
  async #await<T>(
    within: number,
    what: string,
    find: (call: CallView, t: Transcript) => T | undefined,
    inDoubt = true,
  ): Promise<T> {
    for (;;) {
      const found = await this.#once(within, what, (call, t) =>
        this.#wasTooMany(t, inDoubt && this.#mayDoubt(t)) ? tooMany : find(call, t),
      )
      if (found !== tooMany) {
        this.#noteRenewal()
        return found
      }
      await this.awaitAck()
      if (!(await this.#renew())) throw new Unreached(askedTooMuch)
    }
  }

  async #once<T>(
    within: number,
    what: string,
    find: (call: CallView, t: Transcript) => T | undefined,
  ): Promise<T> {
    const { recorder, run, deployment, lendSlot } = this.#parts
    const { gone } = deployment.implementation
    const look = (t: Transcript): T | undefined => find(callOf(t, this.name), t)
    const found = await lendSlot(recorder.waitFor(look, within, run.signal, gone))
    if (found !== undefined) return found
    if (gone.aborted) {
      const reason = String(gone.reason)
      recorder.record({ type: 'step', action: 'gone', call: this.name, detail: { reason } })
      throw new Unreached(`the implementation is no longer running: ${reason}`)
    }
    recorder.record({ type: 'step', action: 'gave-up', call: this.name, detail: { what, within } })
    throw new Unreached(`${what} for ${this.name} within ${within} ms`)
  }
}

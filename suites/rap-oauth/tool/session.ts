/** The verbs that a scenario speaks: the runtime's side of RAP, and the user at the provider. */

import {
  NotOffered,
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../harness/engine/index.ts'
import {
  HttpFailure,
  type CallbackReceiver,
  type ReplyPlan,
  type Deployment,
} from '../../../harness/parties/index.ts'
import { isLoopback } from '../../../harness/parties/user/loopback-origins.ts'
import type { PendingCall } from '../../oauth-client/pending-call.ts'
import { noteTokenUse, type User } from '../../oauth-client/user.ts'
import { askedTooMuch } from '../../oauth-client/view.ts'
import type { Invocation } from '../messages.ts'
import { answeringChoices, type Choice } from './choices.ts'
import type { ToolConfiguration } from './configuration.ts'
import type { Endpoint } from './discovery.ts'
import { misfit } from './misfit.ts'
import type { Pace } from './pace.ts'
import { postInvocation } from './post-invocation.ts'
import { Turn } from './turn.ts'
import { cancellationPath } from './vocabulary.ts'
import {
  callOf,
  mayBeTooMany,
  saysTooMany,
  wasRefused,
  wasTooMany,
  type CallView,
  type Message,
} from './view.ts'

const tooMany = Symbol('too many')

/** Fields of an invocation that a scenario sets; `undefined` leaves the field out. */
export interface InvokeOptions {
  readonly as?: User
  readonly userId?: string | null | undefined
  readonly callId?: string | null | undefined
  readonly id?: string
  readonly groupId?: string
  /** The turn that the call is part of: gives it its thread and its callback URL. */
  readonly turn?: Turn
  readonly operation?: string
  readonly arguments?: Readonly<Record<string, unknown>>
  /** How the callback receiver answers. */
  readonly reply?: ReplyPlan
  /** Takes the callbacks of this call; default: the receiver of the deployment. */
  readonly receiver?: CallbackReceiver
}

interface ToolParts {
  readonly recorder: Recorder
  readonly deployment: Deployment
  readonly endpoint: Endpoint
  readonly run: Run
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  readonly configuration: ToolConfiguration
  readonly patience: Patience
  readonly pace: Pace
}

/** The tool under test, as a runtime sees it. */
export class Tool {
  readonly #parts: ToolParts
  #calls = 0

  constructor(parts: ToolParts) {
    this.#parts = parts
  }

  /** Sends an invocation and goes on without waiting for the acknowledgement. */
  invoke(options: InvokeOptions = {}): Call {
    const { deployment, endpoint, recorder, run } = this.#parts
    if (endpoint.problem) throw new Unreached(endpoint.problem)
    this.#calls += 1
    const name = `call-${this.#calls}`
    const receiver = options.receiver ?? deployment.receiver
    const userId = 'userId' in options ? options.userId : options.as?.id
    const { turn } = options
    const groupId = turn?.groupId ?? options.groupId ?? run.newName('thread')
    const reply = answeringChoices(
      unlessTooMany(options.reply ?? (() => 200)),
      (choice) => void this.#choose(name, choice),
    )
    const message = (): Invocation => {
      const id = options.id ?? run.newName('call')
      const shared = turn?.join(name, id, (callOf) =>
        receiver.open({ recorder, call: name, reply, callOf }),
      )
      const callId = 'callId' in options ? options.callId : run.newName('secondary')
      return {
        operation: options.operation ?? endpoint.operation,
        arguments: options.arguments ?? endpoint.arguments,
        id,
        ...(callId === undefined ? {} : { call_id: callId }),
        callback_url: shared ?? receiver.open({ recorder, call: name, reply }).url,
        group_id: groupId,
        ...(turn ? { thread_ancestors: turn.ancestors } : {}),
        ...(userId === undefined ? {} : { user_id: userId }),
      }
    }
    return new Call(name, groupId, message, this.#parts)
  }

  /** Answers a question of the tool once it has arrived, as the runtime does for its user; at the tool, and nowhere else. */
  async #choose(call: string, { url, body, question }: Choice): Promise<void> {
    const { deployment, recorder, run } = this.#parts
    const { gone } = deployment.implementation
    const isTaken = (t: Transcript): unknown =>
      t
        .requests('callback', call)
        .find((each) => each.body?.text === question.text && t.answer(each))
    await recorder.waitFor(isTaken, run.timing.stepMs, run.signal, gone)
    recorder.record({ type: 'step', action: 'choose', call, detail: { url, body } })
    const { origin, pathname, search } = new URL(url)
    const reached = deployment.origins.get(origin) ?? (isLoopback(origin) ? origin : undefined)
    if (reached === undefined) return
    const at = reached + pathname + search
    const channel = 'notification'
    await postInvocation(call, body, 'application/json', at, { deployment, recorder, run, channel })
  }

  /** A turn in which a model calls more than once. */
  newTurn(): Turn {
    return new Turn(this.#parts.run)
  }

  /** Arguments that its operation does not allow. @throws NotOffered where it allows any */
  misfit(): Readonly<Record<string, unknown>> {
    const { endpoint } = this.#parts
    const found = misfit(endpoint.inputSchema, endpoint.arguments)
    if (found) return found
    throw new NotOffered('the inputSchema of the operation allows any object')
  }

  /** Sends arbitrary bytes to the invocation endpoint. */
  async send(
    name: string,
    body: string | Buffer,
    contentType = 'application/json',
  ): Promise<number | undefined> {
    const { endpoint, deployment, run, recorder } = this.#parts
    if (endpoint.problem) throw new Unreached(endpoint.problem)
    return postInvocation(name, body, contentType, endpoint.url, { deployment, run, recorder })
  }

  /** Fetches the discovery document, recorded. */
  async discover(path: string): Promise<void> {
    const { deployment, run, recorder } = this.#parts
    const url = deployment.implementation.url + path
    const exchange = recorder.newExchange()
    const place = { channel: 'discovery', exchange } as const
    const headers = { accept: 'application/json', ...deployment.implementation.headers }
    recorder.record({ type: 'request', ...place, method: 'GET', url, headers })
    try {
      const answer = await deployment.transport({
        method: 'GET',
        url,
        headers,
        within: run.timing.stepMs,
        signal: run.signal,
      })
      recorder.record({ type: 'response', ...place, ...answer })
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
    }
  }

  /** Notifies it that a call was cancelled that shares only the thread, or only the id, with this one; gives the status. */
  async notifyCancelled({ name }: Call, shared: 'thread' | 'id'): Promise<number | undefined> {
    const { deployment, run, recorder } = this.#parts
    const { id, group_id } = callOf(recorder.transcript(), name).sent
    const url = `${deployment.implementation.url}${cancellationPath}`
    const body = JSON.stringify({
      thread_id: shared === 'thread' ? group_id : run.newName('thread'),
      tool_call_id: shared === 'id' ? id : run.newName('call'),
    })
    const channel = 'notification'
    return postInvocation('', body, 'application/json', url, { deployment, run, recorder, channel })
  }

  /** Lets a callback receiver answer what it has held back. */
  releaseCallbacks(receiver: CallbackReceiver): void {
    this.#parts.recorder.record({ type: 'step', action: 'release', detail: { what: 'callbacks' } })
    receiver.release()
  }

  /** Lets everything that the provider holds back on issuer level go. */
  release(): void {
    this.#parts.recorder.record({ type: 'step', action: 'release', detail: {} })
    this.#parts.deployment.release()
  }
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
  #isRenewed = false
  /** How often it may still be made once more where it is not known that it was too many. */
  #doubts: number

  constructor(name: string, groupId: string, message: () => Invocation, parts: ToolParts) {
    this.name = name
    this.groupId = groupId
    this.#message = message
    this.#parts = parts
    this.#doubts = parts.pace.isFirst() ? 0 : 2
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
      const isKnown = wasTooMany(callOf(recorder.transcript(), this.name))
      const detail = isKnown ? {} : { mayBe: true }
      recorder.record({ type: 'step', action: 'too-many', call: this.name, detail })
      if (!isKnown) this.#doubts -= 1
      else if (this.#isRenewed) pace.note(true)
      const turn = await pace.turn(run.signal)
      if (!turn) this.#doubts = 0
      this.#isRenewed = true
      if (turn && this.#wasTooMany(recorder.transcript(), true)) this.#send()
      return turn || !isKnown
    })().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  #wasTooMany(t: Transcript, isInDoubt = this.#doubts > 0): boolean {
    const call = callOf(t, this.name)
    return wasTooMany(call) || (isInDoubt && mayBeTooMany(t, call))
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

  /** Whether a message of this type has arrived. */
  hasMessage(type: 'oauth' | 'tool_result'): boolean {
    const { messages } = callOf(this.#parts.recorder.transcript(), this.name)
    return messages.some((message) => message.type === type)
  }

  /** Waits likewise for an answer, or for a 4xx status of the invocation, which refuses it. */
  async awaitAnswer(): Promise<void> {
    const { offSlot, run } = this.#parts
    await offSlot(
      this.#await(
        run.timing.maxWaitMs,
        'neither a message nor a refusal',
        (call) => call.answers.length > 0 || wasRefused(call) || undefined,
      ),
    )
  }

  async waitUntil(
    what: string,
    find: (call: CallView, t: Transcript) => unknown,
    within = this.#parts.run.timing.stepMs,
  ): Promise<void> {
    await this.#await(within, what, (call, t) => find(call, t) || undefined)
  }

  /** Waits for something of the call, however often it has to be made. @throws Unreached when it does not come */
  async #await<T>(
    within: number,
    what: string,
    find: (call: CallView, t: Transcript) => T | undefined,
  ): Promise<T> {
    for (;;) {
      const found = await this.#once(within, what, (call, t) =>
        this.#wasTooMany(t) ? tooMany : find(call, t),
      )
      if (found !== tooMany) {
        if (this.#isRenewed) this.#parts.pace.note(false)
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

/** That too much is asked at once is told by a message for which nobody has made a plan. */
function unlessTooMany(plan: ReplyPlan): ReplyPlan {
  return (body, nth) => (saysTooMany(body) ? 200 : plan(body, nth))
}

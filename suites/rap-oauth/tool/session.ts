/** The verbs that a scenario speaks: the runtime's side of RAP, and the user at the provider. */

import { NotOffered, Unreached } from '../../../harness/engine/index.ts'
import {
  HttpFailure,
  type CallbackReceiver,
  type ReplyPlan,
} from '../../../harness/parties/index.ts'
import { isLoopback } from '../../../harness/parties/user/loopback-origins.ts'
import type { User } from '../../oauth-client/user.ts'
import type { Invocation } from '../messages.ts'
import { Call, type ToolParts } from './call.ts'
import { answeringChoices, type Choice } from './choices.ts'
import { misfit } from './misfit.ts'
import { postInvocation } from './post-invocation.ts'
import { Turn } from './turn.ts'
import { cancellationPath } from './vocabulary.ts'
import { callOf, saysTooMany } from './view.ts'

/** Fields of an invocation that a scenario sets; `undefined` leaves the field out. */
export interface InvokeOptions {
  readonly as?: User
  readonly userId?: string | null | undefined
  readonly callId?: string | null | undefined
  /** Its id; one that is given, and not made anew each time, lets the call be made only once. */
  readonly id?: string | (() => string)
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
      (choice) => void this.#choose(choice),
    )
    const message = (): Invocation => {
      const id =
        typeof options.id === 'function' ? options.id() : (options.id ?? run.newName('call'))
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
    return new Call(name, groupId, message, this.#parts, typeof options.id !== 'string')
  }

  /** Answers a question of the tool once it has arrived, as the runtime does for its user; at the tool, and nowhere else. */
  async #choose({ url, body, question }: Choice): Promise<void> {
    const { deployment, recorder, run } = this.#parts
    const { gone } = deployment.implementation
    const taken = await recorder.waitFor(
      (t) =>
        t.requests('callback').find((each) => each.body?.text === question.text && t.answer(each)),
      run.timing.stepMs,
      run.signal,
      gone,
    )
    const call = taken?.call ?? ''
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

  /** The name of the operation that is called. */
  get operation(): string {
    return this.#parts.endpoint.operation
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

/** That too much is asked at once is told by a message for which nobody has made a plan. */
function unlessTooMany(plan: ReplyPlan): ReplyPlan {
  return (body, nth) => (saysTooMany(body) ? 200 : plan(body, nth))
}

/** The verbs of a conversation: what its user says and does. */

import type { Transcript } from '../../../harness/engine/index.ts'
import type { Scope } from './attribution.ts'
import { Call } from './call.ts'
import type { Talk } from './instance.ts'
import type { Plan } from './model-script.ts'
import { firstGiven, givenIn, type Given } from './model-input.ts'
import type { SessionParts } from './session-parts.ts'
import { speak } from './speak.ts'
import type { InvocationScope } from './toolset-server.ts'
import { turnsOf } from './side-requests.ts'
import { toolNames } from './vocabulary.ts'
import { expectThat } from './waiting.ts'

export interface AskOptions
  extends Omit<Plan, 'calls'>, Pick<InvocationScope, 'acknowledge' | 'notified'> {
  readonly tool?: (typeof toolNames)[number]
  /** An earlier call of the conversation, the very same that the model wants once more. */
  readonly like?: Call
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
    const { tool = toolNames[0], like, acknowledge, notified, ...plan } = options
    const planned = Array.from({ length: count }, () => {
      const call = this.#calls.next()
      const scope: Scope = { recorder, call, conversation: this.conversation }
      const reference = like?.reference ?? attribution.issue('ref', scope)
      attribution.bind(reference, scope)
      expect(reference, { recorder, call, acknowledge, notified })
      return { call, scope, reference, tool }
    })
    const [first] = planned
    if (!first) return []
    const { conversation, user } = this
    const said = like ? attribution.issue('ref', { recorder, conversation }) : first.reference
    script.plan(said, { ...plan, calls: planned })
    const text = `Please list what I have, reference ${said}.`
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
    return speak(this, this.#parts, plan)
  }

  /** Waits until the model was asked with this token in the request. */
  async awaitModel(token: string, what = 'no request to the model'): Promise<void> {
    const look = (t: Transcript): Given | undefined => firstGiven(t, token)
    await expectThat(this.#parts, 'call-1', { what, look })
  }

  /** Waits likewise for a request that carries the conversation on, and is none for a title or a summary. */
  async awaitTurn(token: string): Promise<void> {
    const look = (t: Transcript) => turnsOf(t).find((asked) => givenIn(asked, token).length > 0)
    await expectThat(this.#parts, 'call-1', { what: 'no request to the model with tools', look })
  }

  /** Whether the model is asked with this token within so many milliseconds. */
  async isHeard(token: string, within: number): Promise<boolean> {
    const { recorder, run, instance, lendSlot } = this.#parts
    const look = (t: Transcript): Given | undefined => firstGiven(t, token)
    const hearing = recorder.waitFor(look, within, run.signal, instance.gone)
    return (await lendSlot(hearing)) !== undefined
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

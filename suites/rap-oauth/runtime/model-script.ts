/** The script of the model: asks for the tools that a user's message plans, once, and otherwise says a word. */

import type { Recorder, SecretLedger } from '../../../harness/engine/index.ts'
import type {
  Decide,
  ModelEvent,
  ModelMessage,
  ModelReply,
  ModelRequest,
} from '../../../harness/parties/index.ts'
import { tokensIn, type Attribution, type Scope } from './attribution.ts'
import { addsInstruction } from './side-requests.ts'

/** What the model does when it reads the message with a reference. */
export interface Plan {
  /** The tools that it asks for at once, each with a reference in its arguments. */
  readonly calls?: readonly { readonly tool: string; readonly reference: string }[] | undefined
  /** What it writes into the arguments of each beside the reference. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** Its answers wait for this. */
  readonly delayUntil?: Promise<unknown> | undefined
  /** Its answers to the results of the tools wait for this. */
  readonly thenUntil?: Promise<unknown> | undefined
}

export class ModelScript {
  readonly #attribution: Attribution
  readonly #log: Recorder
  readonly #ledger: SecretLedger
  readonly #plans = new Map<string, Plan>()
  /** The messages with which a plan was last carried out. */
  readonly #asked = new Map<string, readonly ModelMessage[]>()
  /** Whether any request has offered tools. */
  #offers = false
  /** How many of its calls were asked for. */
  readonly #given = new Map<string, number>()
  readonly #exchanges = new Map<string, { place: Place; recorder: Recorder; scope?: Scope }>()

  constructor(attribution: Attribution, log: Recorder, ledger: SecretLedger) {
    this.#attribution = attribution
    this.#log = log
    this.#ledger = ledger
  }

  plan(reference: string, plan: Plan): void {
    this.#plans.set(reference, plan)
  }

  readonly decide: Decide = (request): ModelReply => {
    const reference = this.#newestReference(request)
    const plan = reference === undefined ? undefined : this.#plans.get(reference)
    this.#offers ||= request.tools.length > 0
    // Where turns offer tools, what offers none is asked beside them: whether words are harmless, or for a title.
    const isTurn = request.tools.length > 0 || !this.#offers
    const delay = plan?.delayUntil && isTurn ? { delayUntil: plan.delayUntil } : {}
    const before = reference === undefined ? undefined : this.#asked.get(reference)
    // What was asked for beside the turn, before it, leads to no call.
    const isOpen = !before || addsInstruction(request.messages, before)
    if (plan?.calls && reference !== undefined) {
      const given = isOpen ? 0 : (this.#given.get(reference) ?? 0)
      const wanted = isOpen || this.#areAnswered(plan.calls.slice(0, given), request)
      const next = wanted
        ? plan.calls.slice(given, oneAtATime(request) ? given + 1 : undefined)
        : []
      // A runtime may prefix names; and it may ask for a title or a summary without offering tools.
      const toolCalls = next.flatMap(({ tool, reference }) => {
        const offered = request.tools.find(({ name }) => name.includes(tool))
        return offered ? [{ name: offered.name, arguments: { reference, ...plan.details } }] : []
      })
      if (toolCalls.length > 0) {
        this.#asked.set(reference, request.messages)
        this.#given.set(reference, given + toolCalls.length)
        return { toolCalls, ...delay }
      }
    }
    const later = plan?.thenUntil && isTurn ? { delayUntil: plan.thenUntil } : delay
    return { text: 'Noted.', ...later }
  }

  /** Whether each of these calls, of which there is one, has a result in the conversation. */
  #areAnswered(calls: NonNullable<Plan['calls']>, { messages }: ModelRequest): boolean {
    const results = messages.flatMap(({ toolResults = [] }) => toolResults)
    const answered = results.map(({ callId }) => this.#attribution.scopeOf(callId))
    const wanted = calls.map(({ reference }) => this.#attribution.scopeOf(reference))
    return calls.length > 0 && wanted.every((scope) => scope && answered.includes(scope))
  }

  /** Writes an exchange into the recording of the scenario whose conversation it is. */
  readonly record = (event: ModelEvent): void => {
    if (event.type === 'request') this.#recordRequest(event)
    else this.#recordAnswer(event)
  }

  #recordRequest(event: ModelEvent & { type: 'request' }): void {
    for (const { kind, value } of event.secrets) this.#ledger.add(kind, value)
    const scope = event.request
      ? this.#newestScope(event.request)
      : this.#attribution.scopesIn(event.body.text).at(-1)
    const recorder = scope && !scope.recorder.ended ? scope.recorder : this.#log
    const place: Place = {
      channel: 'model',
      exchange: recorder.newExchange(),
      ...(scope?.call ? { call: scope.call } : {}),
    }
    this.#exchanges.set(event.exchange, { place, recorder, ...(scope ? { scope } : {}) })
    const { method, url, headers, body } = event
    if (event.request) {
      const { api, stream, system = '', messages, tools, images } = event.request
      const detail = {
        exchange: place.exchange,
        ...(scope?.conversation ? { conversation: scope.conversation } : {}),
        api,
        stream,
        system,
        messages,
        tools: tools.map(({ name }) => name),
        images,
      }
      recorder.record({ type: 'step', action: 'model-asked', ...callOf(scope), detail })
    }
    recorder.record({ type: 'request', ...place, method, url, headers, body })
  }

  #recordAnswer(event: ModelEvent & { type: 'response' | 'failure' }): void {
    const known = this.#exchanges.get(event.exchange)
    if (!known) return
    const { place, recorder, scope } = known
    if (event.type === 'failure') {
      const { code, message } = event
      recorder.record({ type: 'failure', ...place, code, message })
      return
    }
    for (const { id, name, arguments: given } of event.toolCalls) {
      const reference = String(given['reference'])
      const own = this.#attribution.scopeOf(reference) ?? scope
      if (!own) continue
      this.#attribution.bind(id, own)
      const detail = { id, name, arguments: given }
      recorder.record({ type: 'step', action: 'model-called', ...callOf(own), detail })
    }
    const { status, headers, body } = event
    recorder.record({ type: 'response', ...place, status, headers, body })
  }

  /** The last reference of a user's message that was planned. */
  #newestReference({ messages }: ModelRequest): string | undefined {
    for (const { role, text } of messages.toReversed()) {
      if (role !== 'user') continue
      const known = tokensIn(text).findLast((token) => this.#plans.has(token))
      if (known !== undefined) return known
    }
    return undefined
  }

  /**
   * The conversation in which its user spoke last: what else stands there may have come from another one. Where the
   * user's words are left out, that of the newest message that names one; a message that was forged names none.
   */
  #newestScope(request: ModelRequest): Scope | undefined {
    const said = this.#newestReference(request)
    if (said !== undefined) return this.#attribution.scopeOf(said)
    const scopes = request.messages.toReversed().flatMap((message) => this.#scopesOf(message))
    return scopes.find(({ conversation }) => conversation !== undefined) ?? scopes[0]
  }

  #scopesOf({ text, toolCalls = [], toolResults = [] }: ModelMessage): Scope[] {
    const names = [
      ...tokensIn(text).toReversed(),
      ...toolResults.map(({ callId }) => callId),
      ...toolCalls.map(({ id }) => id),
    ]
    return names
      .map((name) => this.#attribution.scopeOf(name))
      .filter((scope) => scope !== undefined)
  }
}

/** Who forbids parallel calls is given one, and the next one with its result (`parallel_tool_calls`, `tool_choice`). */
function oneAtATime({ raw }: ModelRequest): boolean {
  const { parallel_tool_calls: parallel, tool_choice: choice } = raw
  const isDisabled =
    typeof choice === 'object' &&
    choice !== null &&
    'disable_parallel_tool_use' in choice &&
    choice.disable_parallel_tool_use === true
  return parallel === false || isDisabled
}

interface Place {
  readonly channel: 'model'
  readonly exchange: string
  readonly call?: string
}

function callOf(scope: Scope | undefined): { readonly call?: string } {
  return scope?.call ? { call: scope.call } : {}
}

/** The script of the model: asks for the tools that a user's message plans, once, and otherwise says a word. */

import type { Decide, ModelEvent, ModelRequest } from '../../mock-model/index.ts'
import type { Recorder } from '../engine/recording/recorder.ts'
import type { Run } from '../engine/run.ts'

/** A tool that the model is to ask for. */
export interface PlannedTool {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What a message of a user has the model do, and for which call of which scenario. */
export interface Plan {
  readonly recorder: Recorder
  readonly call: string
  /** The tools that it asks for at once. */
  readonly tools: readonly PlannedTool[]
}

interface Insistence {
  readonly isDone: (request: ModelRequest) => boolean
  left: number
}

/** Most requests of one insistence that are answered by calls: a loop must end. */
const mostRepeated = 6

const references = /ref-[0-9a-f]{16,}/g

/** Decides what the model answers, by what the user has said, and writes its exchanges into recordings. */
export class ModelScript {
  readonly #run: Run
  readonly #plans = new Map<string, Plan>()
  readonly #asked = new Set<string>()
  readonly #insisting = new Map<string, Insistence>()
  readonly #exchanges = new Map<string, { readonly exchange: string; readonly plan?: Plan }>()

  constructor(run: Run) {
    this.#run = run
  }

  plan(reference: string, plan: Plan): void {
    this.#plans.set(reference, plan)
  }

  /** From now on it asks again for the tools of the plan, at most so often, unless it sees that it need not. */
  insist(reference: string, isDone: Insistence['isDone']): void {
    this.#insisting.set(reference, { isDone, left: mostRepeated })
  }

  readonly decide: Decide = (request) => {
    const reference = this.#newest(request)
    const plan = reference === undefined ? undefined : this.#plans.get(reference)
    if (reference !== undefined && plan && this.#isToCall(reference, request)) {
      // An agent may prefix names, and ask for a title or a summary without offering tools.
      const toolCalls = plan.tools.flatMap((tool) => {
        const offered =
          request.tools.find(({ name }) => name === tool.name) ??
          request.tools.find(({ name }) => name.endsWith(tool.name))
        return offered ? [{ name: offered.name, arguments: tool.arguments }] : []
      })
      if (toolCalls.length > 0) {
        this.#asked.add(reference)
        return { toolCalls }
      }
    }
    return { text: 'Noted.' }
  }

  /** Writes an exchange into the recording of the scenario whose user spoke last in it. */
  readonly record = (event: ModelEvent): void => {
    if (event.type === 'request') {
      for (const { kind, value } of event.secrets) this.#run.ledger.add(kind, value)
    }
    const known = this.#exchanges.get(event.exchange)
    const plan = event.type === 'request' ? this.#planOf(event) : known?.plan
    const recorder = plan && !plan.recorder.ended ? plan.recorder : this.#run.log
    const exchange = known?.exchange ?? recorder.newExchange()
    this.#exchanges.set(event.exchange, { exchange, ...(plan ? { plan } : {}) })
    const call = plan ? { call: plan.call } : {}
    const place = { channel: 'model', exchange, ...call } as const
    switch (event.type) {
      case 'request': {
        const { method, url, headers, body } = event
        recorder.record({ type: 'request', ...place, method, url, headers, body })
        if (!event.request) return
        const { messages, tools, stream, api } = event.request
        const detail = { exchange, api, stream, messages, tools: tools.map(({ name }) => name) }
        recorder.record({ type: 'step', action: 'model-asked', ...call, detail })
        return
      }
      case 'response': {
        for (const { id, name } of event.toolCalls) {
          const detail = { id, name, exchange }
          recorder.record({ type: 'step', action: 'model-called', ...call, detail })
        }
        const { status, headers, body } = event
        recorder.record({ type: 'response', ...place, status, headers, body })
        return
      }
      case 'failure':
        recorder.record({ type: 'failure', ...place, code: event.code, message: event.message })
    }
  }

  #isToCall(reference: string, request: ModelRequest): boolean {
    if (!this.#asked.has(reference)) return true
    const insistence = this.#insisting.get(reference)
    if (!insistence || insistence.left === 0 || insistence.isDone(request)) return false
    insistence.left -= 1
    return true
  }

  #planOf({ request, body }: ModelEvent & { type: 'request' }): Plan | undefined {
    const reference = request ? this.#newest(request) : body.text.match(references)?.at(-1)
    return reference === undefined ? undefined : this.#plans.get(reference)
  }

  /** The newest reference of a user's message. */
  #newest({ messages }: ModelRequest): string | undefined {
    for (const { role, text } of messages.toReversed()) {
      if (role !== 'user') continue
      const known = text.match(references)?.findLast((each) => this.#plans.has(each))
      if (known !== undefined) return known
    }
    return undefined
  }
}

/** The events of a recording in their order, and where those stand that a question asks for. */

import type { RecordedEvent } from './event.ts'

/** What a question may be about, for example a step by name and call; an event may be under several. */
export type Topic = string

/** Events are only ever added, so that one log serves the transcripts of all its moments. */
export class EventLog {
  readonly #events: RecordedEvent[]
  readonly #places = new Map<Topic, number[]>()
  #indexed = 0

  constructor(events: readonly RecordedEvent[] = []) {
    this.#events = [...events]
  }

  get events(): readonly RecordedEvent[] {
    return this.#events
  }

  add(event: RecordedEvent): void {
    this.#events.push(event)
  }

  /** The events under a topic among the first `length`. */
  under(topic: Topic, length: number): RecordedEvent[] {
    this.#index()
    const places = this.#places.get(topic) ?? []
    const within = (places.at(-1) ?? -1) < length ? places : places.slice(0, below(places, length))
    return within.map((place) => this.#events[place]!)
  }

  /** Many transcripts are never asked anything, so this is done as late as possible. */
  #index(): void {
    for (; this.#indexed < this.#events.length; this.#indexed += 1) {
      for (const topic of topicsOf(this.#events[this.#indexed]!)) {
        const places = this.#places.get(topic)
        if (places) places.push(this.#indexed)
        else this.#places.set(topic, [this.#indexed])
      }
    }
  }
}

/** Everything: the topic of questions that name none. */
export const anything: Topic = '*'

export const topics = {
  request: (channel: string, call?: string): Topic => named('request', channel, call),
  answer: (scenario: string, exchange: string): Topic => named('answer', scenario, exchange),
  step: (action: string, call?: string): Topic => named('step', action, call),
  provider: (event: string, call?: string): Topic => named('provider', event, call),
  output: 'output',
  surface: 'surface',
  end: (scenario?: string): Topic => named('end', scenario),
} as const

function named(...words: readonly (string | undefined)[]): Topic {
  return words.filter(Boolean).join('\n')
}

/** Under which topics an event is found. */
export function topicsOf(event: RecordedEvent): Topic[] {
  const { call, scenario } = event
  const both = (topic: (name: string, call?: string) => Topic, name: string): Topic[] =>
    call === undefined ? [topic(name)] : [topic(name), topic(name, call)]
  switch (event.type) {
    case 'request':
      return both(topics.request, event.channel)
    case 'response':
    case 'failure':
      return [topics.answer(scenario, event.exchange)]
    case 'step':
      return both(topics.step, event.action)
    case 'provider':
      return both(topics.provider, event.event)
    case 'end':
      return [topics.end(), topics.end(scenario)]
    default:
      return [topics[event.type]]
  }
}

/** How many numbers of an ascending list are below the limit. */
function below(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

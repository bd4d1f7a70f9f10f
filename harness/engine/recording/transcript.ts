/** The recording of one scenario, and the questions that checks ask of it. */

import { jsonIn } from '../json.ts'
import type { Evidence } from '../judging/verdict.ts'
import { anything, EventLog, topics, type Topic } from './event-log.ts'
import type {
  Body,
  Channel,
  EndEvent,
  FailureEvent,
  OutputEvent,
  ProviderRecord,
  Recorded,
  RecordedEvent,
  RequestEvent,
  ResponseEvent,
  StepEvent,
  SurfaceEvent,
} from './event.ts'

/** How an exchange ended; `undefined` while it is still open. */
export type Answer = Recorded<ResponseEvent> | Recorded<FailureEvent> | undefined

/** The events of a scenario in their order, and questions about them. */
export class Transcript {
  readonly #log: EventLog
  readonly #length: number
  readonly #asked: ((topic: Topic) => void) | undefined
  #events: readonly RecordedEvent[] | undefined

  constructor(events: readonly RecordedEvent[] | LogSoFar) {
    if ('log' in events) {
      this.#log = events.log
      this.#length = events.log.events.length
      this.#asked = events.asked
    } else {
      this.#log = new EventLog(events)
      this.#length = events.length
    }
  }

  /** The events of several transcripts as one, in the order in which they happened. */
  static merge(transcripts: readonly Transcript[]): Transcript {
    const events = transcripts.flatMap((transcript) => transcript.events)
    return new Transcript(events.sort((a, b) => a.t - b.t || a.seq - b.seq))
  }

  get events(): readonly RecordedEvent[] {
    this.#asked?.(anything)
    this.#events ??= this.#log.events.slice(0, this.#length)
    return this.#events
  }

  /** The events of one of several merged scenarios. */
  of(scenario: string): Transcript {
    return new Transcript(this.events.filter((event) => event.scenario === scenario))
  }

  requests(channel: Channel, call?: string): Recorded<RequestEvent>[] {
    return this.#under(topics.request(channel, call))
  }

  answer({ scenario, exchange }: Recorded<RequestEvent>): Answer {
    return this.#under<Exclude<Answer, undefined>>(topics.answer(scenario, exchange)).at(-1)
  }

  steps(action: string, call?: string): Recorded<StepEvent>[] {
    return this.#under(topics.step(action, call))
  }

  provider(event: string, call?: string): Recorded<ProviderRecord>[] {
    return this.#under(topics.provider(event, call))
  }

  outputs(): Recorded<OutputEvent>[] {
    return this.#under(topics.output)
  }

  /** What the user was shown. */
  surfaces(): Recorded<SurfaceEvent>[] {
    return this.#under(topics.surface)
  }

  /** How the drive ended; `undefined` if the recording stops before. */
  get end(): EndEvent | undefined {
    return this.#under<Recorded<EndEvent>>(topics.end()).at(-1)
  }

  /** How the drive of one of several merged scenarios ended. */
  endOf(scenario: string): EndEvent | undefined {
    return this.#under<Recorded<EndEvent>>(topics.end(scenario)).at(-1)
  }

  /** Under each topic stand events of one kind only. */
  #under<E extends RecordedEvent>(topic: Topic): E[] {
    this.#asked?.(topic)
    return this.#log.under(topic, this.#length) as E[]
  }
}

/** A recording that goes on: a transcript of it holds what is there now. */
export interface LogSoFar {
  readonly log: EventLog
  /** Told what the transcript is asked for. */
  readonly asked?: (topic: Topic) => void
}

/** Points findings at events. */
export function cite(...events: (RecordedEvent | undefined)[]): Evidence[] {
  return events
    .filter((event) => event !== undefined)
    .map((event) => ({ scenario: event.scenario, seq: event.seq }))
}

/** The JSON value of a body; `undefined` when there is none, it is not JSON, or it is nested too deeply to be walked. */
export function jsonOf(body: Body | undefined): unknown {
  if (!body || body.truncated) return undefined
  if (!parsed.has(body)) parsed.set(body, jsonIn(body.text))
  return parsed.get(body)
}

/** Many questions are asked of one recording, and an event never changes. */
const parsed = new WeakMap<Body, unknown>()

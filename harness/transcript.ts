/** The recording of one scenario, and the questions that checks ask of it. */

import type { Evidence } from './verdict.ts'
import type {
  Body,
  Channel,
  EndEvent,
  Event,
  FailureEvent,
  OutputEvent,
  ProviderRecord,
  RequestEvent,
  ResponseEvent,
  StepEvent,
  SurfaceEvent,
} from './event.ts'

/** An event together with the scenario in whose transcript it stands. */
export type RecordedEvent = Event & { readonly scenario: string }
export type Recorded<E extends Event> = E & { readonly scenario: string }

/** How an exchange ended; `undefined` while it is still open. */
export type Answer = Recorded<ResponseEvent> | Recorded<FailureEvent> | undefined

export class Transcript {
  readonly events: readonly RecordedEvent[]
  readonly #answers = new Map<string, Recorded<ResponseEvent> | Recorded<FailureEvent>>()

  constructor(events: readonly RecordedEvent[]) {
    this.events = events
    for (const event of events) {
      if (event.type === 'response' || event.type === 'failure') {
        this.#answers.set(`${event.scenario} ${event.exchange}`, event)
      }
    }
  }

  /** The events of several transcripts as one, in the order in which they happened. */
  static merge(transcripts: readonly Transcript[]): Transcript {
    const events = transcripts.flatMap((transcript) => transcript.events)
    return new Transcript(events.sort((a, b) => a.t - b.t || a.seq - b.seq))
  }

  /** The events of one of several merged scenarios. */
  of(scenario: string): Transcript {
    return new Transcript(this.events.filter((event) => event.scenario === scenario))
  }

  requests(channel: Channel, call?: string): Recorded<RequestEvent>[] {
    return this.events.filter(
      (event): event is Recorded<RequestEvent> =>
        event.type === 'request' && event.channel === channel && (!call || event.call === call),
    )
  }

  answer(request: Recorded<RequestEvent>): Answer {
    return this.#answers.get(`${request.scenario} ${request.exchange}`)
  }

  steps(action: string, call?: string): Recorded<StepEvent>[] {
    return this.events.filter(
      (event): event is Recorded<StepEvent> =>
        event.type === 'step' && event.action === action && (!call || event.call === call),
    )
  }

  provider(event: string, call?: string): Recorded<ProviderRecord>[] {
    return this.events.filter(
      (each): each is Recorded<ProviderRecord> =>
        each.type === 'provider' && each.event === event && (!call || each.call === call),
    )
  }

  outputs(): Recorded<OutputEvent>[] {
    return this.events.filter((event): event is Recorded<OutputEvent> => event.type === 'output')
  }

  /** What the user was shown. */
  surfaces(): Recorded<SurfaceEvent>[] {
    return this.events.filter((event): event is Recorded<SurfaceEvent> => event.type === 'surface')
  }

  /** How the drive ended; `undefined` if the recording stops before. */
  get end(): EndEvent | undefined {
    return this.events.findLast((event): event is Recorded<EndEvent> => event.type === 'end')
  }

  /** How the drive of one of several merged scenarios ended. */
  endOf(scenario: string): EndEvent | undefined {
    return this.events.findLast(
      (event): event is Recorded<EndEvent> => event.type === 'end' && event.scenario === scenario,
    )
  }
}

/** Points findings at events. */
export function cite(...events: (RecordedEvent | undefined)[]): Evidence[] {
  return events
    .filter((event) => event !== undefined)
    .map((event) => ({ scenario: event.scenario, seq: event.seq }))
}

/** The JSON value of a body; `undefined` when there is none or it is not JSON. */
export function jsonOf(body: Body | undefined): unknown {
  if (!body || body.truncated) return undefined
  if (!parsed.has(body)) parsed.set(body, parse(body.text))
  return parsed.get(body)
}

/** Many questions are asked of one recording, and an event never changes. */
const parsed = new WeakMap<Body, unknown>()

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Puts recordings of shards one after the other, as if they had been made in one run. */

import {
  Transcript,
  transcriptVersion,
  type EndEvent,
  type RecordedEvent,
} from '../../harness/engine/index.ts'
import { mapStrings } from '../views/map-strings.ts'

/** Where one shard begins in the joined run. */
export interface Place {
  /** Counted from 0. */
  readonly shard: number
  /** Milliseconds since the beginning of the joined run. */
  readonly begins: number
}

/** Ledgers of two runs give the same ids to different secrets; so many numbers are left for each. */
const secretsOfOneShard = 1_000_000
const secretId = /\b([a-z]+(?:_[a-z]+)*)-(\d+)\b/

/** The recording of a scenario, moved to the time and the names of the joined run. */
export function moved(transcript: Transcript, place: Place): Transcript {
  return new Transcript(transcript.events.map((event) => movedEvent(event, place)))
}

function movedEvent(event: RecordedEvent, { shard, begins }: Place): RecordedEvent {
  if (shard === 0) return event
  const offset = shard * secretsOfOneShard
  const renamed = (id: string): string =>
    id.replace(secretId, (_, kind: string, number: string) => `${kind}-${Number(number) + offset}`)
  const inText = (text: string): string =>
    text.replace(/\[secret ([a-z_]+-\d+)/g, (_, id: string) => `[secret ${renamed(id)}`)
  const changed = mapStrings(event, inText)
  return {
    ...changed,
    t: Math.round((event.t + begins) * 10) / 10,
    ...(changed.secrets && {
      secrets: changed.secrets.map((sighting) => ({ ...sighting, id: renamed(sighting.id) })),
    }),
  }
}

/** From best to worst: the joined recording ended as the worst of its parts. */
const outcomes: readonly EndEvent['outcome'][] = [
  'completed',
  'not-applicable',
  'not-offered',
  'unreached',
  'aborted',
  'error',
]

/** One recording out of several of the same name, in this order; exchanges and calls keep apart. */
export function joined(parts: readonly Transcript[]): Transcript {
  const ends = parts.flatMap(({ end }) => (end ? [end] : []))
  const worst = ends.toSorted(
    (a, b) => outcomes.indexOf(b.outcome) - outcomes.indexOf(a.outcome),
  )[0]
  const last = ends.at(-1)
  const events = parts.flatMap((part, index) =>
    part.events.filter(({ type }) => type !== 'end').map((event) => apart(event, index)),
  )
  const { scenario = '' } = parts[0]?.events[0] ?? {}
  const end = worst && last ? [{ ...worst, t: last.t, scenario }] : []
  return new Transcript([...events, ...end].map((event, index) => ({ ...event, seq: index + 1 })))
}

function apart(event: RecordedEvent, part: number): RecordedEvent {
  if (part === 0) return event
  const name = (text: string): string => `${text}.${part + 1}`
  return {
    ...event,
    ...(event.call === undefined ? {} : { call: name(event.call) }),
    ...('exchange' in event && event.exchange !== undefined
      ? { exchange: name(event.exchange) }
      : {}),
  }
}

/** The stored form of a recording. */
export function transcriptLines(transcript: Transcript, scenario: string): string {
  const header = JSON.stringify({ transcript: transcriptVersion, scenario })
  const lines = transcript.events.map((event) => JSON.stringify({ ...event, scenario: undefined }))
  return `${[header, ...lines].join('\n')}\n`
}

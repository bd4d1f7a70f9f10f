/** Writes transcripts: numbers, times, bounds and redacts every event before it reaches memory or disk. */

import { closeSync, writeSync } from 'node:fs'
import { createExclusively, replaceExclusively } from './run-files.ts'
import { join } from 'node:path'
import {
  transcriptVersion,
  type Event,
  type NewEvent,
  type RecordedEvent,
  type Sighting,
} from './event.ts'
import { deadlineAfter, type BusyFor } from '../deadline.ts'
import { EventLog, type Topic } from './event-log.ts'
import { withheld, type SecretLedger } from './secrets/ledger.ts'
import { Transcript } from './transcript.ts'
import { Waiters } from './waiters.ts'

/**
 * Limits per transcript: what lies beyond is scanned and counted, not kept, save so many events with a leak. Who prints much
 * leaves room for what is recorded beside.
 */
export const recordingLimits = {
  stringLength: 1024 * 1024,
  events: 4000,
  bytes: 32 * 1024 * 1024,
  outputs: 3000,
  outputBytes: 24 * 1024 * 1024,
  leaks: 200,
}

export interface RecorderOptions {
  readonly scenario: string
  /** What tells it from every other recorder of the run; default: its scenario. */
  readonly name?: string | undefined
  readonly ledger: SecretLedger
  /** Milliseconds since the run began. */
  readonly now: () => number
  /** Folder of the `.jsonl` file; without it the recording stays in memory. */
  readonly directory?: string | undefined
  /** Default: nothing is waited for anew. */
  readonly busyFor?: BusyFor | undefined
}

/** Writes one transcript; nothing that it has recorded holds a secret that was known by then. */
export class Recorder {
  readonly scenario: string
  /** Unlike that of every other recorder of the run, also of one for the same scenario. */
  readonly name: string
  readonly #options: RecorderOptions
  readonly #waiters = new Waiters()
  #log = new EventLog()
  #file: number | undefined
  #bytes = 0
  #outputs = 0
  #outputBytes = 0
  #seq = 0
  #exchanges = 0
  #dropped = 0
  #kept = 0
  #ended = false
  #snapshot: Transcript | undefined
  #looking: Transcript | undefined

  constructor(options: RecorderOptions) {
    this.scenario = options.scenario
    this.name = options.name ?? options.scenario
    this.#options = options
    if (options.directory) {
      this.#file = createExclusively(join(options.directory, `${options.scenario}.jsonl`))
      const header = { transcript: transcriptVersion, scenario: options.scenario }
      writeSync(this.#file, `${JSON.stringify(header)}\n`)
    }
  }

  /** Appends an event. Nothing is taken after the end, so that a judgement cannot be changed by late noise. */
  record(event: NewEvent): void {
    if (this.#ended) return
    if (event.type === 'end') {
      const detail = { dropped: this.#dropped }
      if (this.#dropped > 0) this.#append({ type: 'step', action: 'recording-limit', detail })
    } else if (this.#isFullFor(event)) {
      if (this.#kept >= recordingLimits.leaks || !this.#leaks(event)) {
        this.#dropped += 1
        return
      }
      this.#kept += 1
    }
    const recorded = this.#append(event)
    if (event.type === 'end') this.#close()
    this.#waiters.tell(recorded)
  }

  #isFullFor({ type }: NewEvent): boolean {
    const { events, bytes, outputs, outputBytes } = recordingLimits
    if (this.#seq >= events || this.#bytes >= bytes) return true
    return type === 'output' && (this.#outputs >= outputs || this.#outputBytes >= outputBytes)
  }

  /** What lies beyond the limits is not kept, but scanned all the same: a leak is kept. */
  #leaks(event: NewEvent): boolean {
    const sightings: Sighting[] = []
    redactDeep(event, this.#options.ledger, sightings)
    return sightings.length > 0
  }

  /**
   * Scans everything once more for secrets that have become known since it was recorded, as a code verifier that
   * was shown before it was used, and replaces them, in the file too.
   */
  rescan(late: SecretLedger): void {
    if (late.size === 0) return
    const { events } = this.#log
    const changed = events.map((event) => {
      const sightings: Sighting[] = []
      const redacted = redactDeep(event, late, sightings) as RecordedEvent
      if (sightings.length === 0) return event
      return { ...redacted, secrets: [...(event.secrets ?? []), ...sightings] }
    })
    if (changed.every((event, index) => event === events[index])) return
    this.#log = new EventLog(changed)
    this.#snapshot = undefined
    this.#rewrite()
  }

  #rewrite(): void {
    const { directory, scenario } = this.#options
    if (!directory) return
    const lines = this.#log.events.map(
      (event) => `${JSON.stringify({ ...event, scenario: undefined })}\n`,
    )
    const header = `${JSON.stringify({ transcript: transcriptVersion, scenario })}\n`
    const file = replaceExclusively(join(directory, `${scenario}.jsonl`), header + lines.join(''))
    closeSync(this.#file ?? file)
    if (this.#file !== undefined) this.#file = file
  }

  #append(event: NewEvent): RecordedEvent {
    const sightings: Sighting[] = []
    const redacted = redactDeep(event, this.#options.ledger, sightings) as NewEvent
    const recorded = {
      seq: ++this.#seq,
      t: Math.round(this.#options.now() * 10) / 10,
      ...redacted,
      ...(sightings.length > 0 ? { secrets: sightings } : {}),
    } as Event
    const line = `${JSON.stringify(recorded)}\n`
    this.#bytes += line.length
    if (event.type === 'output') {
      this.#outputs += 1
      this.#outputBytes += line.length
    }
    if (this.#file !== undefined) writeSync(this.#file, line)
    const kept = { ...recorded, scenario: this.scenario }
    this.#log.add(kept)
    this.#snapshot = undefined
    return kept
  }

  #close(): void {
    this.#ended = true
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** A name for one request and its answer, unique within the transcript. */
  newExchange(): string {
    this.#exchanges += 1
    return `x${this.#exchanges}`
  }

  transcript(): Transcript {
    if (this.#looking) return this.#looking
    this.#snapshot ??= new Transcript({ log: this.#log })
    return this.#snapshot
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Calls back after so many milliseconds, later on a busy machine ({@link deadlineAfter}); returns what stops it. */
  deadline(ms: number, call: () => void): () => void {
    return deadlineAfter(ms, call, this.#options.busyFor)
  }

  /**
   * Resolves with the first thing that `find` returns, now or after a later event; with `undefined`
   * at the {@link Recorder.deadline} (milliseconds from now), when the recording ends or when a signal is aborted.
   * `find` looks again only after an event that what it asked the transcript for may be about.
   */
  waitFor<T>(
    find: (transcript: Transcript) => T | undefined,
    within: number,
    ...signals: readonly AbortSignal[]
  ): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiters.remove(look)
        clear()
        for (const signal of signals) signal.removeEventListener('abort', giveUp)
      }
      const giveUp = (): void => {
        stop()
        resolve(undefined)
      }
      const look = (): void => {
        try {
          const found = this.#look(find, (topic) => this.#waiters.add(look, topic))
          if (found === undefined && !this.#ended) return this.#waiters.keep(look)
          stop()
          resolve(found)
        } catch (error) {
          stop()
          reject(error)
        }
      }
      const clear = this.deadline(within, giveUp)
      for (const signal of signals) signal.addEventListener('abort', giveUp, { once: true })
      look()
      if (signals.some((signal) => signal.aborted)) giveUp()
    })
  }

  /** Tells what is asked for, also where this recorder itself is asked meanwhile. */
  #look<T>(find: (transcript: Transcript) => T, asked: (topic: Topic) => void): T {
    const before = this.#looking
    this.#looking = new Transcript({ log: this.#log, asked })
    try {
      return find(this.#looking)
    } finally {
      this.#looking = before
    }
  }
}

/** A JSON text of which only some values had to be withheld: it stays readable as the message that it is. */
function redactedJson(text: string, ledger: SecretLedger): string | undefined {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value !== 'object' || value === null) return undefined
    return JSON.stringify(redactDeep(value, ledger, []))
  } catch {
    return undefined
  }
}

/** Redacts and bounds every string of an event, keys of objects included. */
function redactDeep(value: unknown, ledger: SecretLedger, sightings: Sighting[], at = ''): unknown {
  if (typeof value === 'string') {
    const { text: plain, hits } = ledger.redact(value)
    for (const hit of hits) sightings.push({ ...hit, at })
    const text = plain.startsWith(withheld) ? (redactedJson(value, ledger) ?? plain) : plain
    if (text.length <= recordingLimits.stringLength) return text
    return `${text.slice(0, recordingLimits.stringLength)}[cut: ${text.length} characters]`
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => redactDeep(item, ledger, sightings, `${at}[${index}]`))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const { text: name, hits } = ledger.redact(key)
        const path = at ? `${at}.${name}` : name
        for (const hit of hits) sightings.push({ ...hit, at: path })
        return [name, redactDeep(item, ledger, sightings, path)]
      }),
    )
  }
  return value
}

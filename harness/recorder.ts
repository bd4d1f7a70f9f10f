/** Writes transcripts: numbers, times, bounds and redacts every event before it reaches memory or disk. */

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { transcriptVersion, type Event, type NewEvent, type Sighting } from './event.ts'
import type { SecretLedger } from './secrets/ledger.ts'
import { Transcript, type RecordedEvent } from './transcript.ts'

/** Limits per transcript: what lies beyond is counted, not kept. */
export const recordingLimits = { stringLength: 256 * 1024, events: 4000, bytes: 32 * 1024 * 1024 }

export interface RecorderOptions {
  readonly scenario: string
  readonly ledger: SecretLedger
  /** Milliseconds since the run began. */
  readonly now: () => number
  /** Folder of the `.jsonl` file; without it the recording stays in memory. */
  readonly directory?: string | undefined
}

export class Recorder {
  readonly scenario: string
  readonly #options: RecorderOptions
  readonly #events: RecordedEvent[] = []
  readonly #listeners = new Set<() => void>()
  #file: number | undefined
  #bytes = 0
  #seq = 0
  #exchanges = 0
  #dropped = 0
  #ended = false
  #snapshot: Transcript | undefined

  constructor(options: RecorderOptions) {
    this.scenario = options.scenario
    this.#options = options
    if (options.directory) {
      mkdirSync(options.directory, { recursive: true })
      this.#file = openSync(join(options.directory, `${options.scenario}.jsonl`), 'w', 0o600)
      const header = { transcript: transcriptVersion, scenario: options.scenario }
      writeSync(this.#file, `${JSON.stringify(header)}\n`)
    }
  }

  /** Appends an event. Nothing is taken after the end, so that a judgement cannot be changed by late noise. */
  record(event: NewEvent): void {
    if (this.#ended) return
    if (this.#seq >= recordingLimits.events || this.#bytes >= recordingLimits.bytes) {
      this.#dropped += 1
      if (event.type !== 'end') return
      this.#append({ type: 'step', action: 'recording-limit', detail: { dropped: this.#dropped } })
    }
    this.#append(event)
    if (event.type === 'end') this.#close()
    for (const listener of this.#listeners) listener()
  }

  #append(event: NewEvent): void {
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
    if (this.#file !== undefined) writeSync(this.#file, line)
    this.#events.push({ ...recorded, scenario: this.scenario })
    this.#snapshot = undefined
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
    this.#snapshot ??= new Transcript([...this.#events])
    return this.#snapshot
  }

  get ended(): boolean {
    return this.#ended
  }

  /**
   * Resolves with the first thing that `find` returns, now or after a later event; with `undefined`
   * at the deadline (milliseconds from now), when the recording ends or when a signal is aborted.
   */
  waitFor<T>(
    find: (transcript: Transcript) => T | undefined,
    within: number,
    ...signals: readonly AbortSignal[]
  ): Promise<T | undefined> {
    const already = find(this.transcript())
    if (already !== undefined || this.#ended) return Promise.resolve(already)
    return new Promise((resolve) => {
      const finish = (value: T | undefined): void => {
        this.#listeners.delete(look)
        clearTimeout(timer)
        for (const signal of signals) signal.removeEventListener('abort', giveUp)
        resolve(value)
      }
      const look = (): void => {
        const found = find(this.transcript())
        if (found !== undefined || this.#ended) finish(found)
      }
      const giveUp = (): void => finish(undefined)
      const timer = setTimeout(giveUp, within)
      this.#listeners.add(look)
      for (const signal of signals) {
        if (signal.aborted) giveUp()
        signal.addEventListener('abort', giveUp, { once: true })
      }
    })
  }
}

/** Redacts and bounds every string of an event, keys of objects included. */
function redactDeep(value: unknown, ledger: SecretLedger, sightings: Sighting[], at = ''): unknown {
  if (typeof value === 'string') {
    const { text, hits } = ledger.redact(value)
    for (const hit of hits) sightings.push({ ...hit, at })
    if (text.length <= recordingLimits.stringLength) return text
    return `${text.slice(0, recordingLimits.stringLength)}[cut: ${text.length} characters]`
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => redactDeep(item, ledger, sightings, `${at}[${index}]`))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        ledger.redact(key).text,
        redactDeep(item, ledger, sightings, at ? `${at}.${key}` : key),
      ]),
    )
  }
  return value
}

/** Writes transcripts: numbers, times, bounds and redacts every event before it reaches memory or disk. */

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { transcriptVersion, type Event, type NewEvent, type Sighting } from './event.ts'
import { withheld, type SecretLedger } from './secrets/ledger.ts'
import { Transcript, type RecordedEvent } from './transcript.ts'

/** Limits per transcript: what lies beyond is scanned and counted, not kept, save so many events with a leak. */
export const recordingLimits = {
  stringLength: 256 * 1024,
  events: 4000,
  bytes: 32 * 1024 * 1024,
  leaks: 200,
}

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
  #kept = 0
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
    if (this.#full) {
      if (event.type === 'end') {
        const detail = { dropped: this.#dropped }
        this.#append({ type: 'step', action: 'recording-limit', detail })
      } else if (this.#kept >= recordingLimits.leaks || !this.#leaks(event)) {
        this.#dropped += 1
        return
      } else {
        this.#kept += 1
      }
    }
    this.#append(event)
    if (event.type === 'end') this.#close()
    for (const listener of this.#listeners) listener()
  }

  get #full(): boolean {
    return this.#seq >= recordingLimits.events || this.#bytes >= recordingLimits.bytes
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
    const changed = this.#events.map((event) => {
      const sightings: Sighting[] = []
      const redacted = redactDeep(event, late, sightings) as RecordedEvent
      if (sightings.length === 0) return event
      return { ...redacted, secrets: [...(event.secrets ?? []), ...sightings] }
    })
    if (changed.every((event, index) => event === this.#events[index])) return
    this.#events.splice(0, Infinity, ...changed)
    this.#snapshot = undefined
    this.#rewrite()
  }

  #rewrite(): void {
    const { directory, scenario } = this.#options
    if (!directory) return
    const lines = this.#events.map(({ scenario: _, ...event }) => `${JSON.stringify(event)}\n`)
    const header = `${JSON.stringify({ transcript: transcriptVersion, scenario })}\n`
    writeFileSync(join(directory, `${scenario}.jsonl`), header + lines.join(''), { mode: 0o600 })
    if (this.#file === undefined) return
    closeSync(this.#file)
    this.#file = openSync(join(directory, `${scenario}.jsonl`), 'a', 0o600)
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
      Object.entries(value).map(([key, item]) => [
        ledger.redact(key).text,
        redactDeep(item, ledger, sightings, at ? `${at}.${key}` : key),
      ]),
    )
  }
  return value
}

/** One run: its folder, its clock, its secrets and the recordings of its scenarios. */

import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import type { BusyFor } from './deadline.ts'
import { namesFor, type NewName } from './names.ts'
import { Recorder } from './recording/recorder.ts'
import type { Timing } from './scenario.ts'
import { SecretLedger } from './recording/secrets/ledger.ts'
import { Starts } from './starts.ts'

/** What everything in one run has in common. */
export interface Run {
  readonly id: string
  /** Everything that the run writes is below it; `undefined` keeps the run in memory. */
  readonly directory: string | undefined
  readonly ledger: SecretLedger
  readonly timing: Timing
  readonly signal: AbortSignal
  /** Every start of an implementation has its turn there. */
  readonly starts: Starts
  /** Makes a name that nothing else in the run has. */
  readonly newName: NewName
  /** What belongs to no scenario: output of the implementation, requests that nobody can be told for. */
  readonly log: Recorder
  /** Milliseconds since the run began, monotonic. */
  now(): number
  readonly busyFor: BusyFor | undefined
  /** A new recording of a scenario, which takes the place of an earlier one; each needs a name of its own. */
  recorder(scenario: string, name?: string): Recorder
  /** Calls back when every scenario has ended, before the judging that counts. */
  readonly onEnded: (call: () => void) => void
  /** Tells all who asked for it. */
  readonly tellEnded: () => void
}

export interface RunOptions {
  readonly id?: string | undefined
  /** What a relying party gave, so that the run cannot be older ({@link nonceShape}). */
  readonly nonce?: string | undefined
  readonly timing: Timing
  readonly signal?: AbortSignal | undefined
  readonly directory?: string | undefined
  /** Default: nothing is waited for anew. */
  readonly busyFor?: BusyFor | undefined
}

/** Scenario name under which the recording of what belongs to no scenario is kept. */
export const runLog = 'run'

/** Time in UTC and a random part: sorts by time, never collides. */
export function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15)
  return `${time}-${randomBytes(3).toString('hex')}`
}

export function createRun(options: RunOptions): Run {
  const { id = newRunId(), nonce, timing, signal, directory, busyFor } = options
  const started = performance.now()
  const ledger = new SecretLedger()
  const abort = signal ?? new AbortController().signal
  // Every scenario listens for the end of the run.
  setMaxListeners(0, abort)
  const now = (): number => performance.now() - started
  const recorder = (scenario: string, name = scenario): Recorder =>
    new Recorder({
      scenario,
      name,
      ledger,
      now,
      directory: directory && join(directory, 'transcripts'),
      busyFor,
    })
  const endings: (() => void)[] = []
  return {
    id,
    directory,
    ledger,
    timing,
    signal: abort,
    starts: new Starts(),
    newName: namesFor(nonce),
    log: recorder(runLog),
    now,
    busyFor,
    recorder,
    onEnded: (call) => void endings.push(call),
    tellEnded: () => endings.splice(0).forEach((call) => call()),
  }
}

/** One run: its folder, its clock, its secrets and the recordings of its scenarios. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Recorder } from './recorder.ts'
import type { Timing } from './scenario.ts'
import { SecretLedger } from './secrets/ledger.ts'

export interface Run {
  readonly id: string
  /** Everything that the run writes is below it; `undefined` keeps the run in memory. */
  readonly directory: string | undefined
  readonly ledger: SecretLedger
  readonly timing: Timing
  readonly signal: AbortSignal
  /** What belongs to no scenario: output of the implementation, requests that nobody can be told for. */
  readonly log: Recorder
  /** Milliseconds since the run began, monotonic. */
  now(): number
  recorder(scenario: string): Recorder
}

export interface RunOptions {
  readonly timing: Timing
  readonly signal?: AbortSignal | undefined
  readonly directory?: string | undefined
}

/** Scenario name under which the recording of what belongs to no scenario is kept. */
export const runLog = 'run'

export function createRun({ timing, signal, directory }: RunOptions): Run {
  const started = performance.now()
  const ledger = new SecretLedger()
  const now = (): number => performance.now() - started
  const recorder = (scenario: string): Recorder =>
    new Recorder({
      scenario,
      ledger,
      now,
      directory: directory && join(directory, 'transcripts'),
    })
  return {
    id: `${new Date().toISOString().replace(/[-:]/g, '').slice(0, 15)}-${randomBytes(3).toString('hex')}`,
    directory,
    ledger,
    timing,
    signal: signal ?? new AbortController().signal,
    log: recorder(runLog),
    now,
    recorder,
  }
}

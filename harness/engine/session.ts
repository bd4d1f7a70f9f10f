/** Drives and judges the scenarios of one profile; the command line and vitest are two ways to ask for it. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { busyMachineStep, watchForBusyMachine } from './busy-machine.ts'
import { Drives, type DrivesOptions, type HarnessFailure } from './drives.ts'
import { judgeRecorded } from './judging/judge-recorded.ts'
import { findScenario, type Profile } from './profile.ts'
import { lastPrinted } from './recording/last-printed.ts'
import { vendorSecrets } from './recording/secrets/environment.ts'
import { createRun, type Run } from './run.ts'
import { Unreachable } from './scenario.ts'
import { timingOf, type BaseConfiguration } from './configuration.ts'
import type { Transcript } from './recording/transcript.ts'
import type { Finding } from './judging/verdict.ts'

/** What a run is configured with, and where it is kept. */
export interface SessionOptions<Configuration> extends DrivesOptions {
  readonly configuration: Configuration
  /** Id of the run, where its folder is named after it; default: a new one. */
  readonly id?: string | undefined
  /** What a relying party gave, so that the run cannot be older. */
  readonly nonce?: string | undefined
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** Folder of the run; without it nothing is kept. */
  readonly directory?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called when what it must be told about can be reached, before the implementation is waited for. */
  readonly onPeer?: ((kind: string, address: string) => void) | undefined
  /** Called as soon as a scenario can be judged; {@link Session.judge} gives its findings when all have ended. */
  readonly onJudged?: ((scenario: string, findings: readonly Finding[]) => void) | undefined
}

/** A run in progress: drives scenarios and judges them. */
export interface Session {
  readonly run: Run
  readonly facts: Readonly<Record<string, unknown>>
  readonly failures: readonly HarnessFailure[]
  /** Drives a scenario and its control, each at most once, and judges it. */
  judge(scenario: string): Promise<Finding[]>
  /** Recordings so far, by scenario. */
  transcripts(): ReadonlyMap<string, Transcript>
  /** Ends the recordings; what runs goes on, and nothing of it is recorded any more. */
  end(): void
  /** Ends everything that runs; the recordings stay. */
  close(): Promise<void>
}

/** Starts the surroundings of a profile. @throws Unreachable when the implementation cannot be started */
export async function openSession<Fixtures, Declared, Configuration extends BaseConfiguration>(
  profile: Profile<Fixtures, Declared, Configuration>,
  options: SessionOptions<Configuration>,
): Promise<Session> {
  const { configuration, directory, base, onPeer, onJudged } = options
  const timing = timingOf(configuration)
  const machine = watchForBusyMachine()
  const run = createRun({
    id: options.id,
    nonce: options.nonce,
    timing,
    signal: options.signal,
    directory,
    busyFor: machine.busyFor,
  })
  for (const value of vendorSecrets(configuration)) run.ledger.add('vendor_secret', value)
  const workDirectory = workFolder(directory)
  const testBed = await profile
    .open({ run, configuration, base, workDirectory, onPeer })
    .catch((error: unknown) => {
      machine.stop()
      // Whoever reads the log later has to know that it is whole.
      run.log.record({ type: 'end', outcome: 'aborted' })
      if (error instanceof Unreachable) error.printed = lastPrinted(run.log.transcript().events)
      rmSync(workDirectory, { recursive: true, force: true })
      throw error
    })
  const drives = new Drives(profile, testBed, run, configuration, options, (id) =>
    lacksProof(judge(id)),
  )
  const judge = (id: string): Finding[] =>
    judgeRecorded(
      profile,
      id,
      {
        transcripts: drives.recordings(),
        declared: profile.declared(configuration),
        timing,
        strict: configuration.strict,
      },
      (error) => drives.broke(id, error),
    )
  const end = (): void => {
    machine.stop()
    const lateMs = machine.lateMs()
    if (lateMs !== undefined)
      run.log.record({ type: 'step', action: busyMachineStep, detail: { lateMs } })
    run.log.record({ type: 'end', outcome: run.signal.aborted ? 'aborted' : 'completed' })
  }
  return {
    run,
    facts: testBed.facts,
    failures: drives.failures,
    async judge(id) {
      const scenario = findScenario(profile, id)
      const control = scenario.control && findScenario(profile, scenario.control)
      await Promise.all([control && drives.drive(control), drives.drive(scenario)])
      const last = scenario.after === 'all'
      if (!last) onJudged?.(id, judge(id))
      // Only now is it known who survived, and everything that was to be withheld.
      await drives.ended()
      const findings = judge(id)
      if (last) onJudged?.(id, findings)
      return findings
    },
    transcripts: () => drives.recordings(),
    end,
    async close() {
      try {
        await testBed.close()
      } finally {
        end()
        rmSync(workDirectory, { recursive: true, force: true })
      }
    },
  }
}

/** What a second drive may prove; what is broken stays broken. */
function lacksProof(findings: readonly Finding[]): boolean {
  const has = (verdict: Finding['verdict']): boolean =>
    findings.some((each) => each.verdict === verdict)
  return has('inconclusive') && !has('fail') && !has('warn')
}

function workFolder(directory: string | undefined): string {
  if (!directory) return mkdtempSync(join(tmpdir(), 'agent-oauth-conformance-'))
  mkdirSync(directory, { recursive: true })
  return mkdtempSync(join(directory, '.work-'))
}

/** Drives and judges the scenarios of one profile; the command line and vitest are two ways to ask for it. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unreachable } from './implementation.ts'
import { diedStep, judgeRecorded } from './judge-recorded.ts'
import { findScenario, type Profile, type ScenarioContext, type Theatre } from './profile.ts'
import { vendorSecrets } from './secrets/environment.ts'
import { Slots } from './slots.ts'
import { createRun, runLog, type Run } from './run.ts'
import { NotApplicable, Unreached, type Scenario } from './scenario.ts'
import { timingOf, type CommonConfiguration } from './configuration.ts'
import type { Transcript } from './transcript.ts'
import type { Finding } from './verdict.ts'
import type { Recorder } from './recorder.ts'

export interface SessionOptions<Configuration> {
  readonly configuration: Configuration
  /** Id of the run, where its folder is named after it; default: a new one. */
  readonly id?: string | undefined
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** Folder of the run; without it nothing is kept. */
  readonly directory?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Ids of the scenarios that take part; default: all. */
  readonly scenarios?: readonly string[] | undefined
  /** Called when the provider can be reached, before the implementation is waited for. */
  readonly onProvider?: ((issuer: string) => void) | undefined
  readonly onDriven?: ((scenario: string, outcome: string) => void) | undefined
  /** Called as soon as a scenario can be judged; {@link Session.judge} gives its findings when all have ended. */
  readonly onJudged?: ((scenario: string, findings: readonly Finding[]) => void) | undefined
}

/** The harness itself broke in this scenario; the implementation is not to blame. */
export interface HarnessFailure {
  readonly scenario: string
  readonly message: string
}

export interface Session {
  readonly run: Run
  readonly facts: Readonly<Record<string, unknown>>
  readonly failures: readonly HarnessFailure[]
  /** Drives a scenario and its control, each at most once, and judges it. */
  judge(scenario: string): Promise<Finding[]>
  /** Recordings so far, by scenario. */
  transcripts(): ReadonlyMap<string, Transcript>
  /** Ends everything that runs; the recordings stay. */
  close(): Promise<void>
}

/** Starts the surroundings of a profile. @throws Unreachable when the implementation cannot be started */
export async function openSession<World, Declared, Configuration extends CommonConfiguration>(
  profile: Profile<World, Declared, Configuration>,
  options: SessionOptions<Configuration>,
): Promise<Session> {
  const { configuration, directory, base, onProvider, onJudged } = options
  const timing = timingOf(configuration)
  const run = createRun({ id: options.id, timing, signal: options.signal, directory })
  for (const value of vendorSecrets(configuration)) run.ledger.add('vendor_secret', value)
  const workDirectory = workFolder(directory)
  const theatre = await profile
    .open({ run, configuration, base, workDirectory, onProvider })
    .catch((error: unknown) => {
      rmSync(workDirectory, { recursive: true, force: true })
      throw error
    })
  const stage = new Drives(profile, theatre, run, configuration, options)
  const judge = (id: string): Finding[] =>
    judgeRecorded(
      profile,
      id,
      {
        transcripts: stage.recordings(),
        declared: profile.declared(configuration),
        timing,
        strict: configuration.strict,
      },
      (error) => stage.broke(id, error),
    )
  return {
    run,
    facts: theatre.facts,
    failures: stage.failures,
    async judge(id) {
      const scenario = findScenario(profile, id)
      if (scenario.control) await stage.drive(findScenario(profile, scenario.control))
      await stage.drive(scenario)
      onJudged?.(id, judge(id))
      // Only now is it known who survived, and everything that was to be withheld.
      await stage.ended()
      return judge(id)
    },
    transcripts: () => stage.recordings(),
    async close() {
      try {
        await theatre.close()
      } finally {
        run.log.record({ type: 'end', outcome: run.signal.aborted ? 'aborted' : 'completed' })
        rmSync(workDirectory, { recursive: true, force: true })
      }
    },
  }
}

class Drives<World, Declared, Configuration extends CommonConfiguration> {
  readonly failures: HarnessFailure[] = []
  readonly #profile: Profile<World, Declared, Configuration>
  readonly #theatre: Theatre<World>
  readonly #run: Run
  readonly #declared: Declared
  readonly #slots: Slots
  readonly #planned: readonly Scenario<World, Declared>[]
  readonly #onDriven: SessionOptions<Configuration>['onDriven']
  readonly #drives = new Map<string, Promise<void>>()
  readonly #recorders = new Map<string, Recorder>()
  #allEnded: Promise<void> | undefined

  constructor(
    profile: Profile<World, Declared, Configuration>,
    theatre: Theatre<World>,
    run: Run,
    configuration: Configuration,
    options: SessionOptions<Configuration>,
  ) {
    this.#profile = profile
    this.#theatre = theatre
    this.#run = run
    this.#declared = profile.declared(configuration)
    this.#slots = new Slots(configuration.timing.concurrency)
    this.#planned = profile.scenarios.filter((each) => options.scenarios?.includes(each.id) ?? true)
    this.#onDriven = options.onDriven
  }

  /** Drives a scenario once; later calls wait for the same drive. */
  drive(scenario: Scenario<World, Declared>): Promise<void> {
    const known = this.#drives.get(scenario.id)
    if (known) return known
    const driving = this.#act(scenario)
    this.#drives.set(scenario.id, driving)
    return driving
  }

  /** Resolves once every planned scenario has ended and it is recorded whether the implementation survived them. */
  ended(): Promise<void> {
    this.#allEnded ??= this.#ended(() => true)
      .then(() => this.#theatre.survived())
      .then((reason) => {
        const log = this.#run.log
        if (reason) log.record({ type: 'step', action: diedStep, detail: { reason } })
      })
    return this.#allEnded
  }

  /** Notes that the harness itself failed, once for each reason. */
  broke(scenario: string, error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const known = this.failures.some(
      (each) => each.scenario === scenario && each.message === message,
    )
    if (!known) this.failures.push({ scenario, message })
  }

  recordings(): ReadonlyMap<string, Transcript> {
    const all = [...this.#recorders].map(([id, recorder]) => [id, recorder.transcript()] as const)
    return new Map([...all, [runLog, this.#run.log.transcript()]])
  }

  async #act(scenario: Scenario<World, Declared>): Promise<void> {
    const isGate = scenario.id === this.#profile.gate
    const drivable = isGate || scenario.ungated === true || (await this.#passedGate())
    if (scenario.after === 'all') {
      await this.#ended((each) => each.after !== 'all')
      // By now every secret is known, also those that were shown before they were used.
      const late = this.#run.ledger.ofKind('code_verifier')
      for (const each of [...this.#recorders.values(), this.#run.log]) each.rescan(late)
    }
    const recorder = this.#run.recorder(scenario.id)
    this.#recorders.set(scenario.id, recorder)
    const end = await this.#outcome(scenario, recorder, drivable)
    recorder.record({ type: 'end', ...end })
    this.#onDriven?.(scenario.id, end.outcome)
  }

  async #outcome(scenario: Scenario<World, Declared>, recorder: Recorder, drivable: boolean) {
    const reason = scenario.notApplicable?.(this.#declared)
    if (reason) return { outcome: 'not-applicable', reason } as const
    if (!drivable) {
      const why = `${notTried} ${this.#profile.gate} ${this.#profile.driven.otherwise}`
      return { outcome: 'aborted', reason: why } as const
    }
    const leave = await this.#slots.enter()
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    try {
      if (this.#run.signal.aborted)
        return { outcome: 'aborted', reason: 'the run was interrupted' } as const
      const context: ScenarioContext = {
        recorder,
        ended,
        aside: (waiting) => this.#slots.aside(waiting),
        others: () => this.#ended((each) => each.after !== 'all'),
        sharing: () => this.#ended((each) => each.after !== 'all' && !each.ownInstance),
      }
      await scenario.drive(this.#theatre.world(context))
      if (this.#run.signal.aborted)
        return { outcome: 'aborted', reason: 'the run was interrupted' } as const
      return { outcome: 'completed' } as const
    } catch (error) {
      return this.#ending(scenario, error)
    } finally {
      end()
      leave()
    }
  }

  #ending(scenario: Scenario<World, Declared>, error: unknown) {
    if (this.#run.signal.aborted)
      return { outcome: 'aborted', reason: 'the run was interrupted' } as const
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof Unreached || error instanceof Unreachable)
      return { outcome: 'unreached', reason: message } as const
    if (error instanceof NotApplicable)
      return { outcome: 'not-applicable', reason: message } as const
    this.broke(scenario.id, error)
    return { outcome: 'error', reason: `the harness failed: ${message}` } as const
  }

  /**
   * Whether the implementation can be driven at all. Others need not wait for the gate to end: once it has come
   * far enough, or has given up, that is known.
   */
  async #passedGate(): Promise<boolean> {
    const gate = findScenario(this.#profile, this.#profile.gate)
    const driven = this.drive(gate)
    const recorder = this.#recorders.get(gate.id)
    if (!recorder) return false
    const { soon, atAll } = this.#profile.driven
    // What is shown first may be no more than a greeting.
    const farEnough = (t: Transcript) => (atAll(t) && soon(t)) || undefined
    const known = recorder.waitFor(farEnough, gateLimit, this.#run.signal)
    await Promise.race([driven, known])
    return Boolean(atAll(recorder.transcript()))
  }

  async #ended(which: (scenario: Scenario<World, Declared>) => boolean): Promise<void> {
    await Promise.all(this.#planned.filter(which).map((each) => this.drive(each)))
  }
}

/** How the reason begins why a scenario was left out, because the implementation cannot be driven at all. */
export const notTried = 'not tried, because'

/** Milliseconds after which the gate is not waited for; its own waiting ends long before. */
const gateLimit = 10 * 60_000

function workFolder(directory: string | undefined): string {
  if (!directory) return mkdtempSync(join(tmpdir(), 'agent-oauth-conformance-'))
  mkdirSync(directory, { recursive: true })
  return mkdtempSync(join(directory, '.work-'))
}

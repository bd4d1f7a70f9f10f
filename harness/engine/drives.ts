/** Drives the scenarios of a run, each once, as many at a time as there are slots; some again that may have come too late. */

import { setImmediate } from 'node:timers/promises'
import { diedStep } from './judging/judge-recorded.ts'
import {
  findScenario,
  type OffSlot,
  type Profile,
  type ScenarioContext,
  type TestBed,
} from './profile.ts'
import { SecondDrives, type First, type Outcome } from './second-drives.ts'
import { Slots } from './slots.ts'
import { runLog, type Run } from './run.ts'
import { NotOffered, NotTried, Unreachable, Unreached, type Scenario } from './scenario.ts'
import { ConfigurationError, type BaseConfiguration } from './configuration.ts'
import type { Recorder } from './recording/recorder.ts'
import type { Transcript } from './recording/transcript.ts'

/** Name of the step that says that scenarios are driven one after the other, since the gate has shown that need. */
export const oneAtATimeStep = 'one-at-a-time'

/** The harness itself broke in this scenario; the implementation is not to blame. */
export interface HarnessFailure {
  readonly scenario: string
  readonly message: string
}

/** Which scenarios are driven, and who is told of it. */
export interface DrivesOptions {
  /** Ids of the scenarios that take part; default: all. */
  readonly scenarios?: readonly string[] | undefined
  /** Whether what proves nothing is driven once more where answers may have come too late; default: yes. */
  readonly again?: boolean | undefined
  readonly onDriven?: ((scenario: string, outcome: string) => void) | undefined
}

/** The scenarios of one run, and how far each has come. */
export class Drives<Fixtures, Declared, Configuration extends BaseConfiguration> {
  readonly failures: HarnessFailure[] = []
  readonly #profile: Profile<Fixtures, Declared, Configuration>
  readonly #testBed: TestBed<Fixtures>
  readonly #run: Run
  readonly #declared: Declared
  readonly #slots: Slots
  readonly #planned: readonly Scenario<Fixtures, Declared>[]
  readonly #onDriven: DrivesOptions['onDriven']
  /** Absent where nothing is driven again. */
  readonly #seconds: SecondDrives | undefined
  readonly #firsts = new Map<string, Promise<First>>()
  readonly #drives = new Map<string, Promise<void>>()
  readonly #recorders = new Map<string, Recorder>()
  #allEnded: Promise<void> | undefined
  #gatePassed: Promise<boolean> | undefined
  #gateEnded: Promise<boolean> | undefined
  #compared: Promise<boolean> | undefined

  /** @param provesNothing whether what is recorded of a scenario leaves something without proof, and breaks nothing */
  constructor(
    profile: Profile<Fixtures, Declared, Configuration>,
    testBed: TestBed<Fixtures>,
    run: Run,
    configuration: Configuration,
    options: DrivesOptions,
    provesNothing: (scenario: string) => boolean,
  ) {
    this.#profile = profile
    this.#testBed = testBed
    this.#run = run
    this.#declared = profile.declared(configuration)
    this.#slots = new Slots(configuration.timing.concurrency)
    this.#planned = profile.scenarios.filter((each) => options.scenarios?.includes(each.id) ?? true)
    this.#onDriven = options.onDriven
    if (options.again === false) return
    this.#seconds = new SecondDrives({
      run,
      gate: profile.gate,
      slots: this.#slots,
      recorded: (id) => this.#recorders.get(id)?.transcript(),
      provesNothing,
      othersEnded: () =>
        Promise.all(this.#planned.filter(isShared).map((each) => this.#firstOf(each))),
    })
  }

  /** Drives a scenario once; later calls wait for the same drive. */
  drive(scenario: Scenario<Fixtures, Declared>): Promise<void> {
    const known = this.#drives.get(scenario.id)
    if (known) return known
    const first = this.#first(scenario)
    this.#firsts.set(scenario.id, first)
    const driving = first.then((found) => this.#second(scenario, found))
    this.#drives.set(scenario.id, driving)
    return driving
  }

  /** Resolves once every planned scenario has ended and it is recorded whether the implementation survived them. */
  ended(): Promise<void> {
    this.#allEnded ??= this.#ended(() => true)
      .then(() => this.#testBed.survived())
      .then((reason) => {
        const log = this.#run.log
        if (reason) log.record({ type: 'step', action: diedStep, detail: { reason } })
        this.#rescan()
        this.#run.tellEnded()
      })
    return this.#allEnded
  }

  /** Now every secret is known, also those that were shown before they were used. */
  #rescan(): void {
    const late = this.#run.ledger.ofKinds('code_verifier', 'client_assertion')
    for (const each of [...this.#recorders.values(), this.#run.log]) each.rescan(late)
  }

  /** Notes that the harness itself failed, once for each reason. */
  broke(scenario: string, error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const known = this.failures.some(
      (each) => each.scenario === scenario && each.message === message,
    )
    if (!known) this.failures.push({ scenario, message })
  }

  /** In the order of the catalogue, in which they are read back as well: what is found first is the same then. */
  recordings(): ReadonlyMap<string, Transcript> {
    const all = this.#profile.scenarios.flatMap(({ id }) => {
      const recorder = this.#recorders.get(id)
      return recorder ? [[id, recorder.transcript()] as const] : []
    })
    return new Map([...all, [runLog, this.#run.log.transcript()]])
  }

  async #first(scenario: Scenario<Fixtures, Declared>): Promise<First> {
    const drivable = this.#needsNoGate(scenario) || (await this.#mayBegin(scenario))
    if (scenario.after === 'all') {
      await this.#ended((each) => each.after !== 'all')
      this.#rescan()
    }
    const begun = this.#run.now()
    return { outcome: await this.#attempt(scenario, drivable, this.#slots), begun }
  }

  /** The first drive of a scenario, whether or not another one follows. */
  #firstOf(scenario: Scenario<Fixtures, Declared>): Promise<First | undefined> {
    // Whoever waits for the whole of it hears of what ends it.
    this.drive(scenario).catch(() => undefined)
    return Promise.resolve(this.#firsts.get(scenario.id))
  }

  async #second(scenario: Scenario<Fixtures, Declared>, first: First): Promise<void> {
    const { id, after, control } = scenario
    const driven = {
      id,
      after,
      // One with an instance of its own may wait until this one has ended.
      controlled: async () => {
        const twin = control === undefined ? undefined : findScenario(this.#profile, control)
        if (twin && twin.ownInstance !== true) await this.drive(twin)
      },
      attempt: (slots: Slots) => this.#attempt(scenario, true, slots, `${id}-again`),
    }
    const last = await this.#seconds?.drive(driven, first)
    this.#onDriven?.(id, last ?? first.outcome)
  }

  async #attempt(
    scenario: Scenario<Fixtures, Declared>,
    drivable: boolean,
    slots: Slots,
    name?: string,
  ): Promise<Outcome> {
    const recorder = this.#run.recorder(scenario.id, name)
    this.#recorders.set(scenario.id, recorder)
    const end = await this.#outcome(scenario, recorder, drivable, slots)
    recorder.record({ type: 'end', ...end })
    return end.outcome
  }

  async #outcome(
    scenario: Scenario<Fixtures, Declared>,
    recorder: Recorder,
    drivable: boolean,
    slots: Slots,
  ) {
    const reason = scenario.notApplicable?.(this.#declared)
    if (reason) return { outcome: 'not-applicable', reason } as const
    if (!drivable) return { outcome: 'aborted', reason: this.#whyNotTried() } as const
    const slot = await slots.enter()
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    try {
      if (this.#run.signal.aborted)
        return { outcome: 'aborted', reason: 'the run was interrupted' } as const
      // An implementation may do one thing at a time: then each keeps its slot while it waits.
      const keeps = slots.count === 1
      const behind: OffSlot = (waiting) => slot.offSlot(waiting)
      const context: ScenarioContext = {
        recorder,
        ended,
        offSlot: (waiting) => (keeps ? waiting : slot.offSlot(waiting)),
        lendSlot: (waiting) => (keeps ? waiting : slot.lendSlot(waiting)),
        behind,
        alone: () => slots.count === 1 || scenario.id === this.#next()?.id,
        gate: async () => {
          const passed = this.#passedGate()
          if (!(await (keeps ? behind(passed) : passed))) throw new NotTried(this.#whyNotTried())
        },
        others: () => behind(this.#ended((each) => each.after !== 'all')),
        sharing: () => behind(this.#ended(isShared)),
      }
      await scenario.drive(this.#testBed.fixtures(context))
      if (this.#run.signal.aborted)
        return { outcome: 'aborted', reason: 'the run was interrupted' } as const
      return { outcome: 'completed' } as const
    } catch (error) {
      return this.#ending(scenario, error)
    } finally {
      end()
      slot.leave()
    }
  }

  #ending(scenario: Scenario<Fixtures, Declared>, error: unknown) {
    if (this.#run.signal.aborted)
      return { outcome: 'aborted', reason: 'the run was interrupted' } as const
    // Nothing can be driven with it, and it is for the user to mend.
    if (error instanceof ConfigurationError) throw error
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof NotTried) return { outcome: 'aborted', reason: message } as const
    if (error instanceof Unreached || error instanceof Unreachable)
      return { outcome: 'unreached', reason: message } as const
    if (error instanceof NotOffered) return { outcome: 'not-offered', reason: message } as const
    this.broke(scenario.id, error)
    return { outcome: 'error', reason: `the harness failed: ${message}` } as const
  }

  #needsNoGate({ id, ungated, ownInstance }: Scenario<Fixtures, Declared>): boolean {
    if (id === this.#profile.gate.scenario || ungated === true) return true
    return ownInstance === true && this.#testBed.startsEarly === true
  }

  #whyNotTried(): string {
    const { scenario, otherwise } = this.#profile.gate
    return `${notTried} ${scenario} ${otherwise}`
  }

  /**
   * Whether the implementation can be driven at all. Others need not wait for the gate to end: once it has come
   * far enough, or has given up, that is known.
   */
  #passedGate(): Promise<boolean> {
    this.#gatePassed ??= this.#passGate()
    return this.#gatePassed
  }

  /** Resolves when a scenario may begin: whether the implementation can be driven at all. */
  async #mayBegin({ id }: Scenario<Fixtures, Declared>): Promise<boolean> {
    const next = this.#next()
    if (next === undefined) return this.#passedGate()
    this.#gateEnded ??= this.#endGate()
    if (id === next.id) return this.#gateEnded
    this.#compared ??= this.#gateEnded.then(async (passed) => {
      if (passed) await this.#compare(next)
      return passed
    })
    return this.#compared
  }

  /** The scenario that is driven after the gate and before the others, where the profile wants that. */
  #next(): Scenario<Fixtures, Declared> | undefined {
    const { next } = this.#profile.gate
    if (next === undefined || this.#slots.count === 1) return undefined
    const possible = this.#planned.filter(
      (each) => isShared(each) && !this.#needsNoGate(each) && !each.notApplicable?.(this.#declared),
    )
    return possible.find(({ id }) => id === next.scenario) ?? possible[0]
  }

  async #endGate(): Promise<boolean> {
    const passed = await this.#passedGate()
    await this.#firstOf(findScenario(this.#profile, this.#profile.gate.scenario))
    return passed
  }

  async #compare(scenario: Scenario<Fixtures, Declared>): Promise<void> {
    const { gate } = this.#profile
    const driven = this.#firstOf(scenario)
    // It may begin now, as this may.
    await setImmediate()
    const [before, after] = [gate.scenario, scenario.id].map((id) => this.#recorders.get(id))
    if (!gate.next || !before || !after) return
    const { soon, serial } = gate.next
    const farEnough = (t: Transcript) => soon(t) || undefined
    await Promise.race([driven, after.waitFor(farEnough, gateLimit, this.#run.signal)])
    if (!serial(before.transcript(), after.transcript())) return
    // It lends its slot while it waits.
    await driven
    this.#oneAfterTheOther()
  }

  async #passGate(): Promise<boolean> {
    const gate = findScenario(this.#profile, this.#profile.gate.scenario)
    const driven = this.#firstOf(gate)
    const recorder = this.#recorders.get(gate.id)
    if (!recorder) return false
    const { soon, atAll, serial } = this.#profile.gate
    // What is shown first may be no more than a greeting.
    const farEnough = (t: Transcript) => (atAll(t) && soon(t)) || undefined
    const known = recorder.waitFor(farEnough, gateLimit, this.#run.signal)
    await Promise.race([driven, known])
    if (serial?.(recorder.transcript())) this.#oneAfterTheOther()
    return Boolean(atAll(recorder.transcript()))
  }

  #oneAfterTheOther(): void {
    if (this.#slots.count === 1) return
    this.#run.log.record({ type: 'step', action: oneAtATimeStep, detail: {} })
    this.#slots.narrow(1)
  }

  async #ended(which: (scenario: Scenario<Fixtures, Declared>) => boolean): Promise<void> {
    await Promise.all(this.#planned.filter(which).map((each) => this.drive(each)))
  }
}

/** How the reason begins why a scenario was left out, because the implementation cannot be driven at all. */
export const notTried = 'not tried, because'

/** Whether it is driven at the instance of all others, and not after them. */
function isShared({ after, ownInstance }: Pick<Scenario<never>, 'after' | 'ownInstance'>): boolean {
  return after !== 'all' && !ownInstance
}

/** Milliseconds after which the gate is not waited for; its own waiting ends long before. */
const gateLimit = 10 * 60_000

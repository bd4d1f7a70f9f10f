/** What a protocol's folder hands to the engine: catalogue, scenarios, the test bed they act in, and how it is shown. */

import type { z } from 'zod'
import type { BaseConfiguration } from './configuration.ts'
import type { Diagram } from './diagram.ts'
import type { Recorder } from './recording/recorder.ts'
import type { Transcript } from './recording/transcript.ts'
import type { Run } from './run.ts'
import type { Scenario } from './scenario.ts'
import type { Requirement } from './judging/verdict.ts'
import type { Specification } from './specification.ts'

/** Waits for something without a place among those that act; resolves as the promise does. */
export type OffSlot = <T>(waiting: Promise<T>) => Promise<T>

/** What a profile needs to know about the scenario that it makes fixtures for. */
export interface ScenarioContext {
  readonly recorder: Recorder
  /**
   * Gives the place among the acting scenarios away while waiting for the implementation; resolves as the promise does.
   * Where one acts at a time, it keeps its place until it has ended.
   */
  readonly offSlot: OffSlot
  /** Lends that place to others while waiting for an answer of the implementation that does not come soon. */
  readonly lendSlot: OffSlot
  /** Gives that place away while waiting for what other scenarios do, even where one acts at a time. */
  readonly behind: OffSlot
  /** Whether nothing acts beside it: what the scenario before has started is then to have ended before it starts the like. */
  readonly alone: () => boolean
  /** Resolves once it is known that the implementation can be driven at all; rejects with {@link NotTried}. */
  readonly gate: () => Promise<void>
  /** Resolves once every scenario that is not `after: 'all'` has ended. */
  readonly others: () => Promise<void>
  /** Resolves when this scenario has ended. */
  readonly ended: Promise<void>
  /** Resolves once every scenario on the shared instance has ended. */
  readonly sharing: () => Promise<void>
}

/** The running surroundings of a profile. */
export interface TestBed<Fixtures> {
  /** Facts about this run that belong into its record, for example the provider's address. */
  readonly facts: Readonly<Record<string, unknown>>
  fixtures(context: ScenarioContext): Fixtures
  /**
   * Whether scenarios with an instance of their own may begin while the gate is driven: their instances start
   * meanwhile, and the test bed waits for {@link ScenarioContext.gate} before it hands them out.
   */
  readonly startsEarly?: boolean
  /** Asked when every scenario has ended: whether the implementation survived, or the reason why not. */
  survived(): Promise<string | undefined>
  close(): Promise<void>
}

/** The scenario that must work before others are tried. */
export interface Gate {
  readonly scenario: string
  /** What it must have recorded so that the others may begin before it ends. */
  readonly soon: (transcript: Transcript) => unknown
  /** What it must have recorded so that the others are tried at all. */
  readonly atAll: (transcript: Transcript) => unknown
  /**
   * Whether it has recorded that the implementation does one thing at a time, which its protocol allows: then the others
   * are driven one after the other, as with `timing.concurrency: 1`.
   */
  readonly serial?: (transcript: Transcript) => boolean
  /**
   * A scenario that begins when the gate has ended, and before the others: only both together show whether the
   * implementation does one thing at a time, as where each of its processes listens on the same port.
   */
  readonly next?: {
    /** Another one takes its place where it is left out. */
    readonly scenario: string
    /** What it must have recorded so that the two can be compared. */
    readonly soon: (transcript: Transcript) => unknown
    readonly serial: (gate: Transcript, next: Transcript) => boolean
  }
  /** Why nothing else is tried, after "not tried, because GATE". */
  readonly otherwise: string
}

/** The implementation that comes with this package: what is certified where nothing is configured. */
export interface Reference {
  readonly name: string
  /** The configuration that certifies it, without `profile` and `implementation`. */
  readonly settings: () => Readonly<Record<string, unknown>>
}

/** One role of a protocol: what is asked of an implementation, how it is driven, and how it is shown. */
export interface Profile<
  Fixtures,
  Declared,
  Configuration extends BaseConfiguration = BaseConfiguration,
> {
  /** `rap-oauth/tool`. */
  readonly id: string
  readonly title: string
  readonly specification: Specification
  readonly requirements: readonly Requirement[]
  readonly scenarios: readonly Scenario<Fixtures, Declared>[]
  readonly gate: Gate
  /** Who speaks to whom, for reports. */
  readonly diagram: Diagram
  readonly reference: Reference
  readonly configuration: z.ZodType<Configuration>
  /** What a new configuration begins with, without `profile` and `implementation`. */
  readonly start: Readonly<Record<string, unknown>>
  /** What a configuration may contain in braces: the name, and what it stands for. */
  readonly placeholders: Readonly<Record<string, string>>
  /** What to tell somebody whose implementation runs already: what it must have been configured with. */
  readonly expects?: (configuration: Configuration, peer: string, base: string) => readonly string[]
  readonly declared: (configuration: Configuration) => Declared
  readonly open: (options: OpenOptions<Configuration>) => Promise<TestBed<Fixtures>>
}

/** What a profile is given to open its test bed. */
export interface OpenOptions<Configuration> {
  readonly run: Run
  readonly configuration: Configuration
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** Folder for what must not outlive the run. */
  readonly workDirectory: string
  /** Called with what the implementation has to be told about, for example `provider` and its issuer. */
  readonly onPeer?: ((kind: string, address: string) => void) | undefined
}

/** Any profile of the registry. */
// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds profiles of unrelated fixtures
export type AnyProfile = Profile<any, any, any>

/** A scenario of a profile by its id. @throws Error when it has none */
export function findScenario<Fixtures, Declared, Configuration extends BaseConfiguration>(
  { id: profile, scenarios }: Profile<Fixtures, Declared, Configuration>,
  id: string,
): Scenario<Fixtures, Declared> {
  const scenario = scenarios.find((each) => each.id === id)
  if (!scenario) throw new Error(`no scenario ${id} in ${profile}`)
  return scenario
}

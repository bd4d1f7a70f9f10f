/** What a protocol's folder hands to the harness: catalogue, scenarios, and the world they act in. */

import type { z } from 'zod'
import type { CommonConfiguration } from './configuration.ts'
import type { Recorder } from './recorder.ts'
import type { Run } from './run.ts'
import type { Scenario } from './scenario.ts'
import type { Transcript } from './transcript.ts'
import type { Requirement } from './verdict.ts'

/** What a profile needs to know about the scenario that it makes a world for. */
export interface ScenarioContext {
  readonly recorder: Recorder
  /** Gives the place among the acting scenarios away while waiting; resolves as the promise does. */
  readonly aside: <T>(waiting: Promise<T>) => Promise<T>
  /** Resolves once every scenario that is not `after: 'all'` has ended. */
  readonly others: () => Promise<void>
  /** Resolves when this scenario has ended. */
  readonly ended: Promise<void>
  /** Resolves once every scenario on the shared instance has ended. */
  readonly sharing: () => Promise<void>
}

/** The running surroundings of a profile. */
export interface Theatre<World> {
  /** Facts about this run that belong into its record, for example the provider's address. */
  readonly facts: Readonly<Record<string, unknown>>
  world(context: ScenarioContext): World
  /** Asked when every scenario has ended: whether the implementation survived, or the reason why not. */
  survived(): Promise<string | undefined>
  close(): Promise<void>
}

export interface Profile<
  World,
  Declared,
  Configuration extends CommonConfiguration = CommonConfiguration,
> {
  /** `rap-oauth/tool`. */
  readonly id: string
  readonly title: string
  readonly requirements: readonly Requirement[]
  readonly scenarios: readonly Scenario<World, Declared>[]
  /** Driven first and alone; if it is unreached, the implementation cannot be driven and nothing else is tried. */
  readonly gate: string
  /** What the gate must have recorded: `atAll` lets the others be tried, `soon` beside it lets them begin before it ends. */
  readonly driven: {
    readonly soon: (transcript: Transcript) => unknown
    readonly atAll: (transcript: Transcript) => unknown
    /** Why nothing else is tried. */
    readonly otherwise: string
  }
  readonly configuration: z.ZodType<Configuration>
  readonly declared: (configuration: Configuration) => Declared
  readonly open: (options: {
    readonly run: Run
    readonly configuration: Configuration
    /** Folder against which relative paths of the configuration are resolved. */
    readonly base: string
    /** Folder for what must not outlive the run. */
    readonly workDirectory: string
    readonly onProvider?: ((issuer: string) => void) | undefined
  }) => Promise<Theatre<World>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds profiles of unrelated worlds
export type AnyProfile = Profile<any, any, any>

/** A scenario of a profile by its id. @throws Error when it has none */
export function findScenario<World, Declared, Configuration extends CommonConfiguration>(
  { id: profile, scenarios }: Profile<World, Declared, Configuration>,
  id: string,
): Scenario<World, Declared> {
  const scenario = scenarios.find((each) => each.id === id)
  if (!scenario) throw new Error(`no scenario ${id} in ${profile}`)
  return scenario
}

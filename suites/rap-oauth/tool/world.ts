/** Opens what the scenarios act in: the stages of a run, the discovered operation, and a world per scenario. */

import { setTimeout as delay } from 'node:timers/promises'
import {
  NotApplicable,
  openStage,
  prepareSurroundings,
  startCallbackReceiver,
  type CallbackReceiver,
  Unreachable,
  type Recorder,
  type Run,
  type ScenarioContext,
  type Stage,
  type StageOptions,
  type Surroundings,
  type Theatre,
} from '../../../harness/index.ts'
import type { ToolConfiguration } from './configuration.ts'
import { discover, type Endpoint } from './discovery.ts'
import { Tool, User, type Declarations } from './session.ts'
import { outputFiles } from './output-files.ts'

/** The issuer-level fault that an instance of its own may start with. */
export type IssuerFault = 'discovery-http-authorization-endpoint' | 'discovery-hang'

/** What a scenario acts with. */
export interface World extends Declarations {
  readonly tool: Tool
  /** The user of the scenario. */
  readonly user: User
  /** Another user, with an account of their own at the provider. */
  readonly newUser: (name: string) => User
  /** Watches for what must not happen: the observation window of the run. */
  readonly observe: () => Promise<void>
  /** Watches likewise, but no longer than a third of the declared pending timeout: the call must still be pending then. */
  readonly observeWhilePending: () => Promise<void>
  /** Waits without holding up other scenarios. */
  readonly aside: <T>(waiting: Promise<T>) => Promise<T>
  /** Marks this moment for the checks. */
  readonly mark: (name: string, detail?: Record<string, unknown>) => void
  /** Whether {@link ownInstance} is possible: the harness starts this tool. */
  readonly canOwnInstance: boolean
  /** A world of its own: another instance of the tool with another provider. */
  readonly ownInstance: (faults?: readonly IssuerFault[]) => Promise<World>
  /** A callback receiver of its own, which can be paused; not for tools inside this process. */
  readonly ownReceiver: () => Promise<CallbackReceiver>
  /** Ends every other scenario, then records the declared stores and logs. */
  readonly recordOutputFiles: () => Promise<void>
}

export async function openTheatre(options: {
  readonly run: Run
  readonly configuration: ToolConfiguration
  readonly base: string
  readonly workDirectory: string
  readonly onProvider?: ((issuer: string) => void) | undefined
}): Promise<Theatre<World>> {
  const { run, configuration, base, workDirectory, onProvider } = options
  const { target, provider, declares } = configuration
  const surroundings = await prepareSurroundings(
    run,
    {
      target,
      provider,
      base,
      placeholders: { pendingTimeoutMs: String(declares.pendingTimeout ?? '') },
    },
    workDirectory,
  )
  const stages = new Stages(surroundings, configuration)
  const shared = await stages.open({ name: 'shared', log: run.log, onProvider })
  const world = (context: ScenarioContext, stage: Stage, endpoint: Endpoint): World =>
    makeWorld({ run, configuration, context, stage, endpoint, stages })
  return {
    facts: {
      provider: shared.stage.issuer,
      implementation: shared.stage.implementation.url,
      endpoint: shared.endpoint.url,
      operation: shared.endpoint.operation,
      ...(shared.endpoint.problem ? { problem: shared.endpoint.problem } : {}),
    },
    world: (context) => world(context, shared.stage, shared.endpoint),
    survived: () => shared.stage.implementation.check(run.timing.stepMs),
    close: () => stages.close(),
  }
}

interface OpenStage {
  readonly stage: Stage
  readonly endpoint: Endpoint
}

/** All instances of the implementation that this run has started. */
class Stages {
  readonly surroundings: Surroundings
  readonly #configuration: ToolConfiguration
  readonly #open = new Set<Stage>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(surroundings: Surroundings, configuration: ToolConfiguration) {
    this.surroundings = surroundings
    this.#configuration = configuration
  }

  async open(options: StageOptions): Promise<OpenStage> {
    const stage = await openStage(this.surroundings, options)
    this.#open.add(stage)
    const endpoint = await discover(stage, this.#configuration, this.surroundings.run)
    return { stage, endpoint }
  }

  /** With fixed ports two instances cannot live side by side: the shared one goes first, then one at a time. */
  async openAlone(options: StageOptions, { sharing, ended }: ScenarioContext): Promise<OpenStage> {
    const { target, provider } = this.#configuration
    if (target.url.includes('{port}') && provider.port === 0) return this.open(options)
    const opened = this.#turn.then(async () => {
      await sharing()
      await this.close()
      return this.open(options)
    })
    // The next one has its turn when this scenario has ended.
    this.#turn = opened.then(
      () => ended,
      () => undefined,
    )
    return opened
  }

  async close(): Promise<void> {
    const stages = [...this.#open]
    this.#open.clear()
    await Promise.all(stages.map((stage) => stage.close()))
  }
}

interface WorldParts {
  readonly run: Run
  readonly configuration: ToolConfiguration
  readonly context: ScenarioContext
  readonly stage: Stage
  readonly endpoint: Endpoint
  readonly stages: Stages
}

function makeWorld(parts: WorldParts): World {
  const { run, configuration, context, stage, endpoint, stages } = parts
  const { recorder, aside } = context
  stage.records.enter(recorder)
  const origins = [...stage.origins.keys()]
  recorder.record({
    type: 'step',
    action: 'stage',
    detail: { name: stage.name, origins, operation: endpoint.operation },
  })
  const watch = async (ms: number): Promise<void> => {
    await aside(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
    if (!run.signal.aborted) recorder.record({ type: 'step', action: 'window', detail: { ms } })
  }
  const longestWhilePending = (configuration.declares.pendingTimeout ?? Infinity) / 3
  const newUser = (name: string): User => new User({ name, recorder, stage, run, aside })
  return {
    pendingTimeoutMs: configuration.declares.pendingTimeout,
    timing: run.timing,
    tool: new Tool({ recorder, stage, endpoint, run, aside, configuration }),
    user: newUser('user'),
    newUser,
    aside,
    mark: (name, detail = {}) =>
      recorder.record({ type: 'step', action: 'mark', detail: { name, ...detail } }),
    observe: () => watch(run.timing.observeMs),
    observeWhilePending: () => watch(Math.min(run.timing.observeMs, longestWhilePending)),
    canOwnInstance: configuration.target.command !== undefined,
    async ownInstance(faults = []) {
      if (configuration.target.command === undefined) {
        throw new NotApplicable(
          'the harness does not start this tool, so it cannot have an instance of its own',
        )
      }
      const options = { name: `own-${recorder.scenario}`, log: recorder, issuerFaults: faults }
      try {
        return makeWorld({ ...parts, ...(await aside(stages.openAlone(options, context))) })
      } catch (error) {
        if (!(error instanceof Unreachable) || faults.length === 0) throw error
        throw new NotApplicable(
          `with ${faults.join(', ')} this tool does not start: ${error.message}`,
        )
      }
    },
    async ownReceiver() {
      if (configuration.target.module)
        throw new NotApplicable('a tool inside this process uses no connections')
      return startCallbackReceiver({ stray: recorder })
    },
    async recordOutputFiles() {
      await context.others()
      recordFiles(recorder, parts)
    },
  }
}

function recordFiles(recorder: Recorder, { run, configuration, stages }: WorldParts): void {
  const { base } = stages.surroundings.configuration
  const { tokenStore = [], logs = [] } = configuration.declares
  const root = stages.surroundings.dataRoot
  for (const [kind, patterns] of [
    ['store', tokenStore],
    ['log', logs],
  ] as const) {
    const { files, truncated } = outputFiles(patterns, base, root)
    for (const { path, text, bytes, modified } of files) {
      const since = Math.round(run.now() - (Date.now() - modified))
      const source = `${kind} ${path}`
      recorder.record({ type: 'output', source, text, bytes, modified: since })
    }
    if (truncated) recorder.record({ type: 'step', action: 'unscanned', detail: { kind } })
  }
}

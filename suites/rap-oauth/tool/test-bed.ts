/** Opens what the scenarios act in: the deployments of a run, the discovered operation, and fixtures per scenario. */

import { User } from '../../oauth-client/user.ts'
import { setTimeout as delay } from 'node:timers/promises'
import {
  NotOffered,
  Patience,
  Unreachable,
  type OpenOptions,
  type Recorder,
  type Run,
  type ScenarioContext,
  type TestBed,
} from '../../../harness/engine/index.ts'
import {
  openDeployment,
  prepareSurroundings,
  startCallbackReceiver,
  type CallbackReceiver,
  type Deployment,
  type DeploymentOptions,
  type Surroundings,
} from '../../../harness/parties/index.ts'
import type { ToolConfiguration } from './configuration.ts'
import type { ClientFixtures } from '../../oauth-client/handoff.ts'
import { discover, type Endpoint } from './discovery.ts'
import { Call, Tool } from './session.ts'
import { outputFiles } from './output-files.ts'

/** The issuer-level fault that an instance of its own may start with. */
export type IssuerFault =
  | 'discovery-http-authorization-endpoint'
  | `${'discovery' | 'register' | 'par'}-${'hang' | 'error-500'}`

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures {
  readonly tool: Tool
  readonly pendingTimeoutMs: number | undefined
  /** Whether {@link ownInstance} is possible: the harness starts this tool. */
  readonly canOwnInstance: boolean
  /** Fixtures of its own: another instance of the tool with another provider. */
  readonly ownInstance: (faults?: readonly IssuerFault[]) => Promise<Fixtures>
  /** A callback receiver of its own, which can be paused; not for tools inside this process. */
  readonly ownReceiver: () => Promise<CallbackReceiver>
  /** Ends every other scenario, then records the declared stores and logs. */
  readonly recordOutputFiles: () => Promise<void>
}

export async function openTestBed(
  options: OpenOptions<ToolConfiguration>,
): Promise<TestBed<Fixtures>> {
  const { run, configuration, base, workDirectory, onPeer } = options
  const { target, provider, declares } = configuration
  const surroundings = await prepareSurroundings(
    run,
    {
      target,
      provider,
      base,
      placeholders: { pendingTimeoutMs: String(declares.pendingTimeout ?? '') },
      urlAs: 'tool.url',
    },
    workDirectory,
  )
  const deployments = new Deployments(surroundings, configuration)
  const patience = new Patience(run.timing)
  const shared = await deployments.open({ name: 'shared', log: run.log, onPeer })
  const fixtures = (
    context: ScenarioContext,
    deployment: Deployment,
    endpoint: Endpoint,
  ): Fixtures =>
    makeFixtures({ run, configuration, context, deployment, endpoint, deployments, patience })
  return {
    facts: {
      provider: shared.deployment.issuer,
      implementation: shared.deployment.implementation.url,
      endpoint: shared.endpoint.url,
      operation: shared.endpoint.operation,
      ...(shared.endpoint.problem ? { problem: shared.endpoint.problem } : {}),
    },
    fixtures: (context) => fixtures(context, shared.deployment, shared.endpoint),
    survived: () => shared.deployment.implementation.check(run.timing.stepMs),
    close: () => deployments.close(),
  }
}

interface OpenStage {
  readonly deployment: Deployment
  readonly endpoint: Endpoint
}

/** All instances of the implementation that this run has started. */
class Deployments {
  readonly surroundings: Surroundings
  readonly #configuration: ToolConfiguration
  readonly #open = new Set<Deployment>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(surroundings: Surroundings, configuration: ToolConfiguration) {
    this.surroundings = surroundings
    this.#configuration = configuration
  }

  async open(options: DeploymentOptions): Promise<OpenStage> {
    const deployment = await openDeployment(this.surroundings, options)
    this.#open.add(deployment)
    const endpoint = await discover(deployment, this.#configuration, this.surroundings.run)
    return { deployment, endpoint }
  }

  /** With fixed ports two instances cannot live side by side: the shared one goes first, then one at a time. */
  async openAlone(
    options: DeploymentOptions,
    { sharing, ended }: ScenarioContext,
  ): Promise<OpenStage> {
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
    const deployments = [...this.#open]
    this.#open.clear()
    await Promise.all(deployments.map((deployment) => deployment.close()))
  }
}

interface FixtureParts {
  readonly run: Run
  readonly configuration: ToolConfiguration
  readonly context: ScenarioContext
  readonly deployment: Deployment
  readonly endpoint: Endpoint
  readonly deployments: Deployments
  readonly patience: Patience
}

function makeFixtures(parts: FixtureParts): Fixtures {
  const { run, configuration, context, deployment, endpoint, deployments, patience } = parts
  const { recorder, offSlot, lendSlot } = context
  deployment.records.enter(recorder)
  const origins = [...deployment.origins.keys()]
  recorder.record({
    type: 'step',
    action: 'deployment',
    detail: { name: deployment.name, origins, operation: endpoint.operation },
  })
  const watch = async (ms: number): Promise<void> => {
    await offSlot(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
    if (!run.signal.aborted) recorder.record({ type: 'step', action: 'window', detail: { ms } })
  }
  const longestWhilePending = (configuration.declares.pendingTimeout ?? Infinity) / 3
  const tool = new Tool({
    recorder,
    deployment,
    endpoint,
    run,
    offSlot,
    lendSlot,
    configuration,
    patience,
  })
  const newUser = (name: string): User =>
    new User({ name, recorder, deployment, run, lendSlot, patience })
  return {
    pendingTimeoutMs: configuration.declares.pendingTimeout,
    timing: run.timing,
    tool,
    begin: (as, beside) => {
      const groupId = beside instanceof Call ? beside.sent.group_id : undefined
      return tool.invoke({ as, ...(groupId === undefined ? {} : { groupId }) })
    },
    forgedCode: (call) => tool.forgedCode(call),
    elsewhere: () => tool.elsewhere(),
    hasAsked: (isThere) => tool.asked(isThere),
    restart: () => tool.restart(),
    user: newUser('user'),
    newUser,
    offSlot,
    mark: (name, detail = {}) =>
      recorder.record({ type: 'step', action: 'mark', detail: { name, ...detail } }),
    observe: (ms = run.timing.observeMs) => watch(ms),
    observeWhilePending: () => watch(Math.min(run.timing.observeMs, longestWhilePending)),
    canOwnInstance: configuration.target.command !== undefined,
    async ownInstance(faults = []) {
      if (configuration.target.command === undefined) {
        throw new Error('a scenario that needs an instance of its own has to say so')
      }
      const options = { name: `own-${recorder.scenario}`, log: recorder, issuerFaults: faults }
      try {
        return makeFixtures({
          ...parts,
          ...(await offSlot(deployments.openAlone(options, context))),
        })
      } catch (error) {
        if (!(error instanceof Unreachable) || faults.length === 0) throw error
        throw new NotOffered(`with ${faults.join(', ')} it does not start: ${error.message}`)
      }
    },
    async ownReceiver() {
      if (configuration.target.module)
        throw new Error('a scenario that needs connections has to say so')
      return startCallbackReceiver({ stray: recorder })
    },
    async recordOutputFiles() {
      await context.others()
      await recordFiles(recorder, parts)
    },
  }
}

async function recordFiles(
  recorder: Recorder,
  { run, configuration, deployments }: FixtureParts,
): Promise<void> {
  const { base } = deployments.surroundings.configuration
  const { tokenStore = [], logs = [] } = configuration.declares
  const root = deployments.surroundings.dataRoot
  for (const [kind, patterns] of [
    ['store', tokenStore],
    ['log', logs],
  ] as const) {
    const { files, truncated } = await outputFiles(patterns, base, root)
    for (const { path, text, bytes, modified } of files) {
      const since = Math.round(run.now() - (Date.now() - modified))
      const source = `${kind} ${path}`
      recorder.record({ type: 'output', source, text, bytes, modified: since })
    }
    if (truncated) recorder.record({ type: 'step', action: 'unscanned', detail: { kind } })
  }
}

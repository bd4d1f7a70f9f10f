/** Opens what the scenarios act in: the deployments of a run, the discovered operation, and fixtures per scenario. */

import { User } from '../../oauth-client/user.ts'
import { userNames } from '../../oauth-client/vocabulary.ts'
import {
  Patience,
  type OpenOptions,
  type Run,
  type ScenarioContext,
  type TestBed,
} from '../../../harness/engine/index.ts'
import {
  Deployments,
  movedInstances,
  prepareSurroundings,
  startCallbackReceiver,
  type CallbackReceiver,
  type Deployment,
  type DeploymentOptions,
  type Jumps,
  type MovedInstances,
} from '../../../harness/parties/index.ts'
import type { ToolConfiguration } from './configuration.ts'
import type { ClientFixtures } from '../../oauth-client/handoff.ts'
import { sharedFixtures, type SharedFixtures } from '../../oauth-client/fixtures.ts'
import { openMovable } from '../../oauth-client/movable.ts'
import { discover, type Endpoint } from './discovery.ts'
import { Pace } from '../../oauth-client/pace.ts'
import { manifestPath } from './vocabulary.ts'
import { Call } from './call.ts'
import { Tool } from './session.ts'
import { callOf } from './view.ts'

/** The issuer-level fault that an instance of its own may start with. */
export type IssuerFault =
  | 'discovery-http-authorization-endpoint'
  | `${'discovery' | 'register' | 'par'}-${'hang' | 'error-500'}`

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures, SharedFixtures {
  readonly tool: Tool
  readonly pendingTimeoutMs: number | undefined
  readonly movable: (pending?: boolean) => Promise<Fixtures>
  /** Fixtures of its own: another instance of the tool with another provider. */
  readonly ownInstance: (faults?: readonly IssuerFault[]) => Promise<Fixtures>
  /** A callback receiver of its own, which can be paused; not for tools inside this process. */
  readonly ownReceiver: () => Promise<CallbackReceiver>
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
  const deployments = new Deployments(surroundings)
  const patience = new Patience(run.timing)
  const pace = new Pace()
  const time = movedInstances(options, manifestPath)
  const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
  const shared = { deployment, endpoint: await discover(deployment, configuration, run) }
  const fixtures = (
    context: ScenarioContext,
    deployment: Deployment,
    endpoint: Endpoint,
  ): Fixtures =>
    makeFixtures({
      run,
      configuration,
      context,
      deployment,
      endpoint,
      deployments,
      patience,
      pace,
      time,
    })
  return {
    facts: {
      provider: shared.deployment.issuer,
      implementation: shared.deployment.implementation.url,
      endpoint: shared.endpoint.url,
      operation: shared.endpoint.operation,
      ...(time ? { clock: time.facts } : {}),
      ...(shared.endpoint.problem ? { problem: shared.endpoint.problem } : {}),
    },
    fixtures: (context) => fixtures(context, shared.deployment, shared.endpoint),
    survived: () => shared.deployment.implementation.check(run.timing.stepMs),
    close: () => deployments.close(),
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
  readonly pace: Pace
  readonly time: MovedInstances | undefined
  /** The clock of the instance, where it can be moved. */
  readonly clock?: Jumps
}

function makeFixtures(parts: FixtureParts): Fixtures {
  const {
    run,
    configuration,
    context,
    deployment,
    endpoint,
    deployments,
    patience,
    pace,
    clock,
    time,
  } = parts
  const { recorder, offSlot, lendSlot } = context
  deployment.records.enter(recorder)
  const origins = [...deployment.origins.keys()]
  recorder.record({
    type: 'step',
    action: 'deployment',
    detail: { name: deployment.name, origins, operation: endpoint.operation },
  })
  const shared = sharedFixtures(
    { callOf },
    {
      run,
      context,
      deployment,
      surroundings: deployments.surroundings,
      declares: configuration.declares,
    },
  )
  const tool = new Tool({
    recorder,
    deployment,
    endpoint,
    run,
    offSlot,
    lendSlot,
    patience,
    pace,
  })
  const nameUser = userNames(run.newName)
  const refreshLeewayMs = configuration.declares.refreshLeeway
  const newUser = (kind: string): User =>
    new User({
      id: nameUser(kind),
      recorder,
      deployment,
      run,
      lendSlot,
      patience,
      clock,
      refreshLeewayMs,
    })
  const openOwn = (
    faults?: readonly IssuerFault[],
    moved?: Pick<DeploymentOptions, 'name' | 'clock'>,
  ) =>
    shared.openOwn(async (options) => {
      const opened = await deployments.openAlone({ ...options, ...moved }, context)
      return { deployment: opened, endpoint: await discover(opened, configuration, run) }
    }, faults)
  const fixtures: Fixtures = {
    ...shared,
    clock,
    pendingTimeoutMs: configuration.declares.pendingTimeout,
    tool,
    begin: (as, beside) => {
      const groupId = beside instanceof Call ? beside.groupId : undefined
      return tool.invoke({ as, ...(groupId === undefined ? {} : { groupId }) })
    },
    user: newUser('user'),
    newUser,
    ownInstance: async (faults) => makeFixtures({ ...parts, ...(await openOwn(faults)) }),
    async movable(pending = false) {
      const moved = await openMovable({
        time,
        context,
        open: (options) => openOwn([], options),
        clocked: ({ deployment }) => deployment,
        make: (own, more) => makeFixtures({ ...parts, ...own, ...more }),
        timers: pending,
      })
      return moved ?? fixtures
    },
    async ownReceiver() {
      if (configuration.target.module)
        throw new Error('a scenario that needs connections has to say so')
      return startCallbackReceiver({ stray: recorder })
    },
  }
  return fixtures
}

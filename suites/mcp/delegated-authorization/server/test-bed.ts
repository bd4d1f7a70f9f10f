/** Opens what the scenarios act in: the deployments of a run, the tool to call, and fixtures per scenario. */

import {
  Patience,
  Unreached,
  type OpenOptions,
  type Run,
  type ScenarioContext,
  type TestBed,
} from '../../../../harness/engine/index.ts'
import {
  Deployments,
  movedInstances,
  prepareSurroundings,
  type Deployment,
  type Jumps,
  type MovedInstances,
} from '../../../../harness/parties/index.ts'
import { sharedFixtures, type SharedFixtures } from '../../../oauth-client/fixtures.ts'
import type { ClientFixtures } from '../../../oauth-client/handoff.ts'
import { forgetting, ownDeployments } from '../../../oauth-client/movable.ts'
import type { PendingCall } from '../../../oauth-client/pending-call.ts'
import { User } from '../../../oauth-client/user.ts'
import { userNames } from '../../../oauth-client/vocabulary.ts'
import {
  Connections,
  type Connection,
  type ConnectOptions,
  type Forging,
} from '../../server/connections.ts'
import { findToolOf, type ToolToCall } from '../../server/discovery.ts'
import { endpointOf } from '../../server/open-client.ts'
import { sessionOf } from '../../server/session-of.ts'
import { unknownProviders } from '../../server/unknown-providers.ts'
import type { Session } from '../../wire/link.ts'
import { authRequest, declarations } from '../auth-request.ts'
import type { ServerConfiguration } from './configuration.ts'
import { redirectUrl } from './redirect-url.ts'
import { Call } from './session.ts'
import { callOf } from './view.ts'

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures, SharedFixtures {
  /** Lets a user call the tool on a connection of their own, and goes on without waiting. */
  readonly begin: (as: User, options?: ConnectOptions | PendingCall) => Call
  /** Tries to open a connection: whether the server let it. */
  readonly connect: (as: User, options?: ConnectOptions) => Promise<boolean>
  /** What the handshake of a connection agreed on, if there was one. */
  readonly sessionOf: (connection: Connection) => Session | undefined
  readonly ownInstance: () => Promise<Fixtures>
}

export async function openTestBed(
  options: OpenOptions<ServerConfiguration>,
): Promise<TestBed<Fixtures>> {
  const { run, configuration, base, workDirectory, onPeer } = options
  const { target, provider, declares } = configuration
  const redirectUris = provider.client.redirectUris ?? [redirectUrl]
  const surroundings = await prepareSurroundings(
    run,
    {
      target,
      // The redirect lands at the client, which the harness plays.
      provider: { ...provider, client: { ...provider.client, redirectUris } },
      base,
      placeholders: {
        pendingTimeoutMs: String(declares.pendingTimeout ?? ''),
        'redirect.url': redirectUris[0] ?? redirectUrl,
      },
      urlAs: 'server.url',
      // Over stdio it has nothing to serve: the redirect lands at the client.
      startedByClients: target.transport === 'stdio',
      listens: target.transport !== 'stdio',
    },
    workDirectory,
  )
  const deployments = new Deployments(surroundings)
  const time = movedInstances(options)
  const unknown = unknownProviders(surroundings)
  const forging = { signingKeys: surroundings.signingKey, unknownProvider: unknown.open }
  const patience = new Patience(run.timing)
  const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
  const parts = { run, configuration, deployments, time, patience, forging }
  const tool = await findToolOf(configuration, connectionsOf(parts, deployment))
  return {
    facts: {
      provider: deployment.issuer,
      implementation: deployment.implementation.url,
      endpoint: endpointOf(deployment, target),
      operation: 'problem' in tool ? '' : tool.name,
      ...('problem' in tool ? { problem: tool.problem } : {}),
      ...(time ? { clock: time.facts } : {}),
    },
    fixtures: (context) => makeFixtures({ ...parts, context, deployment, tool }),
    survived: () => deployment.implementation.check(run.timing.stepMs),
    async close() {
      await deployments.close()
      await unknown.close()
    },
  }
}

interface RunParts {
  readonly run: Run
  readonly configuration: ServerConfiguration
  readonly deployments: Deployments
  readonly time: MovedInstances | undefined
  readonly patience: Patience
  readonly forging: Forging
}

interface FixtureParts extends RunParts {
  readonly context: ScenarioContext
  readonly deployment: Deployment
  /** The clock of the instance, where it is moved. */
  readonly clock?: Jumps
  readonly tool: ToolToCall | { readonly problem: string }
}

function connectionsOf(
  { run, configuration, patience, forging }: RunParts,
  deployment: Deployment,
  recorder = run.log,
  calls: readonly Call[] = [],
): Connections {
  return new Connections({
    run,
    patience,
    configuration,
    deployment,
    recorder,
    forging,
    capabilities: declarations[configuration.declares.capability],
    endpoint: endpointOf(deployment, configuration.target),
    onRequest(request, name) {
      const call = calls.find((each) => each.name === name)
      if (call === undefined || request.method !== authRequest) return false
      call.onRequest(request)
      return true
    },
  })
}

function makeFixtures(parts: FixtureParts): Fixtures {
  const { run, configuration, context, deployment, deployments, tool, patience } = parts
  const { time } = parts
  const { recorder, offSlot, lendSlot } = context
  deployment.records.enter(recorder)
  const detail = {
    name: deployment.name,
    origins: [...deployment.origins.keys()],
    endpoint: endpointOf(deployment, configuration.target),
    ...('problem' in tool ? {} : { tool: tool.name }),
  }
  recorder.record({ type: 'step', action: 'deployment', detail })
  const calls: Call[] = []
  const connections = connectionsOf(parts, deployment, recorder, calls)
  void context.ended.then(() => connections.close())
  const clock = forgetting(parts.clock, () => connections.forget())
  const { surroundings } = deployments
  const { declares } = configuration
  const shared = sharedFixtures({ callOf }, { run, context, deployment, surroundings, declares })
  const owned = ownDeployments(shared, {
    deployments,
    time,
    context,
    make: (deployment, more) => makeFixtures({ ...parts, deployment, ...more }),
  })
  const nameUser = userNames(run.newName)
  const giveBack = (pending: PendingCall, url: string) => {
    const call = calls.find(({ name }) => name === pending.name)
    if (!call) throw new TypeError(`${pending.name} is no call of this scenario`)
    return call.returned(url)
  }
  const newUser = (kind: string): User =>
    new User({
      id: nameUser(kind),
      recorder,
      deployment,
      run,
      lendSlot,
      patience,
      clock,
      refreshLeewayMs: declares.refreshLeeway,
      giveBack,
    })
  return {
    ...shared,
    user: newUser('user'),
    newUser,
    begin(as, options = {}) {
      if ('problem' in tool) throw new Unreached(tool.problem)
      // MCP has no conversations that a call could be made in.
      const own = 'asked' in options ? {} : options
      const parts = { recorder, run, tool, connections, offSlot, lendSlot, patience }
      const call = new Call(`call-${calls.length + 1}`, as, own, parts)
      const before = calls.findLast(({ connection }) => connection === call.connection)
      calls.push(call)
      call.begin(configuration.target.transport === 'stdio' ? before : undefined)
      return call
    },
    connect: (as, options) => lendSlot(connections.opens(as, options)),
    sessionOf: ({ name }) => sessionOf(recorder.transcript(), name),
    async restart() {
      await shared.restart()
      connections.forget()
    },
    async ownInstance() {
      return makeFixtures({ ...parts, deployment: await owned.open() })
    },
    movable: () => owned.movable(),
  }
}

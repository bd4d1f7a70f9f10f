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
  type Decision,
  type Deployment,
  type Jumps,
  type MovedInstances,
} from '../../../../harness/parties/index.ts'
import type { ClientFixtures } from '../../../oauth-client/handoff.ts'
import { forgetting, ownDeployments } from '../../../oauth-client/movable.ts'
import type { PendingCall } from '../../../oauth-client/pending-call.ts'
import { sharedFixtures, type SharedFixtures } from '../../../oauth-client/fixtures.ts'
import { User, type Flow } from '../../../oauth-client/user.ts'
import { userNames } from '../../../oauth-client/vocabulary.ts'
import { endpointOf } from '../../server/open-client.ts'
import { sessionOf } from '../../server/session-of.ts'
import type { Session } from '../../wire/link.ts'
import { urlMode } from '../elicitation.ts'
import type { ServerConfiguration } from './configuration.ts'
import {
  Connections,
  type Connection,
  type ConnectOptions,
  type Forging,
} from '../../server/connections.ts'
import { findToolOf, type ToolToCall } from '../../server/discovery.ts'
import { unknownProviders } from '../../server/unknown-providers.ts'
import { Logins, visitTo } from './logins.ts'
import { Call, type CallOptions } from './session.ts'
import { callOf, isLogin } from './view.ts'

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures, SharedFixtures {
  /** Lets a user call the tool on a connection of their own, and goes on without waiting. */
  readonly begin: (as: User, options?: CallOptions | PendingCall) => Call
  /** Arguments that make another call of the tool. */
  readonly otherArguments: Readonly<Record<string, unknown>> | undefined
  /** Whether there is anything to authorize where its URL leads. */
  readonly oauthClient: boolean
  /** Whether the endpoint demands a token, by which its users can be told apart. */
  readonly authorization: boolean
  /** Tries to open a connection: whether the server let it. */
  readonly connect: (as: User, options?: ConnectOptions) => Promise<boolean>
  /** Has somebody answer, on a connection of their own, what a call of another one is asked. */
  readonly answerFor: (
    as: User,
    call: Call,
    action: string,
    options?: ConnectOptions,
  ) => Promise<void>
  /** What the handshake of a connection agreed on, if there was one. */
  readonly sessionOf: (connection: Connection) => Session | undefined
  /** Has the browser of a user log in at the server, where that is declared. */
  readonly login: (user: User) => Promise<void>
  /** Has them log in as far as the provider, without following the way back. */
  readonly beginLogin: (user: User, decision?: Partial<Decision>) => Promise<Flow>
  /** Opens a URL in the browser of a user who approves whatever they are asked, and stops where it goes no further. */
  readonly openAsFarAsPossible: (user: User, call: Call, url: string) => Promise<void>
  /** Opens a URL up to the consent page, and leaves it at that; the client of the call is told nothing. */
  readonly openUpToConsent: (user: User, call: Call, url: string) => Promise<string>
  readonly ownInstance: () => Promise<Fixtures>
}

export async function openTestBed(
  options: OpenOptions<ServerConfiguration>,
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
      urlAs: 'server.url',
      startedByClients: target.transport === 'stdio',
      // Where such a program leads its user may be at somebody else's.
      listens: target.transport !== 'stdio',
      // One for the API, and one to log in.
      redirectUris: declares.login === undefined ? 1 : 2,
      logsIn: declares.login !== undefined,
    },
    workDirectory,
  )
  const deployments = new Deployments(surroundings)
  const time = movedInstances(options)
  const unknown = unknownProviders(surroundings)
  const patience = new Patience(run.timing)
  const forging = { signingKeys: surroundings.signingKey, unknownProvider: unknown.open }
  const parts = { run, configuration, deployments, time, patience, forging }
  const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
  const tool = await findToolOf(
    configuration,
    new Connections({
      run,
      patience: parts.patience,
      configuration,
      deployment,
      capabilities: urlMode,
      endpoint: endpointOf(deployment, target),
      recorder: run.log,
      onRequest: () => false,
    }),
  )
  return {
    facts: {
      provider: deployment.issuer,
      // Over stdio there is no address: every connection has a process of its own.
      ...(target.transport === 'http' && { implementation: deployment.implementation.url }),
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
  const connections = new Connections({
    run,
    patience,
    configuration,
    deployment,
    recorder,
    capabilities: urlMode,
    endpoint: detail.endpoint,
    forging: parts.forging,
    onRequest(request, name) {
      const call = calls.find((each) => each.name === name)
      if (call === undefined || request.method !== 'elicitation/create') return false
      call.onRequest(request)
      return true
    },
  })
  void context.ended.then(() => connections.close())
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
  const owned = ownDeployments(shared, {
    deployments,
    time,
    context,
    make: (deployment, more) => makeFixtures({ ...parts, deployment, ...more }),
  })
  const logins = new Logins({ deployment, configuration })
  const clock = forgetting(parts.clock, () => {
    connections.forget()
    logins.forget()
  })
  const nameUser = userNames(run.newName)
  const newUser = (kind: string): User =>
    new User({
      id: nameUser(kind),
      recorder,
      deployment,
      run,
      lendSlot,
      patience,
      clock,
      refreshLeewayMs: configuration.declares.refreshLeeway,
      presses: true,
      isLogin: (id) => isLogin(recorder.transcript(), id),
    })
  return {
    ...shared,
    user: newUser('user'),
    newUser,
    otherArguments: configuration.tool.otherArguments,
    oauthClient: configuration.declares.oauthClient,
    authorization: configuration.target.authorization,
    begin(as, options = {}) {
      if ('problem' in tool) throw new Unreached(tool.problem)
      const login = (user: User): Promise<void> => logins.login(user)
      // MCP has no conversations that a call could be made in.
      const own = 'asked' in options ? {} : options
      const call = new Call(`call-${calls.length + 1}`, as, own, {
        recorder,
        run,
        tool,
        connections,
        offSlot,
        lendSlot,
        patience,
        login,
      })
      calls.push(call)
      call.begin()
      return call
    },
    connect: (as, options) => lendSlot(connections.opens(as, options)),
    async answerFor(as, call, action, options) {
      const client = await connections.of(as, options).opened
      for (const request of call.pending) client.respond(request, { result: { action } })
    },
    sessionOf: ({ name }) => sessionOf(recorder.transcript(), name),
    login: (user) => logins.login(user),
    beginLogin: (user, decision) => logins.begin(user, decision),
    openAsFarAsPossible: (user, call, url) => openAsFarAsPossible(user, call, url),
    openUpToConsent: (user, call, url) => user.open(visitTo(url, call.name)),
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

/** Consent pages that one link may lead to: that of a login, that of the API, and one more. */
const mostPages = 3

async function openAsFarAsPossible(user: User, call: Call, url: string): Promise<void> {
  let visit = await user.follow({ call, authorization: '', redirect: url })
  for (let page = 0; page < mostPages && visit.ended === 'interaction'; page += 1) {
    visit = await user.follow(await user.decide(call, visit.authorization))
  }
}

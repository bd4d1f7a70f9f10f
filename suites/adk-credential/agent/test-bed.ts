/** Opens what the scenarios act in: the model, the agent with its provider, and fixtures per scenario. */

import { randomBytes } from 'node:crypto'
import {
  Patience,
  Unreachable,
  Unreached,
  jsonOf,
  type OpenOptions,
  type Run,
  type ScenarioContext,
  type TestBed,
} from '../../../harness/engine/index.ts'
import {
  Deployments,
  HttpFailure,
  ModelScript,
  movedInstances,
  prepareSurroundings,
  startScriptedModel,
  type Deployment,
  type Jumps,
  type MovedInstances,
  type ScriptedModel,
} from '../../../harness/parties/index.ts'
import { sharedFixtures, type SharedFixtures } from '../../oauth-client/fixtures.ts'
import type { ClientFixtures } from '../../oauth-client/handoff.ts'
import { ownDeployments } from '../../oauth-client/movable.ts'
import type { PendingCall } from '../../oauth-client/pending-call.ts'
import { User } from '../../oauth-client/user.ts'
import { userNames } from '../../oauth-client/vocabulary.ts'
import { listIn } from '../wire.ts'
import { adaptedApi, startAdapted, type AdaptedAgent } from './adapted-agent.ts'
import { restApi, type Answered } from './agent-api.ts'
import { declaredBy, isAdapted, type AgentConfiguration, type Declared } from './configuration.ts'
import { Call, type Answer, type CallOptions } from './session.ts'
import { otherPath } from './other-path.ts'
import { callOf } from './view.ts'

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures, SharedFixtures {
  readonly declared: Declared
  readonly configuration: AgentConfiguration
  /** Lets a user ask for what needs their authorization, in a session of its own unless told which. */
  readonly begin: (as: User, options?: CallOptions | PendingCall) => Call
  /** A name for a session that there is not yet. */
  readonly newSession: () => string
  /** The nth request for a credential of a call, as something that waits for its user by itself. */
  readonly asking: (call: Call, nth: number) => PendingCall
  /** Hands the callback of a flow to the agent in an altered answer. */
  readonly give: (call: Call, url: string, answer: Answer) => Promise<void>
  /** Has the credential of a flow made for somebody else, at the consent leg. */
  readonly completeFor: (user: User, call: Call, url: string) => Promise<void>
  /** A URL of the provider's own host that is not its token endpoint; what comes there with this code is recorded. */
  readonly otherEndpoint: (call: Call, redirect: string) => string
  /** A token that no provider issued; a request to the API with it is recorded with the call of that name. */
  readonly forgedToken: (call: string) => string
  /** Reads the session of a call, as the client application may. */
  readonly readSession: (call: Call) => Promise<Answered>
  readonly ownInstance: () => Promise<Fixtures>
}

export async function openTestBed(
  options: OpenOptions<AgentConfiguration>,
): Promise<TestBed<Fixtures>> {
  const { run, configuration, onPeer } = options
  const script = new ModelScript(run)
  const { decide, record } = script
  const port = configuration.listen.model
  const model = await startScriptedModel({ decide, onExchange: record, port })
  onPeer?.('model', model.origin)
  const surroundings = await surroundingsOf(options, model)
  const deployments = new Deployments(surroundings)
  const adapted = new Set<AdaptedAgent>()
  const time = movedInstances(options)
  const close = async (): Promise<void> => {
    await Promise.all([...adapted].map((agent) => agent.stop()))
    await deployments.close()
    await model.close()
  }
  const adapt = async (deployment: Deployment): Promise<AdaptedAgent | undefined> => {
    if (!isAdapted(configuration.api)) return undefined
    const agent = await startAdapted(deployment, deployments.surroundings, configuration)
    adapted.add(agent)
    return agent
  }
  try {
    const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
    const agent = await adapt(deployment)
    const { app: named } = configuration.api
    const app = named ?? (agent ? 'agent' : await firstApp(run, configuration, deployment))
    const patience = new Patience(run.timing)
    const parts = {
      run,
      time,
      configuration,
      deployments,
      deployment,
      agent,
      adapt,
      script,
      app,
      patience,
    }
    return {
      facts: {
        provider: deployment.issuer,
        implementation: agent
          ? configuration.target.command?.join(' ')
          : deployment.implementation.url,
        model: model.origin,
        app,
        operation: configuration.operation.name,
        dialect: declaredBy(configuration).dialect,
        ...(time ? { clock: time.facts } : {}),
      },
      fixtures: (context) => makeFixtures({ ...parts, context }),
      survived: () =>
        agent ? Promise.resolve(agent.lost) : deployment.implementation.check(run.timing.stepMs),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function surroundingsOf(
  { run, configuration, base, workDirectory }: OpenOptions<AgentConfiguration>,
  model: ScriptedModel,
) {
  const { target, provider, api } = configuration
  const { client } = provider
  const redirectUris = client.redirectUris ?? [api.redirectUri]
  return prepareSurroundings(
    run,
    {
      target,
      // The redirect lands at the client application, which the harness plays.
      provider: { ...provider, client: { ...client, redirectUris } },
      base,
      placeholders: {
        'model.origin': model.origin,
        'model.url': model.baseUrl,
        'model.key': `mk_${randomBytes(24).toString('base64url')}`,
        'model.name': 'model-1',
        'redirect.url': api.redirectUri,
      },
      urlAs: 'agent.url',
      startedByClients: isAdapted(api),
    },
    workDirectory,
  )
}

/** @throws Unreachable when the agent lists none */
async function firstApp(
  run: Run,
  { api }: AgentConfiguration,
  { implementation, transport }: Deployment,
): Promise<string> {
  const url = new URL(`${api.prefix}/list-apps`, `${implementation.url}/`).href
  const { headers } = implementation
  const within = run.timing.maxWaitMs
  const answer = await transport({ method: 'GET', url, headers, within }).catch(
    (error: unknown) => {
      if (error instanceof HttpFailure) return undefined
      throw error
    },
  )
  const [first] = listIn(jsonOf(answer?.body))
  if (typeof first === 'string') return first
  const how = answer ? `HTTP ${answer.status}` : 'no answer'
  throw new Unreachable(`GET ${url} lists no application (${how}): configure api.app`)
}

interface FixtureParts {
  readonly run: Run
  readonly configuration: AgentConfiguration
  readonly deployments: Deployments
  readonly time: MovedInstances | undefined
  readonly deployment: Deployment
  /** Behind an adapter; nothing where it serves the REST API. */
  readonly agent: AdaptedAgent | undefined
  readonly adapt: (deployment: Deployment) => Promise<AdaptedAgent | undefined>
  readonly script: ModelScript
  readonly app: string
  readonly patience: Patience
  readonly context: ScenarioContext
  /** The clock of the instance, where it is moved. */
  readonly clock?: Jumps
}

function makeFixtures(parts: FixtureParts): Fixtures {
  const { run, configuration, context, deployment, deployments, agent, script, app, patience } =
    parts
  const { time, clock } = parts
  const { recorder, offSlot, lendSlot } = context
  deployment.records.enter(recorder)
  const detail = { name: deployment.name, origins: [...deployment.origins.keys()], app }
  recorder.record({ type: 'step', action: 'deployment', detail })
  const api = agent
    ? adaptedApi(recorder, agent)
    : restApi({ recorder, run, deployment, configuration, app })
  const calls: Call[] = []
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
  const nameUser = userNames(run.newName)
  const shown = new Set<string>()
  const refreshLeewayMs = configuration.declares.refreshLeeway
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
      giveBack,
      clock,
      refreshLeewayMs,
    })

  /** The session in which a credential of the user is kept, where it serves one alone. */
  const earlierSession = (user: User): string | undefined => {
    if (configuration.declares.credentials === 'user') return undefined
    const own = calls.filter((call) => call.user === user)
    return own.every(({ isAtRest }) => isAtRest) ? own.at(-1)?.session : undefined
  }
  return {
    ...shared,
    declared: declaredBy(configuration),
    configuration,
    user: newUser('user'),
    newUser,
    begin(as, options = {}) {
      // Another user has no part in a session.
      const given = 'asked' in options ? {} : options
      const known = given.session ?? earlierSession(as)
      const session = known ?? run.newName('session')
      const isNew =
        !given.isForeign && !calls.some((call) => call.user === as && call.session === session)
      const call = new Call(
        `call-${calls.length + 1}`,
        as,
        { ...given, session },
        { recorder, run, configuration, api, script, offSlot, lendSlot, patience, shown },
      )
      calls.push(call)
      call.begin(isNew)
      return call
    },
    newSession: () => run.newName('session'),
    asking: (call, nth) => call.nth(nth),
    async give(call, url, answer) {
      await call.returned(url, answer)
    },
    completeFor: (as, call, url) => call.completeFor(as, url),
    otherEndpoint({ name }, redirect) {
      const code = new URL(redirect).searchParams.get('code')
      if (code) deployment.records.bait(code, { recorder, call: name })
      return deployment.issuer + otherPath
    },
    forgedToken(call) {
      const value = `forged-${randomBytes(24).toString('base64url')}`
      deployment.records.bait(value, { recorder, call })
      return value
    },
    readSession: ({ user: { id }, session }) => lendSlot(api.readSession({ user: id, session })),
    async restart() {
      if (!agent) return shared.restart()
      recorder.record({ type: 'step', action: 'restart', detail: {} })
      await offSlot(agent.restart())
      recorder.record({ type: 'step', action: 'restarted', detail: {} })
    },
    async ownInstance() {
      if (!shared.canOwnInstance) throw new Unreached('it cannot have an instance of its own')
      const deployment = await owned.open()
      const own = await offSlot(parts.adapt(deployment))
      void context.ended.then(() => own?.stop())
      return makeFixtures({ ...parts, deployment, agent: own })
    },
    movable: () => owned.movable(),
  }
}

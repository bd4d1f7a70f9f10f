/** Opens what the scenarios act in: the model, the framework with its provider, and fixtures per scenario. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  Patience,
  Unreached,
  type OpenOptions,
  type Run,
  type ScenarioContext,
  type TestBed,
} from '../../harness/engine/index.ts'
import {
  Deployments,
  fill,
  freePort,
  ModelScript,
  PausingFramework,
  prepareSurroundings,
  startScriptedModel,
  type Deployment,
  type Surroundings,
  type Visit,
} from '../../harness/parties/index.ts'
import { sharedFixtures, type SharedFixtures } from '../oauth-client/fixtures.ts'
import type { PendingCall } from '../oauth-client/pending-call.ts'
import { User } from '../oauth-client/user.ts'
import { userNames } from '../oauth-client/vocabulary.ts'
import { declaredBy, type Declared, type FrameworkConfiguration } from './configuration.ts'
import { Call, type CallOptions } from './session.ts'
import { callOf } from './view.ts'

/** Whether the framework is given a state store, and a store of tokens, that survive it. */
export type State = 'none' | 'durable'

export type Settings = Readonly<Record<string, string>>

/** How an instance is set up otherwise than usual. */
export interface Setup {
  /** Default: durable. */
  readonly state?: State
  /** What it is told, by what is usual; clients can be registered for it. */
  readonly settings?: (
    usual: Settings,
    register: Deployment['provider']['registerClient'],
  ) => Settings
}

/** What a scenario acts with. */
export interface Fixtures extends SharedFixtures {
  readonly declared: Declared
  readonly configuration: FrameworkConfiguration
  readonly user: User
  readonly newUser: (kind: string) => User
  /** A user says what needs their authorization, in a conversation of its own. */
  readonly begin: (as: User, options?: CallOptions) => Promise<Call>
  /** The same, without waiting until it was said; what goes wrong is met by whoever waits for more. */
  readonly speak: (as: User, options?: CallOptions) => Call
  /** The same scenario with an instance that it has for itself. */
  readonly ownInstance: (setup?: State | Setup) => Promise<Fixtures>
  /** Moves the clock of the framework. */
  readonly advance: (ms: number) => Promise<void>
  /** Records what the framework keeps, as its adapter says. */
  readonly recordKept: () => Promise<void>
}

/** A framework that runs, with the provider around it. */
interface Instance {
  readonly deployment: Deployment
  readonly framework: PausingFramework
}

/**
 * `hidesStates`: whether states are secrets of the run; where their form is judged, they are recorded as they are.
 * `note`: what a reader has to know before trusting the verdict.
 */
export async function openTestBed(
  options: OpenOptions<FrameworkConfiguration>,
  { hidesStates, note }: { readonly hidesStates: boolean; readonly note?: string },
): Promise<TestBed<Fixtures>> {
  const { run, configuration, onPeer, workDirectory, base } = options
  const script = new ModelScript(run)
  const { decide, record } = script
  const port = configuration.listen.model
  const model = await startScriptedModel({ decide, onExchange: record, port })
  onPeer?.('model', model.baseUrl)
  const surroundings = await prepareSurroundings(
    run,
    {
      target: configuration.target,
      provider: configuration.provider,
      base,
      placeholders: {
        'model.origin': model.origin,
        'model.url': model.baseUrl,
        'model.key': `mk_${randomBytes(24).toString('base64url')}`,
        'model.name': 'model-1',
      },
      urlAs: 'host.url',
      startedByClients: true,
    },
    workDirectory,
  )
  const deployments = new Deployments(surroundings)
  const running = new Set<PausingFramework>()
  const close = async (): Promise<void> => {
    await Promise.all([...running].map((framework) => framework.stop()))
    await deployments.close()
    await model.close()
  }
  const start = async (deployment: Deployment, setup: Setup): Promise<Instance> => {
    const framework = await startFramework(deployment, surroundings, configuration, {
      ...setup,
      hidesStates,
    })
    running.add(framework)
    return { deployment, framework }
  }
  try {
    const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
    const state = configuration.declares.durable ? 'durable' : 'none'
    const shared = await start(deployment, { state })
    const patience = new Patience(run.timing)
    const parts = { run, configuration, deployments, script, patience, start }
    return {
      facts: {
        provider: deployment.issuer,
        implementation: configuration.target.command?.join(' '),
        model: model.origin,
        operation: configuration.operation.name,
        capabilities: shared.framework.capabilities,
        ...(note === undefined ? {} : { note }),
      },
      fixtures: (context) => makeFixtures({ ...parts, ...shared, context }),
      survived: () => Promise.resolve(shared.framework.lost),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The path at which the adapter takes callbacks. */
const callbackPath = '/oauth/callback'
/** Names of the providers, as tools and payloads have them. */
export const providerNames = ['items', 'notes'] as const

/** @throws AdapterFailure */
async function startFramework(
  deployment: Deployment,
  { run, caFile, dataRoot, configuration: { base } }: Surroundings,
  { target, provider }: FrameworkConfiguration,
  { state = 'durable', settings = (usual) => usual, hidesStates }: Setup & { hidesStates: boolean },
): Promise<PausingFramework> {
  const port = String(await freePort())
  const url = fill(target.url, { port }).replace(/\/$/, '')
  deployment.learn(url)
  const second = { id: `${provider.client.id}-2`, secret: randomBytes(24).toString('base64url') }
  deployment.provider.registerClient({
    clientId: second.id,
    clientSecret: second.secret,
    redirectUris: [url + callbackPath],
    pkce: provider.client.pkce,
    scopes: provider.scopes,
  })
  run.ledger.add('client_secret', second.secret)
  const data = join(dataRoot, deployment.name)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const usual = {
    ...deployment.placeholders,
    port,
    'host.url': url,
    'callback.url': url + callbackPath,
    'provider.name': providerNames[0],
    'provider2.name': providerNames[1],
    'provider2.clientId': second.id,
    'provider2.clientSecret': second.secret,
    scopes: 'items:read',
    'data.dir': data,
    state,
  }
  return PausingFramework.start({
    run,
    name: deployment.name,
    target,
    base,
    caFile,
    stateIn,
    hidesStates,
    settings: settings(usual, (client) => deployment.provider.registerClient(client)),
  })
}

/** The state of a flow: its payload has it, or at least its URL. */
function stateIn({ state, auth_url: url }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof state === 'string') return state
  const known = typeof url === 'string' && URL.canParse(url) ? new URL(url).searchParams : undefined
  return known?.get('state') ?? undefined
}

interface FixtureParts extends Instance {
  readonly run: Run
  readonly configuration: FrameworkConfiguration
  readonly deployments: Deployments
  readonly script: ModelScript
  readonly patience: Patience
  readonly context: ScenarioContext
  readonly start: (deployment: Deployment, setup: Setup) => Promise<Instance>
}

function makeFixtures(parts: FixtureParts): Fixtures {
  const { run, configuration, context, deployment, framework, deployments, patience } = parts
  const { recorder, offSlot, lendSlot } = context
  deployment.records.enter(recorder)
  const detail = { name: deployment.name, origins: [...deployment.origins.keys()] }
  recorder.record({ type: 'step', action: 'deployment', detail })
  const { surroundings } = deployments
  const { declares } = configuration
  const shared = sharedFixtures({ callOf }, { run, context, deployment, surroundings, declares })
  const nameUser = userNames(run.newName)
  const giveBack = declares.listens ? undefined : handing(parts)
  const newUser = (kind: string): User =>
    new User({
      id: nameUser(kind),
      recorder,
      deployment,
      run,
      lendSlot,
      patience,
      ...(giveBack ? { giveBack } : {}),
    })
  let calls = 0
  const speak = (as: User, options: CallOptions = {}): Call => {
    calls += 1
    const call = new Call(`call-${calls}`, as, options, { ...parts, recorder, offSlot, lendSlot })
    void call.begin().catch(() => undefined)
    return call
  }
  return {
    ...shared,
    declared: declaredBy(configuration),
    configuration,
    user: newUser('user'),
    newUser,
    speak,
    async begin(as, options) {
      const call = speak(as, options)
      await call.begun
      return call
    },
    async advance(ms) {
      recorder.record({ type: 'step', action: 'clock', detail: { ms } })
      await framework.advanceClock(ms)
    },
    async restart() {
      recorder.record({ type: 'step', action: 'restart', detail: {} })
      await offSlot(framework.restart())
      recorder.record({ type: 'step', action: 'restarted', detail: {} })
    },
    async ownInstance(given = 'durable') {
      const setup = typeof given === 'string' ? { state: given } : given
      if (setup.state !== 'none' && !declares.durable)
        throw new Unreached('declares.durable is not set')
      const own = await shared.openOwn(async (options) =>
        parts.start(await deployments.openAlone(options, context), setup),
      )
      void context.ended.then(() => own.framework.stop())
      return makeFixtures({ ...parts, ...own })
    },
    async recordKept() {
      for (const { path, text, kind = 'other' } of await lendSlot(framework.dump())) {
        const source = `store ${kind} ${path}`
        recorder.record({ type: 'output', source, text, bytes: Buffer.byteLength(text) })
      }
    },
  }
}

/** Where the adapter does not listen, the redirect is handed to it as the browser brought it. */
function handing({ framework, context: { recorder } }: FixtureParts) {
  return async ({ name }: PendingCall, url: string): Promise<Visit> => {
    const place = { channel: 'browser', exchange: recorder.newExchange(), call: name } as const
    recorder.record({ type: 'request', ...place, method: 'GET', url, headers: {} })
    await framework.giveCallback(url)
    recorder.record({ type: 'response', ...place, status: 200, headers: {} })
    return { ended: 'page', status: 200, url }
  }
}

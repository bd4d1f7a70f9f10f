/** Opens what the scenarios act in: the model, the framework with its provider, and fixtures per scenario. */

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  clockStep,
  Patience,
  Unreached,
  type OpenOptions,
  type Run,
  type ScenarioContext,
  type TestBed,
} from '../../harness/engine/index.ts'
import {
  Deployments,
  ModelScript,
  MovedInstances,
  networkTransport,
  PausingFramework,
  prepareSurroundings,
  startScriptedModel,
  type Deployment,
  type DeploymentOptions,
  type Jumps,
  type Visit,
} from '../../harness/parties/index.ts'
import { sharedFixtures, type SharedFixtures } from '../oauth-client/fixtures.ts'
import { openMovable } from '../oauth-client/movable.ts'
import type { PendingCall } from '../oauth-client/pending-call.ts'
import { User, type Flow } from '../oauth-client/user.ts'
import { userNames } from '../oauth-client/vocabulary.ts'
import { declaredBy, type Declared, type FrameworkConfiguration } from './configuration.ts'
import { Call, type CallOptions } from './session.ts'
import { startFramework, type Instance, type Setup, type State } from './start-framework.ts'
import { callOf } from './view.ts'

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
  /**
   * The same with one on which time can pass, by default without a store: by moving its clock, where that was asked for
   * and works. `timers`: whether what waits for a user has to notice.
   */
  readonly timed: (timers: boolean, state?: State) => Promise<Fixtures>
  /** Lets time pass: for the framework, and for what was issued in a flow. */
  readonly pass: (ms: number, flow?: Flow) => Promise<void>
  /** Records what the framework keeps, as its adapter says. */
  readonly recordKept: () => Promise<readonly string[]>
}

/** How a role is driven. */
interface Role {
  /** Whether states are secrets of the run; where their form is judged, they are recorded as they are. */
  readonly hidesStates: boolean
  /** What a reader has to know before trusting the verdict. */
  readonly note?: string
  /** Whether its clock is moved, by the environment of its program or by its adapter; default: it is not. */
  readonly clock?: { readonly jumps: boolean; readonly advances: boolean }
}

export async function openTestBed(
  options: OpenOptions<FrameworkConfiguration>,
  { hidesStates, note, clock }: Role,
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
    const how = { ...setup, hidesStates }
    const started = await startFramework(deployment, surroundings, configuration, how)
    running.add(started.framework)
    return { deployment, ...started }
  }
  try {
    const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
    const state = configuration.declares.durable ? 'durable' : 'none'
    const shared = await start(deployment, { state })
    const patience = new Patience(run.timing)
    const moved = clock?.jumps ? new MovedInstances({ run, folder: workDirectory }) : undefined
    const time = { moved, advances: clock?.advances }
    const parts = { run, configuration, deployments, script, patience, start, time }
    return {
      facts: {
        provider: deployment.issuer,
        implementation: configuration.target.command?.join(' '),
        model: model.origin,
        operation: configuration.operation.name,
        capabilities: shared.framework.capabilities,
        ...(note === undefined ? {} : { note }),
        ...(moved ? { clock: moved.facts } : {}),
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

interface FixtureParts extends Instance {
  readonly run: Run
  readonly configuration: FrameworkConfiguration
  readonly deployments: Deployments
  readonly script: ModelScript
  readonly patience: Patience
  readonly context: ScenarioContext
  readonly start: (deployment: Deployment, setup: Setup) => Promise<Instance>
  readonly time: {
    readonly moved: MovedInstances | undefined
    readonly advances?: boolean | undefined
  }
  /** The clock of the instance, where it is moved. */
  readonly clock?: Jumps
}

function makeFixtures(parts: FixtureParts): Fixtures {
  const { run, configuration, context, deployment, deployments, patience } = parts
  const { framework, time, clock } = parts
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
  const openOwn = async (
    setup: Setup,
    moved: Pick<DeploymentOptions, 'name' | 'clock'> | object = {},
  ): Promise<Instance> => {
    const own = await shared.openOwn(async (options) =>
      parts.start(await deployments.openAlone({ ...options, ...moved }, context), setup),
    )
    void context.ended.then(() => own.framework.stop())
    return own
  }
  const user = newUser('user')
  return {
    ...shared,
    declared: declaredBy(configuration),
    configuration,
    user,
    newUser,
    speak,
    async begin(as, options) {
      const call = speak(as, options)
      await call.begun
      return call
    },
    async timed(timers, state = 'none') {
      const moved = await openMovable({
        time: time.moved,
        context,
        open: (options) => openOwn({ state }, options),
        clocked: (own) => ({
          implementation: { url: own.url, headers: {}, group: own.framework.group },
          transport: networkTransport(),
        }),
        make: (own, more) => makeFixtures({ ...parts, ...own, ...more }),
        timers,
      })
      return moved ?? makeFixtures({ ...parts, ...(await openOwn({ state })) })
    },
    async pass(ms, flow) {
      // What was issued is asked about later; only what waits has to notice.
      if (clock && flow) return clock.jump(ms)
      if (clock) {
        await clock.jump(ms, { nap: await clock.nap() })
        return offSlot(clock.awake())
      }
      if (time.advances) {
        if (flow) user.age(flow, ms)
        recorder.record({ type: 'step', action: clockStep, detail: { ms } })
        return framework.advanceClock(ms)
      }
      const { maxWaitMs } = run.timing
      if (ms > maxWaitMs)
        throw new Unreached(
          `${ms} ms are longer than the run may wait (timing.maxWait, ${maxWaitMs} ms)`,
        )
      await offSlot(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
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
      return makeFixtures({ ...parts, ...(await openOwn(setup)) })
    },
    async recordKept() {
      const entries = await lendSlot(framework.dump())
      return entries.map(({ path, text, kind = 'other' }) => {
        const source = `store ${kind} ${path}`
        recorder.record({ type: 'output', source, text, bytes: Buffer.byteLength(text) })
        return kind
      })
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

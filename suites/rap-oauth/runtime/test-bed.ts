/** Opens what the scenarios act in: toolsets, the model, the runtime under test, and fixtures per scenario. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Patience,
  Slots,
  Unreached,
  type Body,
  type OpenOptions,
  type ScenarioContext,
  type TestBed,
  type Timing,
} from '../../../harness/engine/index.ts'
import {
  MovedInstances,
  networkTransport,
  requireOffered,
  startImplementation,
  startScriptedModel,
  startWebhook,
  watchTalk,
  type Jumps,
  type MovedClock,
  type Sighted,
} from '../../../harness/parties/index.ts'
import { adaptedInstance } from './adapted-instance.ts'
import { consoleInstance } from './console-instance.ts'
import { Attribution, tokensOf } from './attribution.ts'
import { declaredBy, type Declared, type RuntimeConfiguration } from './configuration.ts'
import { directInstance, type Instance } from './instance.ts'
import { linesOf, PrintedUrls } from './log-lines.ts'
import { ModelScript } from './model-script.ts'
import { Calls, Conversation } from './session.ts'
import { findToken, readStorage } from './storage.ts'
import { recordSighting } from './surfaces.ts'
import {
  fieldsOf,
  Routes,
  startToolset,
  type InvocationScope,
  type ToolsetServer,
} from './toolset-server.ts'
import { toolsets } from './toolsets.ts'

/** What a scenario acts with. */
export interface Fixtures {
  readonly timing: Timing
  readonly declared: Declared
  /** Begins a conversation of a user of its own, or of the given one. */
  readonly converse: (user?: string) => Conversation
  /** Watches for what must not happen: the observation window of the run. `then` is called as soon as it ends. */
  readonly observe: (then?: () => void) => Promise<void>
  /** Marks this moment for the checks. */
  readonly mark: (name: string, detail?: Record<string, unknown>) => void
  /** Fixtures of its own: another instance of the runtime. `timeoutMs` fills {user.timeoutMs}. */
  readonly ownInstance: (options?: { readonly timeoutMs?: number }) => Promise<Fixtures>
  /** Describes the tools of the first toolset otherwise, for whoever fetches it from now on. */
  readonly describeTools: (description: string) => void
  /** Stops the runtime and starts it again with the same data. */
  readonly restart: () => Promise<void>
  /** Fixtures of an instance of its own whose clock can be moved, where that was asked for and works. */
  readonly movable: (options: { readonly timeoutMs: number }) => Promise<Fixtures | undefined>
  /** Moves the runtime's clock, where that is possible: for how long it may sleep on before it looks at it (ms). */
  readonly advanceClock: (ms: number) => Promise<number | undefined>
  /** Looks for these tokens in what the runtime has stored. */
  readonly scanStorage: (tokens: readonly string[]) => Promise<void>
  /** Ends every other scenario, then records the declared log files, and what of the output names a URL. */
  readonly recordLogs: () => Promise<void>
}

export async function openTestBed(
  options: OpenOptions<RuntimeConfiguration>,
): Promise<TestBed<Fixtures>> {
  const surroundings = await Surroundings.open(options)
  try {
    const shared = await surroundings.start('shared')
    return {
      facts: {
        implementation: shared.url,
        toolset: surroundings.values['toolset.url'],
        model: surroundings.values['model.url'],
        ...(options.configuration.target.clock === 'jump'
          ? { clock: surroundings.time.facts }
          : {}),
      },
      fixtures: (context) =>
        makeFixtures(surroundings, context, surroundings.instanceOf(context, shared)),
      startsEarly: declaredBy(options.configuration).multipliable,
      survived: () => surroundings.check(options.run.timing.stepMs),
      close: () => surroundings.close(),
    }
  } catch (error) {
    await surroundings.close()
    throw error
  }
}

/** What a runtime is told where its own timeout is not what is looked at, in milliseconds. */
const longTimeoutMs = 10 * 60_000

/** Everything that the instances of one run share. */
class Surroundings {
  readonly options: OpenOptions<RuntimeConfiguration>
  readonly attribution: Attribution
  readonly transport = networkTransport()
  readonly script: ModelScript
  readonly patience: Patience
  readonly expected = new Map<string, InvocationScope>()
  readonly time: MovedInstances
  readonly printed = new PrintedUrls()
  readonly #routes = new Routes()
  values: Readonly<Record<string, string>> = {}
  toolsets: readonly ToolsetServer[] = []
  readonly #instances = new Set<Instance>()
  /** Processes are started one after the other, or none would be ready in time. */
  readonly #startingConsoles = new Slots(1)
  readonly #closing: (() => Promise<void>)[] = []

  private constructor(options: OpenOptions<RuntimeConfiguration>) {
    this.options = options
    const { run, workDirectory: folder } = options
    this.time = new MovedInstances({ run, folder })
    this.attribution = new Attribution(run.newName)
    this.patience = new Patience(run.timing)
    this.script = new ModelScript(this.attribution, run.log, run.ledger)
  }

  static async open(options: OpenOptions<RuntimeConfiguration>): Promise<Surroundings> {
    requireOffered(options.configuration)
    const made = new Surroundings(options)
    await made.#listen().catch(async (error: unknown) => {
      await made.close()
      throw error
    })
    return made
  }

  readonly onText = (sighted: Sighted): void =>
    recordSighting(sighted, this.attribution, this.options.run.log)

  async #listen(): Promise<void> {
    const { run, configuration, onPeer } = this.options
    const { listen } = configuration
    const started = async <T extends { close(): Promise<void> }>(starting: Promise<T>) => {
      const running = await starting
      this.#closing.push(() => running.close())
      return running
    }
    const { decide, record } = this.script
    const model = await started(
      startScriptedModel({ decide, onExchange: record, port: listen.model }),
    )
    const ports = [listen.toolset, listen.toolset2]
    const running: ToolsetServer[] = []
    for (const [index, description] of toolsets.entries()) {
      const toolset = startToolset({
        ...description,
        port: ports[index] ?? 0,
        log: run.log,
        attribute: (body) => this.#scopeOf(body),
        routes: this.#routes,
      })
      running.push(await started(toolset))
    }
    this.toolsets = running
    const webhook = await started(startWebhook(listen.webhook, this.onText))
    const key = `mk_${randomBytes(24).toString('base64url')}`
    this.values = {
      'toolset.url': running[0]?.url ?? '',
      'toolset2.url': running[1]?.url ?? '',
      'model.url': model.baseUrl,
      'model.origin': model.origin,
      'model.key': key,
      'model.name': 'model-1',
      'webhook.url': webhook.url,
    }
    onPeer?.('model', model.baseUrl)
  }

  /**
   * Wherever the reference stands: an invocation may be wrong in every other way. One that has lost its arguments is that
   * of the call of the gate, as long as there is no other.
   */
  #scopeOf(body: Body | undefined): InvocationScope | undefined {
    const reference = tokensOf(body).find((token) => this.expected.has(token))
    if (reference !== undefined) return this.expected.get(reference)
    const [only, ...others] = this.expected.values()
    return others.length === 0 && fieldsOf(body)['operation'] !== undefined ? only : undefined
  }

  /** Starts an instance, or contacts the one that runs. @throws Unreachable, AdapterFailure */
  async start(name: string, timeoutMs = longTimeoutMs, clock?: MovedClock): Promise<Instance> {
    const { messages } = this.options.configuration
    const instance =
      'adapter' in messages
        ? await this.#startAdapted(name, timeoutMs)
        : await this.#startDirect(name, timeoutMs, { clock })
    this.#instances.add(instance)
    return instance
  }

  /** The instance that a scenario talks to: the shared one, unless a process has one conversation only. */
  instanceOf({ recorder, ended }: ScenarioContext, shared: Instance): Instance {
    if (!('stdin' in this.options.configuration.messages)) return shared
    const instance = this.startConsoles(recorder.scenario)
    void ended.then(() => instance.stop())
    return instance
  }

  startConsoles(name: string, timeoutMs = longTimeoutMs): Instance {
    const instance = consoleInstance({
      name,
      start: async (name, { conversation }) => {
        const slot = await this.#startingConsoles.enter()
        return this.#startDirect(name, timeoutMs, { conversation }).finally(() => slot.leave())
      },
    })
    this.#instances.add(instance)
    return instance
  }

  /** Whether all that was started still runs: `undefined`, or the reason why not. */
  async check(within: number): Promise<string | undefined> {
    const all = await Promise.all([...this.#instances].map((each) => each.check(within)))
    return all.find((reason) => reason !== undefined)
  }

  async #startDirect(
    name: string,
    timeoutMs: number,
    {
      conversation,
      clock,
    }: { readonly conversation?: string; readonly clock?: MovedClock | undefined },
  ): Promise<Instance> {
    const { run, configuration, base } = this.options
    const { surface } = configuration
    const prints = surface.some((each) => 'output' in each)
    const dataRoot = this.dataRoot()
    mkdirSync(dataRoot, { recursive: true })
    const implementation = await startImplementation({
      run,
      target: configuration.target,
      base,
      name,
      dataRoot,
      caFile: '',
      transport: this.transport,
      placeholders: {
        ...this.values,
        'ca.file': '',
        'user.timeoutMs': String(timeoutMs),
      },
      urlAs: 'runtime.url',
      additions: clock && [clock.environment],
      input: 'stdin' in configuration.messages,
      onLine: (source, text) => {
        this.printed.take({ source: `${name} ${source}`, text })
        if (prints && source === 'stdout') this.onText({ source: 'output', text, conversation })
      },
    })
    const options = {
      surfaces: surface,
      headers: implementation.headers,
      transport: this.transport,
      onText: this.onText,
    }
    const answers = surface.some((each) => 'response' in each)
    return directInstance({
      name,
      implementation,
      configuration,
      transport: this.transport,
      run,
      watch: (talk, url, signal) => watchTalk(talk, url, signal, options),
      onResponse: ({ conversation }, text) => {
        if (answers) this.onText({ source: 'response', conversation, text })
      },
    })
  }

  async #startAdapted(name: string, timeoutMs: number): Promise<Instance> {
    const { run, configuration, base } = this.options
    const dataDir = join(this.dataRoot(), name)
    mkdirSync(dataDir, { recursive: true })
    const values = { ...this.values, 'data.dir': dataDir, 'user.timeoutMs': String(timeoutMs) }
    const { onText, printed } = this
    return adaptedInstance({ name, configuration, run, base, values, onText, printed })
  }

  dataRoot(): string {
    return join(this.options.workDirectory, 'data')
  }

  async close(): Promise<void> {
    await Promise.all([...this.#instances].map((instance) => instance.stop()))
    await Promise.all(this.#closing.map((close) => close()))
  }
}

/** A call that waits for its user, and that nobody judges. */
async function pendingCall({ converse }: Fixtures): Promise<void> {
  const call = converse().ask()
  await call.awaitInvocation()
  await call.awaitSurfaced(await call.oauth())
}

function makeFixtures(
  parts: Surroundings,
  context: ScenarioContext,
  instance: Instance,
  clock?: Jumps,
): Fixtures {
  const { run, configuration, base } = parts.options
  const { recorder, offSlot, lendSlot } = context
  const declared = declaredBy(configuration)
  const calls = new Calls()
  const session = {
    recorder,
    run,
    transport: parts.transport,
    attribution: parts.attribution,
    script: parts.script,
    instance,
    patience: parts.patience,
    surfaceMs: declared.surfaceMs,
    offSlot,
    lendSlot,
    expect: (reference: string, scope: InvocationScope) =>
      void parts.expected.set(reference, scope),
  }
  return {
    timing: run.timing,
    declared,
    converse: (user) => new Conversation(session, calls, user),
    async recordLogs() {
      await context.others()
      const { logs = [] } = configuration.declares
      const dataDir = join(parts.dataRoot(), instance.name)
      const values = { ...parts.values, 'data.dir': dataDir, 'runtime.url': instance.url }
      for (const { path, bytes } of await readStorage(logs, { base, dataDir, values })) {
        for (const text of linesOf(bytes.toString('utf8'))) {
          const size = Buffer.byteLength(text)
          recorder.record({ type: 'output', source: `log ${path}`, text, bytes: size })
        }
      }
      for (const { source, text } of parts.printed.lines) {
        recorder.record({ type: 'output', source, text, bytes: Buffer.byteLength(text) })
      }
    },
    async observe(then = () => undefined) {
      const { observeMs } = run.timing
      const end = (): void => {
        recorder.record({ type: 'step', action: 'window', detail: { ms: observeMs } })
        then()
      }
      // An interrupted run has no window to record.
      const watching = delay(observeMs, undefined, { signal: run.signal })
      await offSlot(watching.then(end, () => undefined))
    },
    mark: (name, detail = {}) =>
      recorder.record({ type: 'step', action: 'mark', detail: { name, ...detail } }),
    async ownInstance({ timeoutMs } = {}) {
      if (!declared.multipliable) {
        throw new Error('a scenario that needs an instance of its own has to say so')
      }
      const name = `own-${recorder.scenario}`
      const own =
        'stdin' in configuration.messages
          ? parts.startConsoles(name, timeoutMs)
          : parts.start(name, timeoutMs)
      // Where the gate is not passed, that it did not start either is nothing to tell.
      await offSlot(Promise.allSettled([own, context.gate()]))
      await context.gate()
      return makeFixtures(parts, context, await own)
    },
    describeTools(description) {
      recorder.record({ type: 'step', action: 'described', detail: { description } })
      parts.toolsets[0]?.describe(description)
    },
    async restart() {
      recorder.record({ type: 'step', action: 'restart', detail: {} })
      await offSlot(instance.restart())
      recorder.record({ type: 'step', action: 'restarted', detail: {} })
    },
    async movable({ timeoutMs }) {
      if (configuration.target.clock !== 'jump') return undefined
      await context.gate()
      const { transport } = parts
      const moved = await parts.time.open<Instance>({
        recorder,
        offSlot,
        open: (name, clock) => offSlot(parts.start(name, timeoutMs, clock)),
        clocked({ implementation }) {
          if (!implementation) throw new Unreached('it is not a process that this run started')
          return { implementation, transport }
        },
        pend: (own, as) => pendingCall(makeFixtures(parts, { ...context, recorder: as }, own)),
        timers: true,
      })
      return moved && makeFixtures(parts, context, moved.own, moved.clock)
    },
    async advanceClock(ms) {
      const nap = await clock?.nap()
      if (clock) await clock.jump(ms)
      else if (!(await offSlot(instance.advanceClock(ms)))) return undefined
      recorder.record({ type: 'step', action: 'clock-advanced', detail: { ms } })
      return nap ?? 0
    },
    async scanStorage(tokens) {
      const { storage = [] } = configuration.declares
      const dataDir = join(parts.dataRoot(), instance.name)
      const values = { ...parts.values, 'data.dir': dataDir, 'runtime.url': instance.url }
      const own = storage.some((each) => typeof each !== 'string' && 'adapter' in each)
      const dumped = own ? await instance.dump() : []
      const stored = [
        ...(await readStorage(storage, { base, dataDir, values })),
        ...dumped.map(({ path, text }) => ({ path, bytes: Buffer.from(text, 'latin1') })),
      ]
      for (const { path, bytes } of stored) {
        const found = tokens.flatMap((token) =>
          findToken(bytes, token).map((encoding) => ({ token, encoding })),
        )
        const detail = { path, bytes: bytes.length, found }
        recorder.record({ type: 'step', action: 'scanned', detail })
      }
    },
  }
}

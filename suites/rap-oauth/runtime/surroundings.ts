/** What the instances of one run share: the toolsets, the model, the webhook, and how each of them is started. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  Patience,
  Slots,
  type Body,
  type OpenOptions,
  type Recorder,
  type ScenarioContext,
} from '../../../harness/engine/index.ts'
import {
  MovedInstances,
  networkTransport,
  requireOffered,
  startImplementation,
  startScriptedModel,
  startWebhook,
  watchTalk,
  type MovedClock,
  type Sighted,
  type SurfaceState,
  type Transport,
} from '../../../harness/parties/index.ts'
import { networkStreaming } from '../../../harness/parties/streaming.ts'
import { adaptedInstance } from './adapted-instance.ts'
import { consoleInstance } from './console-instance.ts'
import { Attribution, tokensOf } from './attribution.ts'
import { outputSurfaces, type RuntimeConfiguration } from './configuration.ts'
import { directInstance, type Instance } from './instance.ts'
import { PrintedUrls } from './log-lines.ts'
import { ModelScript } from './model-script.ts'
import { recordSighting, recordState } from './surfaces.ts'
import {
  fieldsOf,
  Routes,
  startToolset,
  type InvocationScope,
  type ToolsetServer,
} from './toolset-server.ts'
import { toolsets } from './toolsets.ts'

/** What a runtime is told where its own timeout is not what is looked at, in milliseconds. */
const longTimeoutMs = 10 * 60_000

type Placeholders = Readonly<Record<string, string>>

function urlsOf([first, second]: readonly ToolsetServer[]): Placeholders {
  return { 'toolset.url': first?.url ?? '', 'toolset2.url': second?.url ?? '' }
}

/** Everything that the instances of one run share. */
export class Surroundings {
  readonly options: OpenOptions<RuntimeConfiguration>
  readonly attribution: Attribution
  readonly transport: Transport
  readonly script: ModelScript
  readonly patience: Patience
  readonly expected = new Map<string, InvocationScope>()
  readonly time: MovedInstances
  readonly printed = new PrintedUrls()
  readonly #routes = new Routes()
  values: Placeholders = {}
  toolsets: readonly ToolsetServer[] = []
  readonly #streaming = networkStreaming()
  readonly #instances = new Set<Instance>()
  /** Processes are started one after the other, or none would be ready in time. */
  readonly #startingConsoles = new Slots(1)
  readonly #closing: (() => Promise<void>)[] = []

  private constructor(options: OpenOptions<RuntimeConfiguration>) {
    this.options = options
    const { run, workDirectory: folder } = options
    this.transport = networkTransport(undefined, undefined, run.busyFor)
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
    this.toolsets = await this.openToolsets(run.log, [listen.toolset, listen.toolset2])
    const webhook = await started(startWebhook(listen.webhook, this.onText))
    const key = `mk_${randomBytes(24).toString('base64url')}`
    this.values = {
      ...urlsOf(this.toolsets),
      'model.url': model.baseUrl,
      'model.origin': model.origin,
      'model.key': key,
      'model.name': 'model-1',
      'webhook.url': webhook.url,
    }
    onPeer?.('model', model.baseUrl)
  }

  /** Starts the toolsets once; `log` takes what belongs to no scenario. */
  async openToolsets(log: Recorder, ports: readonly number[] = []): Promise<ToolsetServer[]> {
    const running: ToolsetServer[] = []
    for (const [index, description] of toolsets.entries()) {
      const toolset = await startToolset({
        ...description,
        port: ports[index] ?? 0,
        log,
        attribute: (body) => this.#scopeOf(body),
        routes: this.#routes,
      })
      this.#closing.push(() => toolset.close())
      running.push(toolset)
    }
    return running
  }

  /**
   * Starts an instance with toolsets of its own. What becomes of one that is served a wrong toolset is not asked: it may
   * well end. @throws Unreachable, AdapterFailure
   */
  async startWith(own: readonly ToolsetServer[], name: string): Promise<Instance> {
    const { messages } = this.options.configuration
    const urls = urlsOf(own)
    const instance =
      'stdin' in messages
        ? this.#consoles(name, longTimeoutMs, urls)
        : 'adapter' in messages
          ? await this.#startAdapted(name, longTimeoutMs, urls)
          : await this.#startDirect(name, longTimeoutMs, { urls })
    this.#closing.unshift(() => instance.stop())
    return instance
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
    const instance = this.startConsoles(recorder.name)
    void ended.then(() => instance.stop())
    return instance
  }

  startConsoles(name: string, timeoutMs = longTimeoutMs): Instance {
    const instance = this.#consoles(name, timeoutMs)
    this.#instances.add(instance)
    return instance
  }

  #consoles(name: string, timeoutMs: number, urls?: Placeholders): Instance {
    return consoleInstance({
      name,
      start: async (name, { conversation }) => {
        const slot = await this.#startingConsoles.enter()
        const starting = this.#startDirect(name, timeoutMs, { conversation, urls })
        return starting.finally(() => slot.leave())
      },
    })
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
      urls = {},
    }: {
      readonly conversation?: string
      readonly clock?: MovedClock | undefined
      readonly urls?: Placeholders | undefined
    },
  ): Promise<Instance> {
    const { run, configuration, base } = this.options
    const { surface } = configuration
    const consoles = outputSurfaces(configuration)
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
        ...urls,
        'ca.file': '',
        'user.timeoutMs': String(timeoutMs),
      },
      urlAs: 'runtime.url',
      additions: clock && [clock.environment],
      input: 'stdin' in configuration.messages,
      onLine: (source, text) => {
        this.printed.take({ source: `${name} ${source}`, text })
        if (consoles.includes(source)) this.onText({ source: 'output', text, conversation })
      },
    })
    const options = {
      surfaces: surface,
      headers: implementation.headers,
      transport: this.transport,
      onText: this.onText,
      onState: (state: SurfaceState) => recordState(state, this.attribution),
    }
    const answers = surface.some((each) => 'response' in each)
    return directInstance({
      name,
      implementation,
      configuration,
      transport: this.transport,
      run,
      watch: (talk, url, signal) => watchTalk(talk, url, signal, options),
      streaming: this.#streaming,
      onResponse: answers
        ? ({ conversation }, text) => this.onText({ source: 'response', conversation, text })
        : undefined,
    })
  }

  async #startAdapted(name: string, timeoutMs: number, urls: Placeholders = {}): Promise<Instance> {
    const { run, configuration, base } = this.options
    const dataDir = join(this.dataRoot(), name)
    mkdirSync(dataDir, { recursive: true })
    const told = { 'data.dir': dataDir, 'user.timeoutMs': String(timeoutMs) }
    const values = { ...this.values, ...urls, ...told }
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

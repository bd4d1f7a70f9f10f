/** Opens what the scenarios act in: a provider for the run, and for each scenario an agent, a client application and a browser. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Patience,
  type OpenOptions,
  type Recorder,
  type ScenarioContext,
  type TestBed,
} from '../../../harness/engine/index.ts'
import {
  createAuthority,
  inherited,
  networkTransport,
  recordProvider,
  serveMockProvider,
  startBrowserShims,
  trust,
  writeAuthority,
  UserAgent,
  type ProviderRecorder,
  type RunningProvider,
  type Transport,
} from '../../../harness/parties/index.ts'
import { startAgentServer } from './agent-server.ts'
import type { ClientConfiguration } from './configuration.ts'
import { startInstance } from './instances.ts'
import { networkStreaming, type StreamingTransport } from '../../../harness/parties/streaming.ts'
import { newJar, withCookies, type CookieJar } from '../../../harness/parties/user/cookies.ts'
import { isLoopback } from '../../../harness/parties/user/loopback-origins.ts'
import { newAsk, type AskOptions, type AtProvider } from './script.ts'
import { ScriptedAgent } from './scripted-agent.ts'
import { Call } from './session.ts'
import { openedUrls } from './opened-urls.ts'

/** What a scenario acts with. */
export interface Fixtures {
  /** Starts a client application that is connected to an agent of its own, for one user unless told how they are called. */
  readonly open: (users?: readonly string[]) => Promise<Client>
  /** Watches for what must not happen: the observation window of the run. */
  readonly observe: () => Promise<void>
  /** Marks this moment for the checks. */
  readonly mark: (name: string) => void
}

/** What the agent does with a message. */
export interface TurnOptions {
  /** One credential request for each; default: one. */
  readonly asks?: readonly AskOptions[]
  /** What it asks for when these are answered; default: nothing. */
  readonly afterwards?: readonly AskOptions[]
  /** The answer to a credential is an error. */
  readonly fails?: true
  /** Which of its users says it; default: the first. */
  readonly as?: number
}

/** A running client application. */
export interface Client {
  /** The user says something, and the agent does this with it. */
  readonly begin: (options?: TurnOptions) => Promise<Call>
  /** From now on the agent takes what it is sent, and holds its answers back until it is released. */
  readonly holdBack: () => () => void
}

export async function openTestBed(
  options: OpenOptions<ClientConfiguration>,
): Promise<TestBed<Fixtures>> {
  const { run, workDirectory, onPeer } = options
  const authority = await createAuthority()
  const caFile = join(workDirectory, 'ca.pem')
  mkdirSync(workDirectory, { recursive: true })
  writeAuthority(caFile, authority.caPem)
  const provider = await serveMockProvider({
    scopes: ['items:read'],
    tls: await authority.issue(['localhost', '127.0.0.1', '::1']),
  })
  const clientId = 'adk-agent'
  // Where the client application listens is its own business: a loopback port, or a page.
  const learn = (uri: string): boolean => URL.canParse(uri) && isReachable(new URL(uri))
  const redirectUris = { learn, most: Infinity }
  provider.registerClient({ clientId, authMethods: ['none'], redirectUris, pkce: 'optional' })
  onPeer?.('provider', provider.issuer)
  const bed: RunParts = {
    options,
    provider,
    at: {
      authorizationEndpoint: `${provider.issuer}/authorize`,
      tokenEndpoint: `${provider.issuer}/token`,
      clientId,
    },
    records: recordProvider(provider, { ledger: run.ledger, log: run.log, name: 'shared' }),
    transport: networkTransport([authority.caPem]),
    streaming: networkStreaming([authority.caPem]),
    caFile,
    patience: new Patience(run.timing),
    running: new Set(),
    died: [],
  }
  return {
    facts: {
      provider: provider.issuer,
      implementation: options.configuration.target.command?.join(' '),
      dialect: options.configuration.agent.dialect,
    },
    fixtures: (context) => makeFixtures(bed, context),
    survived: () => Promise.resolve(bed.died[0]),
    async close() {
      await Promise.all([...bed.running].map((stop) => stop()))
      await provider.close()
    },
  }
}

interface RunParts {
  readonly options: OpenOptions<ClientConfiguration>
  readonly provider: RunningProvider
  readonly at: AtProvider
  readonly records: ProviderRecorder
  readonly transport: Transport
  readonly streaming: StreamingTransport
  readonly caFile: string
  readonly patience: Patience
  /** Ends what scenarios have opened. */
  readonly running: Set<() => Promise<void>>
  /** Why client applications ended by themselves. */
  readonly died: string[]
}

function makeFixtures(bed: RunParts, context: ScenarioContext): Fixtures {
  const { run } = bed.options
  const { recorder, offSlot } = context
  return {
    open: (users) => openClient(bed, context, users),
    async observe() {
      const ms = run.timing.observeMs
      await offSlot(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
      if (!run.signal.aborted) recorder.record({ type: 'step', action: 'window', detail: { ms } })
    },
    mark: (name) => recorder.record({ type: 'step', action: 'mark', detail: { name } }),
  }
}

async function openClient(
  bed: RunParts,
  context: ScenarioContext,
  users: readonly string[] = ['user'],
): Promise<Client> {
  const { run, configuration, workDirectory, base } = bed.options
  const { recorder, lendSlot } = context
  bed.records.enter(recorder)
  const suffix = randomBytes(4).toString('hex')
  const name = `${recorder.scenario}-${suffix}`
  const folder = join(workDirectory, name)
  mkdirSync(folder, { recursive: true })
  const closing: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    bed.running.delete(close)
    for (const each of closing.splice(0).toReversed()) await each()
  }
  bed.running.add(close)
  void context.ended.then(close)

  const calls: Call[] = []
  const agent = new ScriptedAgent()
  const server = await startAgentServer({
    recorder,
    agent,
    app: configuration.agent.app,
    provider: bed.at,
    onToken: (token) => void run.ledger.add('access_token', token),
  })
  closing.push(() => server.close())
  const sights = new Sights(recorder, bed.at.authorizationEndpoint, () => calls.at(-1)?.name)
  const shims = await startBrowserShims(join(folder, 'bin'), (args) =>
    sights.opened(args.find((each) => each.includes(':')) ?? args.at(-1) ?? '', 'command'),
  )
  closing.push(() => shims.close())
  const people = users.map((user, nth) => {
    const id = nth === 0 ? suffix : `${suffix}-${nth + 1}`
    const jar = newJar()
    return {
      talk: { conversation: `conv-${id}`, user: `${user}-${suffix}` },
      browser: newBrowser(bed, recorder, jar),
      // Their pages and their browser are one.
      transport: withCookies(bed.transport, jar),
      streaming: withCookies(bed.streaming, jar),
    }
  })
  const personOf = (conversation?: string) =>
    people.find(({ talk }) => talk.conversation === conversation) ?? people[0]!
  const talks = people.map(({ talk }) => talk)
  const starting = startInstance({
    run,
    configuration,
    base,
    name,
    dataRoot: workDirectory,
    transport: bed.transport,
    caFile: bed.caFile,
    talks,
    transportOf: (conversation) => personOf(conversation).transport,
    streamingOf: (conversation) => personOf(conversation).streaming,
    endpoint: bed.at.authorizationEndpoint,
    settings: {
      'agent.url': server.origin,
      'agent.app': configuration.agent.app,
      'agent.consentBegin': `${server.origin}/consent/begin`,
      'agent.consentComplete': `${server.origin}/consent/complete`,
      'user.id': talks[0]?.user ?? '',
      'data.dir': folder,
      'ca.file': bed.caFile,
    },
    env: shims.environment({ ...inherited(), ...trust(bed.caFile) }),
    onText: (source, text, conversation) => sights.read(source, text, conversation),
    onOpened: (url) => sights.opened(url, 'client'),
    onOutput(source, text, bytes) {
      recorder.record({ type: 'output', source: `${name} ${source}`, text, bytes })
    },
  })
  // Whoever waits for it hears of it.
  starting.catch(() => undefined)
  closing.push(async () => {
    const instance = await starting.catch(() => undefined)
    const { aborted, reason } = instance?.gone ?? { aborted: false, reason: '' }
    if (aborted && !run.signal.aborted) bed.died.push(String(reason))
    await instance?.stop()
  })
  return {
    holdBack() {
      let release = (): void => undefined
      agent.until = new Promise((resolve) => (release = resolve))
      return release
    },
    async begin({ asks = [{}], afterwards = [], fails, as = 0 } = {}) {
      const call = `call-${calls.length + 1}`
      const { dialect } = configuration.agent
      const all = [...asks, ...afterwards].map((ask, nth) =>
        newAsk(call, nth, dialect, bed.at, ask),
      )
      const [now, later] = [all.slice(0, asks.length), all.slice(asks.length)]
      agent.plan({ call, asks: now, later, ...(fails ? { fails } : {}) })
      const { patience } = bed
      const onPage = (text: string): void => sights.follow(text)
      const onLed = (url: string): void => sights.opened(url, 'client')
      const own = { recorder, run, lendSlot, patience, instance: starting, onPage, onLed }
      const parts = { ...own, ...people[as]! }
      const begun = new Call(call, all, parts)
      calls.push(begun)
      await begun.say()
      return begun
    },
  }
}

function newBrowser(
  { options, transport, provider, patience }: RunParts,
  recorder: Recorder,
  jar: CookieJar,
) {
  const { run, configuration } = options
  return new UserAgent({
    recorder,
    transport,
    issuer: provider.issuer,
    origins: new ReachableOrigins(Object.entries(configuration.target.origins)),
    within: (of) => (of === 'provider' ? run.timing.maxWaitMs : patience.within('page')),
    signal: run.signal,
    jar,
  })
}

/** What the user sees, and which URLs they open because of it. */
class Sights {
  readonly #recorder: Recorder
  readonly #endpoint: string
  readonly #call: () => string | undefined
  readonly #shown = new Set<string>()

  constructor(recorder: Recorder, endpoint: string, call: () => string | undefined) {
    this.#recorder = recorder
    this.#endpoint = endpoint
    this.#call = call
  }

  read(source: string, text: string, conversation?: string): void {
    if (this.#recorder.ended) return
    const whose = conversation === undefined ? {} : { conversation }
    this.#recorder.record({ type: 'surface', source, ...whose, text })
    this.follow(text)
  }

  /** Opens the authorization URLs in a text. */
  follow(text: string): void {
    for (const url of openedUrls(text, this.#endpoint)) {
      if (!this.#shown.has(url) && this.#shown.size < 100) this.opened(url, 'user')
    }
  }

  /** By the client application itself, by a command, or by the user who reads it. */
  opened(url: string, by: 'client' | 'command' | 'user'): void {
    this.#shown.add(url)
    const call = this.#call()
    const place = call === undefined ? {} : { call }
    this.#recorder.record({ type: 'step', action: 'opened', ...place, detail: { url, by } })
  }
}

/** A native application listens at any port of the loopback interface (RFC 8252 §7.3); other origins are declared. */
class ReachableOrigins extends Map<string, string> {
  override has(origin: string): boolean {
    return super.has(origin) || isLocal(new URL(origin))
  }

  override get(origin: string): string | undefined {
    return super.get(origin) ?? (isLocal(new URL(origin)) ? origin : undefined)
  }
}

function isLocal({ protocol, origin }: URL): boolean {
  return protocol === 'http:' && isLoopback(origin)
}

function isReachable(url: URL): boolean {
  return url.protocol === 'https:' || isLocal(url)
}

/** Everything around one instance of the implementation: its provider, how it is reached, its life. */

import { generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import {
  createAuthority,
  createMockProvider,
  type Authority,
  type AuthorizationHandle,
  type FaultSpec,
  type MockProvider,
} from '../../mock-provider/index.ts'
import { keptAuthority } from './provider/kept-authority.ts'
import { startCallbackReceiver, type CallbackReceiver } from './callback-receiver.ts'
import type { ProviderConfiguration, TargetConfiguration } from './configuration.ts'
import type { Handler } from './implementation/in-process.ts'
import type { Placeholders } from './implementation/template.ts'
import type { MovedClock } from './clock/moved-clock.ts'
import { LoopbackOrigins } from './user/loopback-origins.ts'
import { findLibrary, requireOffered } from './facilities.ts'
import { HttpFailure, networkTransport, type Transport } from './http.ts'
import {
  invocationHeaders,
  loadHandler,
  startImplementation,
  writeAuthority,
  type Implementation,
  type ProtocolLines,
  type StartOptions,
} from './implementation/implementation.ts'
import { withLatePages } from './implementation/late-pages.ts'
import { networkStreaming, type StreamingTransport } from './streaming.ts'
import { hostsFile as hostsOf, lookupWith, namesEnvironment } from './provider/local-names.ts'
import { proxyEnvironment, serveConnectProxy } from './provider/connect-proxy.ts'
import { certificateOf, type Imposture } from './provider/impostor.ts'
import { expectArrivals, type Arrivals } from './provider/arrivals.ts'
import { placeOf, serveAt } from './provider/place.ts'
import {
  clientSecret,
  insecure,
  providerOptions,
  providerPlaceholders,
  registerClient,
} from './provider/set-up.ts'
import { recordProvider, type ProviderRecorder } from './provider/provider-recorder.ts'
import type { Recorder } from '../engine/recording/recorder.ts'
import type { OpenOptions } from '../engine/profile.ts'
import type { Run } from '../engine/run.ts'

export interface DeploymentConfiguration {
  readonly target: TargetConfiguration
  readonly provider: ProviderConfiguration
  /** Folder against which relative paths are resolved. */
  readonly base: string
  /** Further placeholders for command and environment. */
  readonly placeholders: Placeholders
  /** The placeholder of the implementation's own URL. */
  readonly urlAs: string
  /** Whether nothing runs at first, and every client starts an instance of its own: {@link Deployment.start}. */
  readonly startedByClients?: boolean | undefined
  /** Whether these are applications on this machine, whose redirect URIs are any of the loopback interface (RFC 8252 §7.3). */
  readonly native?: boolean | undefined
  /** Whether an instance accepts connections; default: it does. */
  readonly listens?: boolean | undefined
  /** How many redirect URIs an instance may have of its own; default: one. */
  readonly redirectUris?: number | undefined
  /** Whether its users log in by the provider, which issues ID tokens then. */
  readonly logsIn?: boolean | undefined
}

/** An instance of the implementation with the provider and the callback receiver around it. */
export interface Deployment {
  readonly name: string
  readonly issuer: string
  readonly implementation: Implementation
  readonly transport: Transport
  /** For answers that are read as they come; not inside this process. */
  readonly streaming: StreamingTransport
  readonly receiver: CallbackReceiver
  readonly records: ProviderRecorder
  /** Every origin of the implementation, with the origin under which it is reached. */
  readonly origins: ReadonlyMap<string, string>
  readonly authorization: (id: string) => AuthorizationHandle | undefined
  /** Where the harness itself is a client of the provider, for an API that is not the provider's own. */
  readonly provider: Pick<MockProvider, 'registerClient' | 'addAudience'>
  /**
   * From now on somebody else answers in place of the provider, who has not its certificate. Tells of each connection that
   * ends without a request. Not inside this process.
   */
  readonly impersonate: (imposture: Imposture, onUnused: () => void) => Promise<void>
  /** A token of the provider that no flow was needed for. */
  readonly issueToken: MockProvider['issueToken']
  /** What an implementation is told of its surroundings, whoever starts it. */
  readonly placeholders: Placeholders
  /** What its environment has to hold for that, beside what is configured. */
  readonly additions: NonNullable<StartOptions['additions']>
  /** Takes a URL for the implementation's own, where it was started by somebody else. */
  readonly learn: (url: string) => void
  /** Starts one more instance, whose standard input and output are its client's. @throws Unreachable */
  readonly start: (name: string, protocol: ProtocolLines) => Promise<Implementation>
  readonly release: () => void
  readonly close: () => Promise<void>
}

/** What all deployments of a run share. */
export interface Surroundings {
  readonly run: Run
  readonly configuration: DeploymentConfiguration
  readonly authority: Authority
  /** What the providers of the run sign with. */
  readonly signingKey: KeyObject | readonly KeyObject[]
  readonly caFile: string
  /** Where implementations may keep data; removed with the run's temporary folder. */
  readonly dataRoot: string
  /** Whether implementations find the providers, where these have the names of a real one. */
  readonly arrivals?: Arrivals | undefined
}

/** Certificates and folders; everything is below `workDirectory` unless an authority folder is asked for. */
export async function prepareSurroundings(
  run: Run,
  configuration: DeploymentConfiguration,
  workDirectory: string,
): Promise<Surroundings> {
  const kept = configuration.provider.authority
  const authority = await (kept
    ? keptAuthority(resolve(configuration.base, kept))
    : createAuthority())
  const caFile = join(workDirectory, 'ca.pem')
  mkdirSync(workDirectory, { recursive: true })
  writeAuthority(caFile, authority.caPem)
  requireOffered(configuration)
  const dataRoot = join(workDirectory, 'data')
  const { hostnames, preset, tokenFormat } = configuration.provider
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const needsRsa = preset !== undefined || tokenFormat !== 'opaque' || configuration.logsIn === true
  return {
    run,
    configuration,
    authority,
    signingKey: needsRsa ? [privateKey, await rsaKey()] : privateKey,
    caFile,
    dataRoot,
    arrivals: hostnames && expectArrivals(hostnames, run),
  }
}

/** For id tokens, which clients of real providers ask for, and for JWTs: too much work for each provider of a run. */
async function rsaKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey
}

/** Starts provider, receiver and implementation. @throws Unreachable */
export async function openDeployment(
  surroundings: Surroundings,
  options: DeploymentOptions,
): Promise<Deployment> {
  const { target } = surroundings.configuration
  return target.module
    ? openInProcess(surroundings, options, target.module)
    : openNetworked(surroundings, options)
}

/** How the surroundings of one instance differ from those of others. */
export interface DeploymentOptions {
  /** `shared`, or the name of an instance that one scenario has for itself. */
  readonly name: string
  /** Takes what the provider sees and no scenario can be told for. */
  readonly log: Recorder
  /** Switched on before the implementation starts. */
  readonly issuerFaults?: readonly FaultSpec[]
  /** What the instance and its provider take for the time; default: that of this machine. */
  readonly clock?: MovedClock | undefined
  /** Called when the provider can be reached, before the implementation is started or waited for. */
  readonly onPeer?: OpenOptions<unknown>['onPeer']
}

async function openNetworked(
  { run, configuration, authority, signingKey, caFile, dataRoot, arrivals }: Surroundings,
  { name, log, issuerFaults = [], clock, onPeer }: DeploymentOptions,
): Promise<Deployment> {
  const { target, provider: options, base } = configuration
  const place = placeOf(options)
  const provider = await serveAt(place, {
    ...providerOptions(options),
    clock,
    signingKey,
    tls: await authority.issue(['localhost', '127.0.0.1', '::1', ...place.names]),
  })
  const names = new Map(place.names.map((each) => [each, provider.address]))
  const hostsFile = join(dirname(caFile), `hosts-${name}`)
  writeFileSync(hostsFile, hostsOf(names))
  const secret = clientSecret(options, target)
  const records = recordProvider(provider, {
    ledger: run.ledger,
    log,
    prefix: prefix(name),
    hosts: place.names,
  })
  const receiver = await startCallbackReceiver({ stray: run.log })
  const cas = [
    authority.caPem,
    ...(target.ca ? [readFileSync(resolve(base, target.ca), 'utf8')] : []),
  ]
  arrivals?.watch(provider)
  const proxy = arrivals && (await serveConnectProxy(names))
  const lookup = lookupWith(names)
  const transport = networkTransport(cas, lookup)
  provider.setFaults([...issuerFaults])
  onPeer?.('provider', provider.issuer)
  try {
    // The client must exist before the tool starts; its redirect URI is known only when it has a URL.
    const origins = configuration.native
      ? new LoopbackOrigins(originOf(provider.issuer))
      : new Map<string, string>()
    const most = configuration.startedByClients ? Infinity : configuration.redirectUris
    registerClient(provider, options, secret, {
      learn: (uri) => origins.has(originOf(uri)),
      most,
    })
    const learn = (url: string): void => {
      for (const [seen, reached] of originsOf(url, target)) origins.set(seen, reached)
    }
    const start = async (own: Pick<StartOptions, 'name' | 'protocol'>): Promise<Implementation> => {
      const started = await startImplementation({ ...common, ...own })
      learn(started.url)
      return started
    }
    const placeholders = {
      ...configuration.placeholders,
      ...providerPlaceholders(provider, options, secret),
      ...(issuerFaults.includes('discovery-http-authorization-endpoint')
        ? { 'provider.authorizationEndpoint': insecure(`${provider.issuer}/authorize`) }
        : {}),
      'ca.file': caFile,
      'hosts.file': hostsFile,
    }
    const additions = [
      ...(names.size === 0 ? [] : [namesEnvironment(hostsFile, findLibrary('libnss-wrapper'))]),
      ...(clock ? [clock.environment] : []),
    ]
    const common: Omit<StartOptions, 'name'> = {
      run,
      target,
      base,
      dataRoot,
      caFile,
      environment: proxy && proxyEnvironment(proxy),
      additions,
      transport,
      urlAs: configuration.urlAs,
      listens: configuration.listens,
      placeholders,
    }
    const instances: Implementation[] = []
    const implementation = configuration.startedByClients
      ? { ...notStarted(target.url), restart: () => restartAll(instances) }
      : await start({ name })
    return {
      name,
      issuer: provider.issuer,
      implementation,
      transport: configuration.startedByClients
        ? withLatePages(transport, instances, run.timing.stepMs)
        : transport,
      streaming: networkStreaming(cas, lookup),
      receiver,
      records,
      origins,
      authorization: (id) => provider.authorization(id),
      provider,
      async impersonate(imposture, onUnused) {
        provider.present(await certificateOf(imposture, place.names, authority), onUnused)
      },
      issueToken: (request) => provider.issueToken(request),
      placeholders,
      additions,
      learn,
      async start(instance, protocol) {
        const started = await start({ name: instance, protocol })
        instances.push(started)
        return started
      },
      release: () => provider.release(),
      close: async () => {
        provider.release()
        receiver.release()
        await Promise.all([implementation, ...instances].map((each) => each.stop()))
        await Promise.all([receiver.close(), provider.close(), proxy?.close()])
      },
    }
  } catch (error) {
    await Promise.all([receiver.close(), provider.close(), proxy?.close()])
    throw error
  }
}

async function openInProcess(
  { run, configuration, caFile, dataRoot }: Surroundings,
  { name, log, onPeer }: DeploymentOptions,
  module: string,
): Promise<Deployment> {
  const { target, provider: options, base } = configuration
  const url = target.url.includes('{port}') ? 'http://tool.test' : target.url.replace(/\/$/, '')
  const { names } = placeOf(options)
  const provider = createMockProvider({
    ...providerOptions(options),
    issuer: `https://${names[0] ?? 'provider.test'}`,
  })
  const hostsFile = join(dirname(caFile), 'hosts')
  writeFileSync(hostsFile, hostsOf(new Map(names.map((each) => [each, '127.0.0.1']))))
  const secret = clientSecret(options, target)
  const records = recordProvider(provider, { ledger: run.ledger, log, prefix: prefix(name) })
  const receiver = await startCallbackReceiver({ origin: 'https://runtime.test', stray: run.log })
  const origins = originsOf(url, target)
  registerClient(provider, options, secret, { learn: (uri) => origins.has(originOf(uri)) })
  const placeholders = {
    ...configuration.placeholders,
    ...providerPlaceholders(provider, options, secret),
    'ca.file': caFile,
    'hosts.file': hostsFile,
    'data.dir': join(dataRoot, name),
    [configuration.urlAs]: url,
  }
  const outbound = new Map<string, Handler>([
    [provider.issuer, provider.fetch],
    ...names.map((each) => [`https://${each}`, provider.fetch] as const),
    [receiver.origin, receiver.fetch],
  ])
  // msw is loaded only where it is needed: it costs the other ways of driving a fifth of a second.
  const { inProcessTransport, interceptOutbound } = await import('./implementation/in-process.ts')
  onPeer?.('provider', provider.issuer)
  // Before the module is loaded: it may keep the fetch that it finds.
  const stop = interceptOutbound(outbound)
  const handler = await loadHandler(module, base, placeholders).catch((error: unknown) => {
    stop()
    throw error
  })
  return {
    name,
    issuer: provider.issuer,
    implementation: {
      ...notStarted(url),
      headers: invocationHeaders(target, placeholders, run),
    },
    transport: inProcessTransport(new Map([...outbound, [originOf(url), handler]])),
    streaming: () =>
      Promise.reject(new HttpFailure('in_process', 'a module inside this process has no streams')),
    receiver,
    records,
    origins,
    authorization: (id) => provider.authorization(id),
    provider,
    impersonate: () =>
      Promise.reject(new Error('a module inside this process sees no certificates')),
    issueToken: (request) => provider.issueToken(request),
    placeholders,
    additions: [],
    learn: () => undefined,
    start: () => Promise.reject(new Error('a module inside this process is started once')),
    release: () => provider.release(),
    close: async () => {
      provider.release()
      await receiver.close()
      stop()
    },
  }
}

async function restartAll(instances: readonly Implementation[]): Promise<void> {
  await Promise.all(instances.map((each) => each.restart()))
}

/** In place of an implementation that is no process of ours: nothing can be done to it, and it is never gone. */
function notStarted(url: string): Implementation {
  return {
    url,
    headers: {},
    owned: false,
    group: undefined,
    gone: new AbortController().signal,
    lost: () => undefined,
    write: () => undefined,
    check: () => Promise.resolve(undefined),
    restart: () => Promise.reject(new Error('what was not started cannot be restarted')),
    stop: () => Promise.resolve(),
  }
}

/** Ids of the first provider stay as they are; those of others carry its name. */
function prefix(name: string): string {
  return name === 'shared' ? '' : `${name}:`
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

/** The origins of the implementation; the names of the loopback interface count as one. */
function originsOf(url: string, target: TargetConfiguration): Map<string, string> {
  const own = new URL(url)
  const origins = new Map([[own.origin, own.origin]])
  const loopback = ['localhost', '127.0.0.1', '[::1]']
  if (loopback.includes(own.hostname)) {
    for (const host of loopback) {
      origins.set(`${own.protocol}//${host}${own.port ? `:${own.port}` : ''}`, own.origin)
    }
  }
  for (const [seen, reached] of Object.entries(target.origins)) origins.set(seen, reached)
  return origins
}

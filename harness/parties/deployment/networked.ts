/** A deployment over the network: the implementation is a process of ours, or somebody else's. */

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { startCallbackReceiver } from '../callback-receiver.ts'
import { findLibrary } from '../facilities.ts'
import { networkTransport } from '../http.ts'
import {
  startImplementation,
  type Implementation,
  type StartOptions,
} from '../implementation/implementation.ts'
import { withLatePages } from '../implementation/late-pages.ts'
import { proxyEnvironment, serveConnectProxy } from '../provider/connect-proxy.ts'
import { certificateOf } from '../provider/impostor.ts'
import { hostsFile as hostsOf, lookupWith, namesEnvironment } from '../provider/local-names.ts'
import { placeOf, serveAt } from '../provider/place.ts'
import { recordProvider } from '../provider/provider-recorder.ts'
import {
  clientSecret,
  insecure,
  providerOptions,
  providerPlaceholders,
  registerClient,
} from '../provider/set-up.ts'
import { networkStreaming } from '../streaming.ts'
import { LoopbackOrigins } from '../user/loopback-origins.ts'
import type { Deployment, DeploymentOptions } from './deployment.ts'
import { notStarted } from './not-started.ts'
import { originOf, originsOf } from './origins.ts'
import type { Surroundings } from './surroundings.ts'

export async function openNetworked(
  { run, configuration, authority, signingKey, caFile, dataRoot, arrivals }: Surroundings,
  { name, log, issuerFaults = [], issuerPath = '', clock, onPeer }: DeploymentOptions,
): Promise<Deployment> {
  const { target, provider: options, base } = configuration
  const place = placeOf(options)
  const provider = await serveAt(place, {
    ...providerOptions(options),
    clock,
    path: issuerPath,
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
    name,
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
  const transport = networkTransport(cas, lookup, run.busyFor)
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
      async impostor(imposture, onUnused) {
        const certificate = await certificateOf(imposture, place.names, authority)
        provider.keepNoConnections()
        return () => provider.present(certificate, onUnused)
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

async function restartAll(instances: readonly Implementation[]): Promise<void> {
  await Promise.all(instances.map((each) => each.restart()))
}

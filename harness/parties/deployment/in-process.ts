/** A deployment inside this process: the implementation is a module. */

import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createMockProvider } from '../../../mock-provider/index.ts'
import { startCallbackReceiver } from '../callback-receiver.ts'
import { HttpFailure } from '../http.ts'
import type { Handler } from '../implementation/in-process.ts'
import { invocationHeaders } from '../implementation/implementation.ts'
import { loadHandler } from '../implementation/load-handler.ts'
import { hostsFile as hostsOf } from '../provider/local-names.ts'
import { placeOf } from '../provider/place.ts'
import { recordProvider } from '../provider/provider-recorder.ts'
import {
  clientSecret,
  providerOptions,
  providerPlaceholders,
  registerClient,
} from '../provider/set-up.ts'
import type { Deployment, DeploymentOptions } from './deployment.ts'
import { notStarted } from './not-started.ts'
import { originOf, originsOf } from './origins.ts'
import type { Surroundings } from './surroundings.ts'

export async function openInProcess(
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
  const records = recordProvider(provider, { ledger: run.ledger, log, name })
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
  const { inProcessTransport, interceptOutbound } = await import('../implementation/in-process.ts')
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
    impostor: () => Promise.reject(new Error('a module inside this process sees no certificates')),
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

/** Starts a framework behind its adapter, as a client of the provider of its deployment. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  fill,
  freePort,
  PausingFramework,
  type Deployment,
  type Surroundings,
} from '../../harness/parties/index.ts'
import { authenticationOf, isWithoutSecret } from '../../harness/parties/provider/set-up.ts'
import { derivationOf } from '../oauth-client/derived-values.ts'
import { secondClientId, type FrameworkConfiguration } from './configuration.ts'
import { providerNames } from './provider-names.ts'
import { stateIn } from './view.ts'

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

/** A framework that runs, with the provider around it. */
export interface Instance {
  readonly deployment: Deployment
  readonly framework: PausingFramework
  /** Its own URL. */
  readonly url: string
}

/** The path at which the adapter takes callbacks. */
const callbackPath = '/oauth/callback'

/** @throws AdapterFailure */
export async function startFramework(
  deployment: Deployment,
  { run, caFile, dataRoot, configuration: { base } }: Surroundings,
  { target, provider }: FrameworkConfiguration,
  { state = 'durable', settings = (usual) => usual, hidesStates }: Setup & { hidesStates: boolean },
): Promise<Pick<Instance, 'framework' | 'url'>> {
  const port = String(await freePort())
  const url = fill(target.url, { port }).replace(/\/$/, '')
  deployment.learn(url)
  const second = {
    id: secondClientId(provider.client.id),
    secret: isWithoutSecret(provider.client) ? '' : randomBytes(24).toString('base64url'),
  }
  deployment.provider.registerClient({
    clientId: second.id,
    ...authenticationOf(provider.client, second.secret),
    redirectUris: [url + callbackPath],
    pkce: provider.client.pkce,
    scopes: provider.scopes,
  })
  if (second.secret) run.ledger.add('client_secret', second.secret)
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
  const framework = await PausingFramework.start({
    run,
    name: deployment.name,
    additions: deployment.additions,
    target,
    base,
    caFile,
    stateIn,
    derivationOf,
    hidesStates,
    settings: settings(usual, ({ clientSecret, ...client }) =>
      deployment.provider.registerClient({
        ...authenticationOf(provider.client, clientSecret),
        ...client,
      }),
    ),
  })
  return { framework, url }
}

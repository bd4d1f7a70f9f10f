/** From a challenge to the authorization server: what an MCP client fetches on the way (RFC 9728, RFC 8414). */

import {
  Unreached,
  type Patience,
  type Recorder,
  type Run,
} from '../../../../harness/engine/index.ts'
import { HttpFailure, type Deployment } from '../../../../harness/parties/index.ts'
import { membersOf, textIn } from '../../wire/values.ts'
import { coveredBy, isSameIssuer, wellKnownUrls } from '../resource.ts'
import {
  callOf,
  metadataUrlOf,
  resourceMetadata,
  scopesOf,
  serverMetadata,
  surroundingsOf,
  unchallenged,
} from './view.ts'

export interface DiscoveryParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly deployment: Deployment
  readonly endpoint: string
  readonly patience: Patience
}

/** Where a challenge led. */
export interface Chain {
  /** The call that was challenged. */
  readonly call: string
  /** What a token is to be requested for. */
  readonly resource: string
  /** What is to be requested: of the challenge, or else of the metadata (MCP Authorization, Scope Selection Strategy). */
  readonly scopes: readonly string[]
  /** Those of the challenge alone. */
  readonly challenged: readonly string[]
  /** Every scope that the challenge or the metadata names. */
  readonly known: readonly string[]
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
}

/** Fetches the metadata of the resource, with the headers that the call had. @throws Unreached */
export async function fetchResourceMetadata(
  parts: DiscoveryParts,
  call: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answered = callOf(parts.recorder.transcript(), call)
  const url = metadataUrlOf(answered)
  if (url === undefined)
    throw new Unreached(
      unchallenged(answered) ?? 'the challenge names no metadata that can be read',
    )
  await fetchFor(parts, call, url, headers)
}

/** Follows a challenge up to the provider. @throws Unreached */
export async function follow(parts: DiscoveryParts, call: string): Promise<Chain> {
  const { recorder, endpoint } = parts
  await fetchResourceMetadata(parts, call)
  const metadata = membersOf(resourceMetadata(recorder.transcript(), call)?.json)
  const servers = textsIn(metadata['authorization_servers'])
  const server = await findProvider(parts, call, servers)
  const t = recorder.transcript()
  const resource = textIn(metadata['resource'])
  const challenged = scopesOf(callOf(t, call).bearers)
  const supported = textsIn(metadata['scopes_supported'])
  return {
    call,
    // Metadata of another resource was none of this one: a client goes by the endpoint.
    resource: coveredBy(resource, endpoint, surroundingsOf(t).reached) ? resource : endpoint,
    scopes: challenged.length > 0 ? challenged : supported,
    challenged,
    known: [...challenged, ...supported],
    authorizationEndpoint: textIn(server['authorization_endpoint']),
    tokenEndpoint: textIn(server['token_endpoint']),
  }
}

/** The metadata of the provider, as the first of its well-known addresses that has it. @throws Unreached */
async function findProvider(
  parts: DiscoveryParts,
  call: string,
  servers: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const { recorder, deployment } = parts
  const listed = servers.filter((each) => URL.canParse(each))
  const named = listed.find((each) => isSameIssuer(each, deployment.issuer))
  for (const issuer of named === undefined ? listed.slice(0, 1) : [named]) {
    for (const url of wellKnownUrls(issuer)) {
      await fetchFor(parts, call, url)
      const server = membersOf(serverMetadata(recorder.transcript(), call).at(-1)?.json)
      if (isSameIssuer(textIn(server['issuer']), deployment.issuer)) return server
      if (server['issuer'] !== undefined) break
    }
  }
  throw new Unreached(`the metadata does not lead to the provider, ${deployment.issuer}`)
}

/** One request, recorded; an origin that is neither the provider's nor the server's is not asked. @throws Unreached */
async function fetchFor(
  { recorder, run, deployment, patience }: DiscoveryParts,
  call: string,
  url: string,
  further: Readonly<Record<string, string>> = {},
): Promise<void> {
  const place = { channel: 'metadata', exchange: recorder.newExchange(), call }
  const headers = { accept: 'application/json', ...further }
  recorder.record({ type: 'request', ...place, method: 'GET', url, headers })
  const fail = (code: string, message: string): never => {
    recorder.record({ type: 'failure', ...place, code, message })
    throw new Unreached(`${url}: ${message}`)
  }
  const { origin, pathname, search } = URL.canParse(url)
    ? new URL(url)
    : { origin: '', pathname: '', search: '' }
  const isProvider = origin === new URL(deployment.issuer).origin
  const reached = isProvider ? origin : deployment.origins.get(origin)
  if (reached === undefined) {
    const known = [deployment.issuer, ...deployment.origins.keys()].join(', ')
    return fail('foreign', `its origin is neither the provider nor the server (${known})`)
  }
  const begun = run.now()
  try {
    const answer = await deployment.transport({
      method: 'GET',
      url: reached + pathname + search,
      headers,
      // A slow provider is the run's own trouble.
      within: isProvider ? run.timing.maxWaitMs : patience.within('metadata'),
      signal: run.signal,
    })
    patience.learn('metadata', run.now() - begun)
    recorder.record({ type: 'response', ...place, ...answer })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    patience.learn('metadata', 0)
    return fail(error.code, error.message)
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

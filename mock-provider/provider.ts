/** The mock provider: its endpoints put together as a Hono app, and what its owner can do with it. */
import { Hono } from 'hono'
import { handleOf, type AuthorizationHandle } from './authorization.ts'
import type { Client, ClientInput } from './clients.ts'
import type { MovableClock } from './clock.ts'
import { authorizeEndpoint, interactionEndpoint } from './endpoints/authorize.ts'
import { decisionEndpoint } from './endpoints/decision.ts'
import { deviceAuthorizationEndpoint } from './endpoints/device-authorization.ts'
import { devicePageEndpoint } from './endpoints/device-page.ts'
import { introspectionEndpoint } from './endpoints/introspect.ts'
import { metadataEndpoints } from './endpoints/metadata.ts'
import { parEndpoint } from './endpoints/par.ts'
import { registrationEndpoints } from './endpoints/register.ts'
import { resourceEndpoints } from './endpoints/resource.ts'
import { revocationEndpoint } from './endpoints/revoke.ts'
import { tokenEndpoint } from './endpoints/token.ts'
import { userinfoEndpoint } from './endpoints/userinfo.ts'
import type { ProviderEvent } from './events.ts'
import { serveEndpoint, type Endpoint } from './exchange.ts'
import type { FaultSpec } from './faults/index.ts'
import type { MintedSecret } from './ledger.ts'
import { OAuthError } from './oauth-error.ts'
import { resolveOptions, type MockProviderOptions } from './options.ts'
import { atOnce, chain, type MaybePromise } from './storage/storage.ts'
import { createState, type ProviderState } from './state.ts'

export interface MockProvider {
  /** Works without a port: `provider.app.request('/token', ...)`. */
  readonly app: Hono
  /** As `fetch`: rejects with a `TypeError` when a fault closes the connection. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly issuer: string
  readonly clock: MovableClock
  /** @throws TypeError for an unusable redirect URI or a contradictory registration */
  registerClient(input: ClientInput): Client
  /** The authorization with this id, which is the last part of the page's path. */
  authorization(id: string): AuthorizationHandle | undefined
  /** The log, oldest first; bounded, so the oldest events may be gone. */
  readonly events: readonly ProviderEvent[]
  /** Calls the listener for every event from now on, synchronously; returns how to stop. */
  onEvent(listener: (event: ProviderEvent) => void): () => void
  /** Every secret that was minted, bounded likewise. */
  readonly secrets: readonly MintedSecret[]
  onSecret(listener: (secret: MintedSecret) => void): () => void
  /** Switches exactly these issuer-level faults on. @throws TypeError for any other fault */
  setFaults(specs: readonly FaultSpec[]): void
  /** Lets everything held back go on, for the issuer and for every authorization. */
  release(): void
}

/**
 * Creates a strict OAuth provider that does what the RFCs demand, and misbehaves on request.
 *
 * @example
 * const provider = createMockProvider({
 *   clients: [{ clientId: 'app', redirectUris: ['https://app.example/callback'] }],
 * })
 * const response = await provider.app.request('/.well-known/oauth-authorization-server')
 *
 * @throws TypeError for an issuer that is not an origin, or an unusable client
 */
export function createMockProvider(options: MockProviderOptions = {}): MockProvider {
  const state = createState(resolveOptions(options))
  const app = createApp(state)
  const immediately = <T>(act: () => MaybePromise<T>) => {
    if (!state.storage.immediate) throw new TypeError(sharedOnly)
    return atOnce(act())
  }
  return {
    app,
    fetch: async (request) => app.fetch(request),
    issuer: state.settings.issuer,
    clock: {
      now: () => state.clock.now(),
      advance: (ms) => immediately(() => state.clock.advance(ms)),
    },
    registerClient: (input) => state.clients.configure(input),
    authorization: (id) =>
      immediately(() =>
        chain(state.authorizations.get(id), (found) => found && handleOf(state, found)),
      ),
    events: state.log.events,
    onEvent: (listener) => state.log.onEvent(listener),
    secrets: state.ledger.secrets,
    onSecret: (listener) => state.ledger.onSecret(listener),
    setFaults: (specs) => immediately(() => state.faults.set('issuer', specs)),
    release: () => state.faults.releaseAll(),
  }
}

const sharedOnly = 'not with a storage across a network: use the control API'

function createApp(state: ProviderState): Hono {
  const app = new Hono()
  for (const endpoint of endpointsOf(state)) {
    app.all(endpoint.path, serveEndpoint(state, endpoint))
  }
  app.notFound(serveEndpoint(state, unknownEndpoint))
  // the only error that an endpoint lets through is a connection that is closed unanswered
  app.onError((error) => {
    throw error
  })
  return app
}

function endpointsOf(state: ProviderState): readonly Endpoint[] {
  return [
    ...metadataEndpoints(state),
    authorizeEndpoint(state),
    interactionEndpoint(state),
    decisionEndpoint(state),
    parEndpoint(state),
    deviceAuthorizationEndpoint(state),
    devicePageEndpoint(state),
    tokenEndpoint(state),
    revocationEndpoint(state),
    introspectionEndpoint(state),
    userinfoEndpoint(state),
    ...registrationEndpoints(state),
    ...resourceEndpoints(state),
  ]
}

const unknownEndpoint: Endpoint = {
  name: 'unknown',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  path: '*',
  handle() {
    throw new OAuthError('not_found', 'there is nothing here', { status: 404 })
  },
}

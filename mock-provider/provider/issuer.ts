/** One issuer: its state, and its endpoints put together as a Hono app. */
import { Hono } from 'hono'
import { handleOf, type AuthorizationHandle } from '../authorization/authorization-handle.ts'
import type { User } from '../authorization/user.ts'
import type { Client, ClientInput } from '../clients/client.ts'
import type { RotationOptions } from '../crypto/signing-keys.ts'
import { authorizeEndpoint, interactionEndpoint } from '../endpoints/authorize.ts'
import { decisionEndpoint } from '../endpoints/decision.ts'
import { deviceAuthorizationEndpoint } from '../endpoints/device-authorization.ts'
import { devicePageEndpoint } from '../endpoints/device-page.ts'
import { endSessionEndpoint } from '../endpoints/end-session.ts'
import { introspectionEndpoint } from '../endpoints/introspect.ts'
import { mcpEndpoint } from '../endpoints/mcp.ts'
import { metadataEndpoints } from '../endpoints/metadata.ts'
import { parEndpoint } from '../endpoints/par.ts'
import { registrationEndpoints } from '../endpoints/register.ts'
import { resourceEndpoints } from '../endpoints/resource.ts'
import { revocationEndpoint } from '../endpoints/revoke.ts'
import { startPageEndpoint } from '../endpoints/start-page.ts'
import { tokenEndpoint } from '../endpoints/token.ts'
import { userinfoEndpoint } from '../endpoints/userinfo.ts'
import type { FaultScope } from '../faults/fault-scope.ts'
import type { FaultSpec } from '../faults/index.ts'
import type { Endpoint } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'
import type { ProviderEvent } from '../log/events.ts'
import type { MintedSecret } from '../log/ledger.ts'
import type { MovableClock } from '../storage/clock.ts'
import { chain, type MaybePromise } from '../storage/maybe-promise.ts'
import { atOnce } from '../storage/storage.ts'
import {
  issueDirectly,
  type DirectTokenRequest,
  type IssuedTokenSet,
} from '../tokens/issue-directly.ts'
import type { AudienceInput } from '../resource/audiences.ts'
import type { Settings } from './options.ts'
import { createState, type ProviderState } from './state.ts'

/** What the owner of an issuer can do with it. */
export interface IssuerHandle {
  /** Works without a port: `provider.app.request('/token', ...)`. */
  readonly app: Hono
  /** As `fetch`: rejects with a `TypeError` when a fault closes the connection. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly issuer: string
  readonly clock: MovableClock
  /** @throws TypeError for an unusable redirect URI or a contradictory registration */
  registerClient(input: ClientInput): Client
  /** Adds an API of your own that tokens may be for, or changes one, at this instance. */
  addAudience(audience: AudienceInput): void
  /** Adds a person who can sign in, or changes one. */
  setUser(user: User): void
  /** Issues tokens without a flow; every endpoint knows them as if a user had decided. */
  issueToken(request?: DirectTokenRequest): Promise<IssuedTokenSet>
  /** The authorization with this id, which is the last part of the page's path. */
  authorization(id: string): AuthorizationHandle | undefined
  /** The log, oldest first; bounded, so the oldest events may be gone. */
  readonly events: readonly ProviderEvent[]
  /** Calls the listener for every event from now on, synchronously; returns how to stop. */
  onEvent(listener: (event: ProviderEvent) => void): () => void
  /** Every secret that was minted, bounded likewise. */
  readonly secrets: readonly MintedSecret[]
  onSecret(listener: (secret: MintedSecret) => void): () => void
  /**
   * Switches exactly these faults on for a scope, for every request unless told.
   * @throws TypeError for an unknown fault or scope
   */
  setFaults(specs: readonly FaultSpec[], scope?: FaultScope): void
  /** Signs with a new key from now on; the previous one stays published as long as access tokens live, or is withdrawn. */
  rotateSigningKey(options?: RotationOptions): void
  /** Lets everything held back go on, for the issuer and for every authorization. */
  release(): void
  /** Forgets everything but its key, and begins anew with what its options demand. */
  reset(): Promise<void>
}

export interface Issuer {
  readonly handle: IssuerHandle
  readonly state: ProviderState
  /** The first parts of the paths of its endpoints. */
  readonly paths: ReadonlySet<string>
}

/** Creates an issuer. @throws TypeError for an unusable client */
export function createIssuer(settings: Settings): Issuer {
  const state = createState(settings)
  const endpoints = [...endpointsOf(state), ...atOwnPaths(state)]
  return {
    state,
    handle: handleOfIssuer(state, createApp(state, endpoints)),
    // its own page has none, so that no path but one of a tenant's endpoints makes a tenant
    paths: new Set(endpoints.flatMap(({ path }) => path.split('/')[1] || [])),
  }
}

function handleOfIssuer(state: ProviderState, app: Hono): IssuerHandle {
  const immediately = <T>(act: () => MaybePromise<T>) => {
    if (!state.storage.immediate) {
      throw new TypeError('not with a storage across a network: use the control API')
    }
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
    addAudience: (audience) => state.settings.audiences.add(audience),
    setUser: (user) => immediately(() => state.users.set(user.subject, user)),
    async issueToken(request) {
      await state.refresh()
      return issueDirectly(state, request)
    },
    authorization: (id) =>
      immediately(() =>
        chain(state.authorizations.get(id), (found) => found && handleOf(state, found)),
      ),
    events: state.log.events,
    onEvent: (listener) => state.log.onEvent(listener),
    secrets: state.ledger.secrets,
    onSecret: (listener) => state.ledger.onSecret(listener),
    setFaults: (specs, scope = 'issuer') => immediately(() => state.faults.set(scope, specs)),
    rotateSigningKey: (options) => immediately(() => state.signer.rotate(options)),
    release: () => state.faults.releaseAll(),
    reset: () => state.reset(),
  }
}

function createApp(state: ProviderState, endpoints: readonly Endpoint[]): Hono {
  const { origin } = new URL(state.settings.issuer)
  const base = state.settings.issuer.slice(origin.length)
  const app = new Hono()
  for (const endpoint of endpoints) {
    const path = endpoint.place === 'origin' ? endpoint.path : base + endpoint.path
    app.all(path, serveEndpoint(state, endpoint))
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
    startPageEndpoint(state),
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
    endSessionEndpoint(state),
    ...registrationEndpoints(state),
    ...resourceEndpoints(state),
    mcpEndpoint(state),
  ]
}

/** The endpoints once more, where the provider that is imitated has them. */
function atOwnPaths(state: ProviderState): readonly Endpoint[] {
  return state.settings.deviations.flatMap(([, { at, paths = [], faults }]) =>
    endpointsOf(state)
      .filter(({ name }) => name === at)
      .flatMap((endpoint) =>
        paths.map((path) => ({ ...endpoint, path, ...(faults && { faults }) })),
      ),
  )
}

const unknownEndpoint: Endpoint = {
  name: 'unknown',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  path: '*',
  handle() {
    throw new OAuthError('not_found', 'there is nothing here', { status: 404 })
  },
}

/** Everything that one provider holds; endpoints get it handed, there are no globals. */
import type { JWTVerifyGetKey } from 'jose'
import type { Authorization, Code, Token } from './authorization.ts'
import { BoundedMap } from './bounded.ts'
import { createClientRegistry, type ClientRegistry } from './clients.ts'
import { movableClock, type MovableClock } from './clock.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { createFaultSwitch, type FaultSwitch } from './fault-switch.ts'
import { createNonces, type Nonces } from './dpop-nonces.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { limits } from './limits.ts'
import type { Settings } from './options.ts'
import type { Parameters } from './parameters.ts'
import { opaqueValues, type Opaque } from './random.ts'
import { createReplays, type Replays } from './replays.ts'
import { createSigner, type Signer } from './signer.ts'

export interface PushedRequest {
  readonly clientId: string
  readonly parameters: Parameters
  /** Milliseconds by the provider's clock. */
  readonly expiresAt: number
}

export interface ProviderState {
  readonly settings: Settings
  readonly clock: MovableClock
  readonly opaque: Opaque
  readonly log: EventLog
  readonly ledger: Ledger
  readonly signer: Signer
  readonly clients: ClientRegistry
  /** The issuer-level faults. */
  readonly faults: FaultSwitch
  readonly authorizations: Map<string, Authorization>
  /** By request URI (RFC 9126 §2.2). */
  readonly pushed: Map<string, PushedRequest>
  /** By value, used ones included. */
  readonly codes: Map<string, Code>
  /** By value, expired and revoked ones included. */
  readonly tokens: Map<string, Token>
  /** The client of each registration access token (RFC 7592 §1.3). */
  readonly registrations: Map<string, string>
  /** Assertions and proofs that were presented. */
  readonly replays: Replays
  readonly nonces: Nonces
  /** By the address at which a client publishes them. */
  readonly publishedKeys: Map<string, JWTVerifyGetKey>
}

/** Creates the state of a new provider. */
export function createState(settings: Settings): ProviderState {
  const ledger = createLedger()
  const opaque = opaqueValues(settings.random)
  const clock = movableClock(settings.clock)
  const faults = createFaultSwitch('issuer')
  const clients = createClientRegistry({ ...settings, ledger, opaque })
  faults.set(settings.faults)
  settings.clients.forEach((client) => clients.register(client))
  return {
    settings,
    clock,
    opaque,
    log: createEventLog(),
    ledger,
    signer: createSigner(settings.signingKey),
    clients,
    faults,
    authorizations: new BoundedMap(limits.authorizations),
    pushed: new BoundedMap(limits.pushedRequests),
    codes: new BoundedMap(limits.authorizations),
    tokens: new BoundedMap(limits.tokens),
    registrations: new BoundedMap(limits.clients),
    replays: createReplays(),
    nonces: createNonces(settings.signingKey, clock),
    publishedKeys: new BoundedMap(limits.clients),
  }
}

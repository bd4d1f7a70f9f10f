/** Everything that one provider holds; endpoints get it handed, there are no globals. */
import type { Authorization, Code, Token } from './authorization.ts'
import { createClientRegistry, type Client, type ClientRegistry } from './clients.ts'
import { sharedClock, type SharedClock } from './clock.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { createFaultSwitch, type FaultSwitch } from './fault-switch.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { retentionOf, type Settings } from './options.ts'
import { opaqueValues, type Opaque } from './random.ts'
import { createSigner, sharedKey, type Signer } from './signer.ts'
import { collectionOf, type Collection } from './storage/collection.ts'
import { createMemoryStorage } from './storage/memory.ts'
import { partition } from './storage/partition.ts'
import type { Storage } from './storage/storage.ts'

export interface PushedRequest {
  readonly clientId: string
  /** The request, form-encoded as it was pushed. */
  readonly form: string
  /** Milliseconds by the provider's clock. */
  readonly expiresAt: number
}

export interface ProviderState {
  readonly settings: Settings
  /** What instances have in common; everything below that is a collection is kept there. */
  readonly storage: Storage
  /** Settled once what the settings demand is stored. */
  readonly ready: Promise<void>
  readonly clock: SharedClock
  readonly opaque: Opaque
  /** What this instance saw. */
  readonly log: EventLog
  /** What this instance minted. */
  readonly ledger: Ledger
  readonly signer: Signer
  readonly clients: ClientRegistry
  readonly faults: FaultSwitch
  readonly authorizations: Collection<Authorization>
  /** By request URI (RFC 9126 §2.2). */
  readonly pushed: Collection<PushedRequest>
  /** By value, used ones included. */
  readonly codes: Collection<Code>
  /** By value, revoked ones included. */
  readonly tokens: Collection<Token>
  /** The client of each registration access token (RFC 7592 §1.3). */
  readonly registrations: Collection<string>
}

/** Creates the state of a new provider. */
export function createState(settings: Settings): ProviderState {
  const clock = sharedClock(settings.clock)
  const storage = settings.storage
    ? partition(settings.storage, settings.issuer)
    : createMemoryStorage({ clock })
  clock.share(storage)
  const ledger = createLedger()
  const opaque = opaqueValues(settings.random)
  const faults = createFaultSwitch(storage, retentionOf(settings))
  const registered = collectionOf<Client>(storage, 'clients')
  const clients = createClientRegistry({ ...settings, registered, ledger, opaque })
  settings.clients.forEach((client) => clients.configure(client))
  const key = sharedKey(storage, settings)
  let signer = key instanceof Promise ? undefined : createSigner(key)
  const switched = settings.faults.length > 0 ? faults.set('issuer', settings.faults) : undefined
  const prepare = async () => {
    signer ??= createSigner(await key)
    await switched
  }
  const ready = prepare()
  // a storage that fails is reported by the requests that need it
  ready.catch(() => undefined)
  return {
    settings,
    storage,
    ready,
    clock,
    opaque,
    log: createEventLog(),
    ledger,
    get signer() {
      if (!signer) throw new Error('the provider is not ready')
      return signer
    },
    clients,
    faults,
    authorizations: collectionOf(storage, 'authorizations'),
    pushed: collectionOf(storage, 'pushed'),
    codes: collectionOf(storage, 'codes'),
    tokens: collectionOf(storage, 'tokens'),
    registrations: collectionOf(storage, 'registrations'),
  }
}

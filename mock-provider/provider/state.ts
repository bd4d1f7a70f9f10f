/** Everything that one provider holds; endpoints get it handed, there are no globals. */
import type { JWTVerifyGetKey } from 'jose'
import type {
  Authorization,
  Code,
  DeviceCode,
  PushedRequest,
  Token,
} from '../authorization/authorization.ts'
import type { User } from '../authorization/user.ts'
import { createClientRegistry, type ClientRegistry } from '../clients/client-registry.ts'
import type { Client } from '../clients/client.ts'
import { opaqueValues, type Opaque } from '../crypto/random.ts'
import { signingAlgorithms } from '../crypto/signer.ts'
import { createSigningKeys, firstKeyId, type SigningKeys } from '../crypto/signing-keys.ts'
import { createFaultSwitch, type FaultSwitch } from '../faults/fault-switch.ts'
import type { ScopedFaultSpec } from '../faults/index.ts'
import { createEventLog, type EventLog } from '../log/event-log.ts'
import { createLedger, type Ledger } from '../log/ledger.ts'
import type { Session } from '../openid/session.ts'
import { BoundedMap } from '../storage/bounded.ts'
import { sharedClock, type SharedClock } from '../storage/clock.ts'
import { collectionOf, type Collection } from '../storage/collection.ts'
import { chain, type MaybePromise } from '../storage/maybe-promise.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { partition } from '../storage/partition.ts'
import type { Storage } from '../storage/storage.ts'
import { createNonces, type Nonces } from '../tokens/dpop-nonces.ts'
import { retentionOf } from '../tokens/lifetimes.ts'
import type { Settings } from './options.ts'

export interface ProviderState {
  readonly settings: Settings
  /** What instances have in common; everything below that is a collection is kept there. */
  readonly storage: Storage
  /** Learns what other instances changed, once what the settings demand is stored. */
  refresh(): MaybePromise<void>
  /** Forgets everything but its key, and begins anew with what the settings demand. */
  reset(): Promise<void>
  readonly clock: SharedClock
  readonly opaque: Opaque
  /** What this instance saw. */
  readonly log: EventLog
  /** What this instance minted. */
  readonly ledger: Ledger
  readonly signer: SigningKeys
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
  /** By device code, used ones included (RFC 8628). */
  readonly deviceCodes: Collection<DeviceCode>
  /** The device code of each user code. */
  readonly userCodes: Collection<string>
  /** Who is signed in at a user agent, by the value of its cookie. */
  readonly sessions: Collection<Session>
  /** The users that were added or changed, by subject. */
  readonly users: Collection<User>
  /** What clients publish about themselves, by its address. */
  readonly clientDocuments: Collection<unknown>
  /** Assertions and proofs that were presented. */
  readonly replays: Collection<true>
  readonly nonces: Nonces
  /** By the address at which a client publishes them. */
  readonly publishedKeys: Map<string, JWTVerifyGetKey>
}

/** Creates the state of a new provider. */
export function createState(settings: Settings): ProviderState {
  const clock = sharedClock(settings.clock)
  const storage = settings.storage
    ? partition(settings.storage, settings.issuer)
    : createMemoryStorage({ clock, limits: settings.limits })
  // what clients sign does not age with the movable clock, nor may the memory of it
  const unmoved = settings.storage
    ? storage
    : createMemoryStorage({ clock: settings.clock, limits: settings.limits })
  clock.share(storage)
  const ledger = createLedger(settings.limits.secrets)
  const log = createEventLog(settings.limits.eventCharacters)
  const opaque = opaqueValues(settings.random)
  const faults = createFaultSwitch({
    storage,
    retention: retentionOf(settings),
    gates: settings.limits.gates,
    held: settings.limits.held,
  })
  const registered = collectionOf<Client>(storage, 'clients')
  const clients = createClientRegistry({
    ...settings,
    most: settings.limits.clients,
    registered,
    ledger,
    opaque,
  })
  const signer = createSigningKeys({
    storage,
    clock,
    firstKey: settings.firstKey,
    overlap: settings.lifetimes.accessToken * 1000,
  })
  const key = signer.first('ES256')
  let nonces = key instanceof Promise ? undefined : createNonces(key, clock)
  const begin = () => {
    settings.clients.forEach((client) => clients.configure(client))
    return switchFaults(faults, settings.faults)
  }
  const switched = begin()
  const prepare = async () => {
    nonces ??= createNonces(await key, clock)
    await switched
  }
  let ready: MaybePromise<void> = prepare().then(() => {
    ready = undefined
  })
  // a storage that fails is reported by the requests that need it
  ready.catch(() => undefined)
  return {
    refresh: () => chain(ready, () => chain(clock.refresh(), () => signer.refresh())),
    async reset() {
      const keys = await Promise.all(
        signingAlgorithms
          .map(firstKeyId)
          .map(async (id) => [id, await storage.get('issuer', id)] as const),
      )
      await faults.clear()
      await storage.clear()
      await unmoved.clear()
      for (const [id, known] of keys) {
        if (known !== undefined) await storage.set('issuer', id, known)
      }
      for (const each of [log, ledger, clients]) each.clear()
      settings.resources.forEach(({ reset }) => reset?.())
      settings.audiences.reset()
      await begin()
      await clock.refresh()
    },
    settings,
    storage,
    clock,
    opaque,
    log,
    ledger,
    signer,
    get nonces() {
      if (!nonces) throw new Error('the provider is not ready')
      return nonces
    },
    clients,
    faults,
    authorizations: collectionOf(storage, 'authorizations'),
    pushed: collectionOf(storage, 'pushed'),
    codes: collectionOf(storage, 'codes'),
    tokens: collectionOf(storage, 'tokens'),
    registrations: collectionOf(storage, 'registrations'),
    deviceCodes: collectionOf(storage, 'deviceCodes'),
    userCodes: collectionOf(storage, 'userCodes'),
    sessions: collectionOf(storage, 'sessions'),
    users: collectionOf(storage, 'users'),
    clientDocuments: collectionOf(storage, 'clientDocuments'),
    replays: collectionOf(unmoved, 'replays'),
    publishedKeys: new BoundedMap(settings.limits.clients),
  }
}

/** Switches faults on, each for its scope. @throws TypeError */
function switchFaults(faults: FaultSwitch, specs: readonly ScopedFaultSpec[]): Promise<unknown> {
  const scopeOf = (spec: ScopedFaultSpec) =>
    (typeof spec === 'object' && 'scope' in spec ? spec.scope : undefined) ?? 'issuer'
  const scopes = [...new Set(specs.map(scopeOf))]
  const sets = scopes.map((scope) =>
    faults.set(
      scope,
      specs.filter((spec) => scopeOf(spec) === scope),
    ),
  )
  return Promise.all(sets.map(async (each) => each))
}

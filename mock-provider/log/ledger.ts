/** The ledger of every secret the provider minted, by which a leak can be recognised anywhere. */
import { BoundedMap, boundedList } from '../storage/bounded.ts'
import { listeners } from './listeners.ts'

/** What a secret is for. */
export type SecretKind =
  | 'authorization_code'
  | 'device_code'
  | 'access_token'
  | 'refresh_token'
  | 'id_token'
  | 'client_secret'
  | 'registration_access_token'
  /** What a user agent stays signed in by. */
  | 'session'

/** A secret that the provider issued. */
export interface MintedSecret {
  /** Readable and unique within the provider, as `access_token-7`. */
  readonly id: string
  readonly kind: SecretKind
  readonly value: string
  /** The authorization it was minted for. */
  readonly authorization?: string | undefined
  readonly clientId?: string | undefined
}

export interface Ledger {
  readonly secrets: readonly MintedSecret[]
  record(secret: Omit<MintedSecret, 'id'>): MintedSecret
  /** The id of the secret with this value, if the provider minted it. */
  idOf(value: string | undefined): string | undefined
  /** Forgets every secret; ids go on counting. */
  clear(): void
  onSecret(listener: (secret: MintedSecret) => void): () => void
}

/** Creates an empty ledger that remembers so many secrets. */
export function createLedger(most: number): Ledger {
  const list = boundedList<MintedSecret>(most, () => 1)
  const byValue = new BoundedMap<string, MintedSecret>(most)
  const counts = new Map<SecretKind, number>()
  const { add, notify } = listeners<MintedSecret>()
  return {
    secrets: list.entries,
    record(draft) {
      const count = (counts.get(draft.kind) ?? 0) + 1
      counts.set(draft.kind, count)
      const secret = { id: `${draft.kind}-${count}`, ...draft }
      list.push(secret)
      byValue.set(secret.value, secret)
      notify(secret)
      return secret
    },
    idOf: (value) => (value === undefined ? undefined : byValue.get(value)?.id),
    clear() {
      list.clear()
      byValue.clear()
    },
    onSecret: add,
  }
}

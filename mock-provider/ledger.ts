/** The ledger of every secret the provider minted, by which a leak can be recognised anywhere. */
import { BoundedMap, boundedList } from './bounded.ts'
import { limits } from './limits.ts'
import { listeners } from './listeners.ts'

export type SecretKind =
  | 'authorization_code'
  | 'device_code'
  | 'access_token'
  | 'refresh_token'
  | 'id_token'
  | 'client_secret'
  | 'registration_access_token'

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
  onSecret(listener: (secret: MintedSecret) => void): () => void
}

/** Creates an empty ledger, bounded by `limits.secrets`. */
export function createLedger(): Ledger {
  const list = boundedList<MintedSecret>(limits.secrets, () => 1)
  const byValue = new BoundedMap<string, MintedSecret>(limits.secrets)
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
    onSecret: add,
  }
}

/** The signing keys of an issuer over time: one of each algorithm signs, earlier ones stay published while tokens need them. */
import { createPrivateKey, randomUUID, type KeyObject } from 'node:crypto'
import type { Clock } from '../storage/clock.ts'
import { chain, type MaybePromise } from '../storage/maybe-promise.ts'
import type { Storage } from '../storage/storage.ts'
import {
  createSigner,
  generateSigningKey,
  signingAlgorithms,
  type Signer,
  type SigningAlgorithm,
} from './signer.ts'

/** A set of public keys (RFC 7517 §5). */
export type PublishedKeys = Readonly<{
  keys: readonly Readonly<Record<string, unknown>>[]
}>

export interface SigningKeys {
  /** The key that the issuer began with, which rotations leave alone. */
  first(algorithm: SigningAlgorithm): MaybePromise<KeyObject>
  /** What signs by this algorithm now. A key is made when it is first needed. */
  signer(algorithm: SigningAlgorithm): MaybePromise<Signer>
  /** What has signed by this algorithm already. @throws Error if nothing has */
  used(algorithm: SigningAlgorithm): Signer
  /** The public keys of all algorithms, the current ones first. The same object as long as it says the same. */
  published(): MaybePromise<PublishedKeys>
  /** Signs with new keys from now on. */
  rotate(options?: RotationOptions): MaybePromise<void>
  /** Learns which keys other instances rotated to. */
  refresh(): MaybePromise<void>
}

/** What becomes of the previous key. */
export interface RotationOptions {
  /**
   * Whether the previous key goes at once, as one that was compromised, instead of staying published
   * as long as what it signed lives. Default: no.
   */
  readonly withdraw?: boolean | undefined
}

/** The time between two rotations, as it is kept: its keys are kept beside it, once they are made. */
interface Generation {
  /** Empty: the one that the issuer began with. */
  readonly id: string
  /** When its keys are published no more, in milliseconds by the issuer's clock; absent: they sign. */
  readonly until?: number | undefined
}

export interface SigningKeysOptions {
  readonly storage: Storage
  readonly clock: Clock
  /** The keys to begin with, where they are not just any. */
  readonly firstKey: (algorithm: SigningAlgorithm) => KeyObject | undefined
  /** Milliseconds that a key stays published after it was replaced: as long as what it signed lives. */
  readonly overlap: number
}

const first: Generation = { id: '' }

/** Where a key is kept that an issuer began with. */
export const firstKeyId = (algorithm: SigningAlgorithm) => keyId(first, algorithm)

function keyId({ id }: Generation, algorithm: SigningAlgorithm): string {
  return `key ${algorithm} ${id}`
}

/** Creates the keys of an issuer; they and their rotations are kept in its storage, for all instances. */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { storage, clock, overlap, firstKey } = options
  const signers = new Map<string, Signer>()
  const making = new Map<string, Promise<KeyObject>>()
  let generations: readonly Generation[] = [first]
  let learned: unknown
  let served: readonly Signer[] = []
  let jwks: PublishedKeys = { keys: [] }

  const current = () => generations.at(-1) ?? first
  const learn = (record: unknown) => {
    if (record === learned) return
    learned = record
    generations = generationsIn(record)
    const ids = signingAlgorithms.flatMap((each) => generations.map((one) => keyId(one, each)))
    for (const id of signers.keys()) if (!ids.includes(id)) signers.delete(id)
  }
  const remember = (id: string, key: KeyObject) => {
    const signer = signers.get(id) ?? createSigner(key)
    signers.set(id, signer)
    return signer
  }
  const make = (id: string, algorithm: SigningAlgorithm): MaybePromise<KeyObject> => {
    const made =
      making.get(id) ??
      chain(storage.get('issuer', id), (known) =>
        known === undefined ? share(id, algorithm) : keyIn(known),
      )
    if (made instanceof Promise && !making.has(id)) {
      making.set(id, made)
      void made.catch(() => undefined).finally(() => making.delete(id))
    }
    return made
  }
  /** The first instance that needs a key makes it for all. */
  const share = (id: string, algorithm: SigningAlgorithm): MaybePromise<KeyObject> =>
    chain(generateSigningKey(algorithm), (made) => {
      const pem = made.export({ type: 'pkcs8', format: 'pem' })
      const before = storage.update('issuer', id, (known) => known ?? pem)
      return chain(before, (known) => (known === undefined ? made : keyIn(known)))
    })
  const keyOf = (generation: Generation, algorithm: SigningAlgorithm) => {
    const given = generation.id === first.id ? firstKey(algorithm) : undefined
    return given ?? make(keyId(generation, algorithm), algorithm)
  }
  const signerOf = (algorithm: SigningAlgorithm) => {
    const generation = current()
    const id = keyId(generation, algorithm)
    return signers.get(id) ?? chain(keyOf(generation, algorithm), (key) => remember(id, key))
  }
  /** What may have signed before: a key that was never needed is not made any more. */
  const earlier = (generation: Generation, algorithm: SigningAlgorithm) => {
    const id = keyId(generation, algorithm)
    const given = generation.id === first.id ? firstKey(algorithm) : undefined
    if (signers.has(id) || given) return signers.get(id) ?? remember(id, given!)
    return chain(storage.get('issuer', id), (known) =>
      known === undefined ? undefined : remember(id, keyIn(known)),
    )
  }
  return {
    first: (algorithm) => keyOf(first, algorithm),
    signer: signerOf,
    used(algorithm) {
      const signer = signers.get(keyId(current(), algorithm))
      if (!signer) throw new Error(`nothing was signed by ${algorithm} yet`)
      return signer
    },
    published() {
      const replaced = generations
        .slice(0, -1)
        .filter(({ until = Infinity }) => clock.now() < until)
        .toReversed()
      const found = [
        ...signingAlgorithms.map(signerOf),
        ...replaced.flatMap((each) => signingAlgorithms.map((one) => earlier(each, one))),
      ]
      return chain(all(found), (signers) => {
        const published = signers.filter((each) => each !== undefined)
        const unchanged =
          published.length === served.length && published.every((each, i) => each === served[i])
        if (!unchanged) {
          served = published
          jwks = { keys: published.map(({ jwk }) => jwk) }
        }
        return jwks
      })
    },
    refresh: () => chain(storage.get('issuer', 'rotations'), learn),
    rotate({ withdraw = false } = {}) {
      const id = randomUUID()
      const now = clock.now()
      const add = (record: unknown) => [
        ...generationsIn(record)
          .map((each) => ({ ...each, until: each.until ?? (withdraw ? now : now + overlap) }))
          .filter(({ until }) => now < until),
        { id },
      ]
      return chain(storage.update('issuer', 'rotations', add), (before) => learn(add(before)))
    },
  }
}

/** All values, at once where each of them is. */
function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  const known = values.flatMap((each) => (each instanceof Promise ? [] : [each]))
  return known.length === values.length ? known : Promise.all(values)
}

/** What is kept, oldest first; the last one signs. */
function generationsIn(record: unknown): readonly Generation[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody else writes it
  return (record ?? [first]) as readonly Generation[]
}

function keyIn(record: unknown): KeyObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody else writes it
  return createPrivateKey(record as string)
}

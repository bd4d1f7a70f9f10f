/** The signing keys of an issuer over time: one signs, earlier ones stay published while tokens need them. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Clock } from './clock.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import { createSigner, generateSigningKey, type Signer } from './signer.ts'
import type { Storage } from './storage/storage.ts'

export interface SigningKeys extends Signer {
  /** Signs with a new key from now on. */
  rotate(options?: RotationOptions): MaybePromise<void>
  /** Learns which keys other instances rotated to. */
  refresh(): MaybePromise<void>
}

export interface RotationOptions {
  /**
   * Whether the previous key goes at once, as one that was compromised, instead of staying published
   * as long as what it signed lives. Default: no.
   */
  readonly withdraw?: boolean | undefined
}

/** A key, as it is kept. */
interface Generation {
  /** PEM, PKCS #8; absent: the key that the issuer began with. */
  readonly key?: string | undefined
  /** When it is published no more, in milliseconds by the issuer's clock; absent: it signs. */
  readonly until?: number | undefined
}

export interface SigningKeysOptions {
  readonly storage: Storage
  readonly clock: Clock
  /** The key that signs until the first rotation. */
  readonly first: KeyObject
  /** Milliseconds that a key stays published after it was replaced: as long as what it signed lives. */
  readonly overlap: number
}

/** Creates the keys of an issuer; rotations are kept in its storage. */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { storage, clock, overlap } = options
  const first = createSigner(options.first)
  let signers: ReadonlyMap<string | undefined, Signer> = new Map([[undefined, first]])
  let generations: readonly Generation[] = generationsIn(undefined)
  let learned: unknown
  // the same object as long as it says the same
  let served: readonly Generation[] = []
  let jwks: Signer['jwks'] = { keys: [] }

  const learn = (record: unknown) => {
    if (record === learned) return
    learned = record
    generations = generationsIn(record)
    const signerOf = ({ key }: Generation) =>
      signers.get(key) ?? (key === undefined ? first : createSigner(createPrivateKey(key)))
    signers = new Map(generations.map((each) => [each.key, signerOf(each)]))
  }
  const signerOf = ({ key }: Generation) => signers.get(key) ?? first
  const isPublished = ({ until = Infinity }: Generation) => clock.now() < until
  return {
    get jwks() {
      const published = generations.filter(isPublished).toReversed()
      const unchanged =
        published.length === served.length && published.every((each, i) => each === served[i])
      if (!unchanged) {
        served = published
        jwks = { keys: published.flatMap((each) => signerOf(each).jwks.keys) }
      }
      return jwks
    },
    sign: (type, claims) => signerOf(generations.at(-1) ?? {}).sign(type, claims),
    refresh: () => chain(storage.get('issuer', 'rotations'), learn),
    rotate({ withdraw = false } = {}) {
      const next = generateSigningKey().export({ type: 'pkcs8', format: 'pem' }).toString()
      const now = clock.now()
      const add = (record: unknown) => [
        ...generationsIn(record)
          .map(({ key, until }) => ({ key, until: until ?? (withdraw ? now : now + overlap) }))
          .filter(({ until }) => now < until),
        { key: next },
      ]
      return chain(storage.update('issuer', 'rotations', add), (before) => learn(add(before)))
    },
  }
}

/** What is kept, oldest first; the last one signs. */
function generationsIn(record: unknown): readonly Generation[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody else writes it
  return (record ?? [{}]) as readonly Generation[]
}

/** The signing keys of an issuer over time: one signs, earlier ones stay published while tokens need them. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Clock } from './clock.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import { createSigner, generateSigningKey, type Signer } from './signer.ts'
import type { Storage } from './storage/storage.ts'

export interface SigningKeys extends Signer {
  /** Signs with a new key from now on; the previous one stays published for a while, then goes. */
  rotate(): MaybePromise<void>
  /** Learns which keys other instances rotated to. */
  refresh(): MaybePromise<void>
}

/** A key that was rotated to, as it is kept. */
interface Rotation {
  /** PEM, PKCS #8. */
  readonly key: string
  /** Milliseconds by the issuer's clock. */
  readonly at: number
}

interface Generation {
  readonly signer: Signer
  readonly at: number
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
  const first: Generation = { signer: createSigner(options.first), at: -Infinity }
  let generations: readonly Generation[] = [first]
  let learned: unknown
  // the same object as long as it says the same
  let served: readonly Generation[] = []
  let jwks: Signer['jwks'] = { keys: [] }

  const learn = (record: unknown) => {
    if (record === learned) return
    learned = record
    generations = [first, ...rotationsIn(record).map(generationOf)]
  }
  const current = () => generations.at(-1) ?? first
  const isPublished = (index: number) => {
    const next = generations[index + 1]
    return !next || clock.now() < next.at + overlap
  }
  return {
    get jwks() {
      const published = generations.filter((_, index) => isPublished(index)).toReversed()
      const unchanged = published.length === served.length && published[0] === served[0]
      if (!unchanged) {
        served = published
        jwks = { keys: published.flatMap(({ signer }) => signer.jwks.keys) }
      }
      return jwks
    },
    sign: (type, claims) => current().signer.sign(type, claims),
    refresh: () => chain(storage.get('issuer', 'rotations'), learn),
    rotate() {
      const key = generateSigningKey().export({ type: 'pkcs8', format: 'pem' }).toString()
      const at = clock.now()
      const add = (record: unknown) => [
        ...rotationsIn(record).filter((each) => at < each.at + overlap),
        { key, at },
      ]
      return chain(storage.update('issuer', 'rotations', add), (before) => learn(add(before)))
    },
  }
}

const generationOf = ({ key, at }: Rotation): Generation => ({
  signer: createSigner(createPrivateKey(key)),
  at,
})

function rotationsIn(record: unknown): readonly Rotation[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody else writes it
  return (record ?? []) as readonly Rotation[]
}

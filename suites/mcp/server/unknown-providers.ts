/** Providers that the server under test does not know; each is opened when a token of it is first needed. */

import type { KeyObject } from 'node:crypto'
import {
  openUnknownProvider,
  type Surroundings,
  type UnknownProvider,
} from '../../../harness/parties/index.ts'
import { makeSigningKeys } from './sender-keys.ts'

/** One with the keys that it signs with. */
export interface OpenedProvider extends UnknownProvider {
  readonly signingKeys: readonly KeyObject[]
}

export interface UnknownProviders {
  /** One with keys of its own, or with those that the server knows. */
  readonly open: (keys: 'own' | 'known') => Promise<OpenedProvider>
  readonly close: () => Promise<void>
}

export function unknownProviders(surroundings: Surroundings): UnknownProviders {
  const opened = new Map<string, Promise<OpenedProvider>>()
  const open = async (known?: readonly KeyObject[]): Promise<OpenedProvider> => {
    const signingKeys = known ?? (await makeSigningKeys())
    const provider = await openUnknownProvider({ ...surroundings, signingKey: signingKeys })
    return { ...provider, signingKeys }
  }
  return {
    open(keys) {
      const opening =
        opened.get(keys) ?? open(keys === 'known' ? surroundings.signingKey : undefined)
      opened.set(keys, opening)
      return opening
    },
    async close() {
      await Promise.all([...opened.values()].map(async (each) => (await each).close()))
    },
  }
}

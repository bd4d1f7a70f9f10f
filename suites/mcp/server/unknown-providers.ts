/** Providers that the server under test does not know; each is opened when a token of it is first needed. */

import {
  openUnknownProvider,
  type Surroundings,
  type UnknownProvider,
} from '../../../harness/parties/index.ts'

export interface UnknownProviders {
  /** One with keys of its own, or with those that the server knows. */
  readonly open: (keys: 'own' | 'known') => Promise<UnknownProvider>
  readonly close: () => Promise<void>
}

export function unknownProviders(surroundings: Surroundings): UnknownProviders {
  const opened = new Map<string, Promise<UnknownProvider>>()
  return {
    open(keys) {
      const { signingKey } = surroundings
      const opening =
        opened.get(keys) ??
        openUnknownProvider({
          ...surroundings,
          signingKey: keys === 'known' ? signingKey : undefined,
        })
      opened.set(keys, opening)
      return opening
    },
    async close() {
      await Promise.all([...opened.values()].map(async (each) => (await each).close()))
    },
  }
}

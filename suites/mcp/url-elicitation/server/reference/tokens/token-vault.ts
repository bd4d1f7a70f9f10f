/** The tokens of each owner, changed by one call at a time so that no rotated token is used twice. */

import type { Provider } from '../oauth/provider.ts'
import type { Queue } from '../upstream/queue.ts'
import type { TokenStore } from './token-store.ts'
import type { Tokens } from './tokens.ts'

export interface TokenVault {
  readonly load: (owner: string) => Promise<Tokens | undefined>
  readonly save: (owner: string, tokens: Tokens) => Promise<void>
  /** Deletes these tokens, unless newer ones took their place. */
  readonly forget: (owner: string, stale: Tokens) => Promise<void>
  /** Deletes whatever there is. */
  readonly clear: (owner: string) => Promise<void>
  /** Tokens newer than `stale`; undefined (and deleted) when only the user can help. */
  readonly renew: (owner: string, stale: Tokens) => Promise<Tokens | undefined>
}

export interface TokenVaultParts {
  /** Under which name tokens are kept. */
  readonly recordOf: (owner: string) => string
  readonly refreshTokens: (
    provider: Provider,
    tokens: Tokens,
    now: () => number,
  ) => Promise<Tokens | undefined>
  readonly now: () => number
}

/** Each owner has tokens of their own. */
export function recordOf(owner: string): string {
  return owner
}

export function createTokenVault(
  store: TokenStore,
  provider: () => Promise<Provider>,
  queue: Queue,
  parts: TokenVaultParts,
): TokenVault {
  return {
    load: (owner) => store.load(parts.recordOf(owner)),
    save(owner, tokens) {
      const key = parts.recordOf(owner)
      return queue(key, () => store.save(key, tokens))
    },
    forget(owner, stale) {
      const key = parts.recordOf(owner)
      return queue(key, async () => {
        const current = await store.load(key)
        if (current?.accessToken === stale.accessToken) await store.delete(key)
      })
    },
    clear(owner) {
      const key = parts.recordOf(owner)
      return queue(key, () => store.delete(key))
    },
    renew(owner, stale) {
      const key = parts.recordOf(owner)
      return queue(key, async () => {
        const stored = await store.load(key)
        // Another call refreshed while this one waited: a second refresh would replay the rotated
        // token, which a provider takes for theft (RFC 9700 §4.14.2).
        if (stored?.accessToken !== stale.accessToken) return stored
        const fresh = await parts.refreshTokens(await provider(), stored, parts.now)
        // Saved before it is used: a crash in between must not cost the new refresh token.
        if (fresh === undefined) await store.delete(key)
        else await store.save(key, fresh)
        return fresh
      })
    },
  }
}

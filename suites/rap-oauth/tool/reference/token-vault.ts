/** The tokens of each user, changed by one call at a time so that no rotated token is used twice. */

import type { Provider } from './provider.ts'
import type { Queue } from './queue.ts'
import type { SealedFiles } from './sealed-files.ts'
import type { Tokens } from './tokens.ts'

export interface TokenVault {
  readonly load: (userId: string) => Promise<Tokens | undefined>
  readonly save: (userId: string, tokens: Tokens) => Promise<void>
  /** Deletes these tokens, unless newer ones took their place. */
  readonly forget: (userId: string, stale: Tokens) => Promise<void>
  /** Tokens newer than `stale`; undefined (and deleted) when only the user can help. */
  readonly renew: (userId: string, stale: Tokens) => Promise<Tokens | undefined>
}

export interface TokenVaultParts {
  readonly recordName: (userId: string) => string
  readonly saveTokens: (files: SealedFiles, key: string, tokens: Tokens) => Promise<void>
  readonly loadTokens: (files: SealedFiles, key: string) => Promise<Tokens | undefined>
  readonly deleteTokens: (files: SealedFiles, key: string) => Promise<void>
  readonly refreshTokens: (
    provider: Provider,
    tokens: Tokens,
    now: () => number,
  ) => Promise<Tokens | undefined>
  readonly now: () => number
}

export function createTokenVault(
  files: SealedFiles,
  provider: () => Promise<Provider>,
  queue: Queue,
  parts: TokenVaultParts,
): TokenVault {
  const isCurrent = async (key: string, tokens: Tokens) =>
    (await parts.loadTokens(files, key))?.accessToken === tokens.accessToken
  return {
    load: (userId) => parts.loadTokens(files, parts.recordName(userId)),
    save(userId, tokens) {
      const key = parts.recordName(userId)
      return queue(key, () => parts.saveTokens(files, key, tokens))
    },
    forget(userId, stale) {
      const key = parts.recordName(userId)
      return queue(key, async () => {
        if (await isCurrent(key, stale)) await parts.deleteTokens(files, key)
      })
    },
    renew(userId, stale) {
      const key = parts.recordName(userId)
      return queue(key, async () => {
        const stored = await parts.loadTokens(files, key)
        // Another call refreshed while this one waited: a second refresh would replay the rotated
        // token, which a provider takes for theft (RFC 9700 §4.14.2).
        if (stored?.accessToken !== stale.accessToken) return stored
        const fresh = await parts.refreshTokens(await provider(), stored, parts.now)
        // Saved before it is used: a crash in between must not cost the new refresh token.
        if (fresh === undefined) await parts.deleteTokens(files, key)
        else await parts.saveTokens(files, key, fresh)
        return fresh
      })
    },
  }
}

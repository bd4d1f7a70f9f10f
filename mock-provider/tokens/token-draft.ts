/** A token that is about to be issued, and how the provider's owner may add claims to it. */
import type { User } from '../authorization/user.ts'
import type { Claims } from '../openid/claims.ts'

/** A token that is about to be issued. */
export interface TokenDraft {
  readonly kind: 'access_token' | 'id_token'
  readonly subject: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** What is known about the subject. */
  readonly user: User
  /** What the token says so far. */
  readonly claims: Claims
}

/** Returns claims to add, in place of those of the same names; an undefined one is left out. */
export type TokenHook = (draft: TokenDraft) => Claims | undefined | Promise<Claims | undefined>

/** Claims for some tokens; each condition may be left out. */
export interface ClaimRule {
  readonly token?: TokenDraft['kind'] | undefined
  readonly clientId?: string | undefined
  readonly subject?: string | undefined
  /** A scope that was granted. */
  readonly scope?: string | undefined
  /** JSON; in its texts `${subject}`, `${clientId}`, `${scope}` and `${user.…}` stand for values. */
  readonly claims: Claims
}

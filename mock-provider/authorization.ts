/** Authorizations and what was issued for them. */
import type { AuthorizationRequest } from './authorization-request.ts'
import type { FaultSwitch } from './fault-switch.ts'
import type { FaultId, FaultSpec } from './faults/index.ts'
import type { CodeBinding } from './faults/fault.ts'

/** One request for authorization, from the request to the last token issued for it. */
export interface Authorization {
  readonly id: string
  readonly request: AuthorizationRequest
  readonly faults: FaultSwitch
  decided: boolean
  subject: string | undefined
  /** What was requested; from the decision on, what was granted. */
  scopes: readonly string[]
  /** Seconds that successive access tokens live; the last repeats. */
  accessTokenLifetimes: readonly number[]
  accessTokensIssued: number
  /** Milliseconds by which it was aged beyond the clock. */
  age: number
  revoked: boolean
}

/** Something that was issued for an authorization and expires. */
export interface Issued {
  readonly authorization: Authorization
  /** Milliseconds by the provider's clock. */
  readonly expiresAt: number
  /** The age of the authorization when this was issued. */
  readonly ageAtIssue: number
}

export interface Code extends Issued, CodeBinding {
  readonly codeChallengeMethod: string | undefined
  redeemed: boolean
}

export interface Token extends Issued {
  readonly kind: 'access_token' | 'refresh_token'
  readonly value: string
  readonly clientId: string
  readonly subject: string
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  /** The thumbprint of the key that it is bound to (RFC 9449 §6). */
  readonly jkt: string | undefined
  /** Milliseconds by the provider's clock. */
  readonly issuedAt: number
  revoked: boolean
  /** A refresh token that was rotated. */
  superseded: boolean
}

/** What a caller of the provider may see of an authorization and do to it. */
export interface AuthorizationHandle {
  readonly id: string
  readonly clientId: string
  /** Known from the decision on. */
  readonly subject: string | undefined
  readonly scopes: readonly string[]
  readonly faults: readonly FaultId[]
  /** Switches exactly these faults on. @throws TypeError for an unknown or issuer-level fault */
  setFaults(specs: readonly FaultSpec[]): void
  /** Ages this authorization's code and tokens by `ms` milliseconds, and nothing else. */
  advance(ms: number): void
  /** Lets what is held back for this authorization go on. */
  release(): void
  /** Ends it, as a user does in an account's settings. */
  revoke(): void
}

/** When something expires, in milliseconds by the clock, taking into account how it was aged. */
export function expiryOf(issued: Issued): number {
  return issued.expiresAt - (issued.authorization.age - issued.ageAtIssue)
}

/** Tells whether a token may be used at the time `now`. */
export function isLive(token: Token, now: number): boolean {
  if (token.revoked || token.superseded || token.authorization.revoked) return false
  return now < expiryOf(token)
}

export function handleOf(authorization: Authorization): AuthorizationHandle {
  const { id, request, faults } = authorization
  return {
    id,
    clientId: request.client.clientId,
    get subject() {
      return authorization.subject
    },
    get scopes() {
      return authorization.scopes
    },
    get faults() {
      return faults.ids
    },
    setFaults: (specs) => faults.set(specs),
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError('time only moves forward')
      authorization.age += ms
    },
    release: () => faults.release(),
    revoke: () => void (authorization.revoked = true),
  }
}

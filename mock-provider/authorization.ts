/** Authorizations and what was issued for them, as records: a change makes a new one. */
import type { AuthorizationRequest } from './authorization-request.ts'
import { requireForward } from './clock.ts'
import type { CodeBinding } from './faults/fault.ts'
import type { FaultId, FaultSpec } from './faults/index.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import type { ProviderState } from './state.ts'
import { atOnce } from './storage/storage.ts'

/** One request for authorization, from the request to the last token issued for it. */
export interface Authorization {
  readonly id: string
  readonly request: AuthorizationRequest
  readonly decided: boolean
  readonly subject: string | undefined
  /** What was requested; from the decision on, what was granted. */
  readonly scopes: readonly string[]
  /** Seconds that successive access tokens live; the last repeats. */
  readonly accessTokenLifetimes: readonly number[]
  readonly accessTokensIssued: number
  /** Milliseconds by which it was aged beyond the clock. */
  readonly age: number
  readonly revoked: boolean
  /** The error that a refusal ends with where there is no user agent to take it along (RFC 8628 §3.5). */
  readonly refusal?: string | undefined
}

/** Something that was issued for an authorization and expires. */
export interface Issued {
  /** The id of the authorization. */
  readonly authorization: string
  /** Milliseconds by the provider's clock. */
  readonly expiresAt: number
  /** The age of the authorization when this was issued. */
  readonly ageAtIssue: number
}

export interface Code extends Issued, CodeBinding {
  readonly codeChallengeMethod: string | undefined
  readonly redeemed: boolean
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
  /** Who acts for the subject (RFC 8693 §4.1). */
  readonly actor?: string | undefined
  /** Milliseconds by the provider's clock. */
  readonly issuedAt: number
  readonly revoked: boolean
  /** A refresh token that was rotated. */
  readonly superseded: boolean
  /** When, in milliseconds by the provider's clock. */
  readonly supersededAt?: number | undefined
  /** The refresh token that it was rotated to last. */
  readonly successor?: string | undefined
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
export function expiryOf(issued: Issued, { age }: Authorization): number {
  return issued.expiresAt - (age - issued.ageAtIssue)
}

/** Tells whether a token of an authorization may be used at the time `now`. */
export function isLive(
  token: Token,
  authorization: Authorization | undefined,
  now: number,
): authorization is Authorization {
  if (!authorization || token.revoked || token.superseded || authorization.revoked) return false
  return now < expiryOf(token, authorization)
}

/** The authorization that something was issued for; undefined once it is forgotten. */
export function authorizationOf(
  { authorizations }: ProviderState,
  issued: MaybePromise<Issued | undefined>,
): MaybePromise<Authorization | undefined> {
  return chain(issued, (each) => authorizations.get(each?.authorization))
}

/** Ends an authorization, and with it everything that was or will be issued for it. */
export function revokeAuthorization({ authorizations }: ProviderState, id: string) {
  return authorizations.update(id, (authorization) => ({ ...authorization, revoked: true }))
}

/** The handle of an authorization in a storage that answers at once. */
export function handleOf(state: ProviderState, authorization: Authorization): AuthorizationHandle {
  const { id, request } = authorization
  const current = () => atOnce(state.authorizations.get(id)) ?? authorization
  return {
    id,
    clientId: request.clientId,
    get subject() {
      return current().subject
    },
    get scopes() {
      return current().scopes
    },
    get faults() {
      return atOnce(state.faults.ids(`authorization:${id}`))
    },
    setFaults: (specs) => atOnce(state.faults.set(`authorization:${id}`, specs)),
    advance(ms) {
      requireForward(ms)
      atOnce(state.authorizations.update(id, (each) => ({ ...each, age: each.age + ms })))
    },
    release: () => state.faults.release(`authorization:${id}`),
    revoke: () => void atOnce(revokeAuthorization(state, id)),
  }
}

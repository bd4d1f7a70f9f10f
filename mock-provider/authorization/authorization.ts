/** Authorizations and what was issued for them, as records: a change makes a new one. */
import type { CodeBinding } from '../faults/fault.ts'
import type { OpenIdRequest } from '../openid/openid-request.ts'
import type { Collection } from '../storage/collection.ts'
import type { MaybePromise } from '../storage/maybe-promise.ts'
import type { CodeChallenge } from './pkce.ts'
import type { ResponseMode, ResponseType } from './response-types.ts'

/** A valid request, as it is kept. */
export interface AuthorizationRequest extends CodeChallenge {
  readonly clientId: string
  /** Absent where no user agent is sent back: the client asked directly. */
  readonly redirectUri: string | undefined
  /** Whether the request named the redirect URI or relied on the only registered one. */
  readonly redirectUriGiven: boolean
  readonly responseType: ResponseType
  readonly responseMode: ResponseMode
  readonly state: string | undefined
  readonly scopes: readonly string[]
  readonly resource: readonly string[]
  readonly nonce: string | undefined
  /** The thumbprint of the key that the code is bound to (RFC 9449 §10). */
  readonly dpopJkt: string | undefined
  /** What OpenID Connect adds; absent where no user agent is sent. */
  readonly openid?: OpenIdRequest | undefined
  /** Parameters that no RFC defines. */
  readonly extra: Readonly<Record<string, string>>
}

/** One request for authorization, from the request to the last token issued for it. */
export interface Authorization {
  readonly id: string
  readonly request: AuthorizationRequest
  readonly decided: boolean
  readonly subject: string | undefined
  /** When the user who decided signed in, in milliseconds by the provider's clock. */
  readonly authenticatedAt?: number | undefined
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
  /** What its owner added to it. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
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

export interface DeviceCode extends Issued {
  readonly value: string
  readonly clientId: string
  /** As it is shown, with its hyphen. */
  readonly userCode: string
  /** Seconds that have to pass between two polls. */
  readonly interval: number
  /** When the device last asked, in milliseconds by the provider's clock. */
  readonly polledAt: number | undefined
  readonly redeemed: boolean
}

export interface PushedRequest {
  readonly clientId: string
  /** The request, form-encoded as it was pushed. */
  readonly form: string
  /** Milliseconds by the provider's clock. */
  readonly expiresAt: number
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

/** Where authorizations are kept. */
interface Kept {
  readonly authorizations: Collection<Authorization>
}

/** The authorization that something was issued for; undefined once it is forgotten. */
export async function authorizationOf(
  { authorizations }: Kept,
  issued: MaybePromise<Issued | undefined>,
): Promise<Authorization | undefined> {
  return authorizations.get((await issued)?.authorization)
}

/** Ends an authorization, and with it everything that was or will be issued for it. */
export function revokeAuthorization({ authorizations }: Kept, id: string) {
  return authorizations.update(id, (authorization) => ({ ...authorization, revoked: true }))
}

/** Builds the URL at which a user grants access or logs in (RFC 6749 §4.1.1, RFC 7636, RFC 9700 §2.1). */

import { randomBytes } from 'node:crypto'

import * as oauth from 'oauth4webapi'

import { CallFailure } from '../failure.ts'
import type { Provider } from './provider.ts'

export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string
  readonly scopes: readonly string[]
  readonly pkce: PkceParameters
  /** OpenID Connect Core §3.1.2.1; for a login. */
  readonly nonce?: string
  /** RFC 8707 §2.1; for access to the API. */
  readonly resource?: string | undefined
}

export interface PkceParameters {
  readonly code_challenge: string
  readonly code_challenge_method: string
}

/** 256 random bits. RFC 6749 §10.10 asks for at least 128. */
export function newState(): string {
  return randomBytes(32).toString('base64url')
}

/** The same for every flow, since it is registered and compared as a string (RFC 9700 §2.1). */
export function redirectUri(publicUrl: string): string {
  return `${publicUrl}/callback`
}

export function newVerifier(): string {
  return oauth.generateRandomCodeVerifier()
}

/** RFC 7636 §4.2: S256, always. */
export async function pkceParameters(verifier: string): Promise<PkceParameters> {
  return {
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
}

/** Throws a CallFailure with code `provider-unavailable` when there is no endpoint to go to. */
export async function buildAuthorizationUrl(
  provider: Provider,
  request: AuthorizationRequest,
): Promise<URL> {
  const endpoint = provider.server.authorization_endpoint
  if (endpoint === undefined || !URL.canParse(endpoint))
    throw new CallFailure('provider-unavailable')
  // A query that the endpoint has already is kept (RFC 6749 §3.1).
  const url = new URL(endpoint)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', provider.client.client_id)
  url.searchParams.set('redirect_uri', request.redirectUri)
  url.searchParams.set('scope', request.scopes.join(' '))
  url.searchParams.set('state', request.state)
  url.searchParams.set('code_challenge', request.pkce.code_challenge)
  url.searchParams.set('code_challenge_method', request.pkce.code_challenge_method)
  if (request.nonce !== undefined) url.searchParams.set('nonce', request.nonce)
  if (request.resource !== undefined) url.searchParams.set('resource', request.resource)
  return url
}

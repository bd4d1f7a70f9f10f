/** Builds the URL at which a user grants access (RFC 6749 §4.1.1, RFC 7636, RFC 9700 §2.1). */

import { randomBytes } from 'node:crypto'

import * as oauth from 'oauth4webapi'

import type { Call } from './call.ts'
import { CallFailure } from './failure.ts'
import type { Provider } from './provider.ts'

export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string
  readonly scopes: readonly string[]
  readonly pkce: PkceParameters
}

export interface PkceParameters {
  readonly code_challenge: string
  readonly code_challenge_method: string
}

/**
 * 256 random bits. RFC 6749 §10.10 asks for at least 128. The call is offered, not used: whatever
 * can be known of a call can be guessed.
 */
export function newState(_call: Call): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The tool's own callback endpoint: the same for every call, since it is registered and compared as
 * a string (RFC 9700 §2.1).
 */
export function redirectUri(publicUrl: string, _call: Call): string {
  return `${publicUrl}/oauth/callback`
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
export function buildAuthorizationUrl(provider: Provider, request: AuthorizationRequest): URL {
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
  if (provider.resourceIndicator !== undefined) {
    url.searchParams.set('resource', provider.resourceIndicator)
  }
  return url
}

/** RAP OAuth, Security Considerations: the auth_url MUST use HTTPS. */
export function requireHttps(authUrl: URL): void {
  if (authUrl.protocol !== 'https:') throw new CallFailure('provider-insecure')
}

/** The OAuth client: the authorization request, the callback, the exchange, the refresh (RFC 6749, 7636, 9207, 9700). */

import { randomBytes } from 'node:crypto'

import * as oauth from 'oauth4webapi'
import { z } from 'zod'

import { CallFailure, type FailureCode } from './failure.ts'
import type { Provider } from './provider.ts'

export const credentialSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** Milliseconds since the epoch; null when the provider did not say (RFC 6749 §5.1). */
  expiresAt: z.number().nullable(),
})

/** What is kept of a token response. */
export type Credential = z.infer<typeof credentialSchema>

/** What belongs to one authorization request, and to nothing else. */
export interface Flow {
  readonly state: string
  readonly verifier: string
}

/** 256 random bits. RFC 6749 §10.10 asks for at least 128. */
export function newState(): string {
  return randomBytes(32).toString('base64url')
}

export function newVerifier(): string {
  return oauth.generateRandomCodeVerifier()
}

/** RFC 7636 §4.2: S256, always. */
export async function pkceParameters(verifier: string): Promise<Readonly<Record<string, string>>> {
  return {
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
}

export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string
  readonly scopes: readonly string[]
  readonly pkce: Readonly<Record<string, string>>
}

/** Where the user is sent: complete, so that the client needs to add nothing. */
export async function authorizationUrl(
  { server, client }: Provider,
  { redirectUri, state, scopes, pkce }: AuthorizationRequest,
): Promise<string> {
  const endpoint = server.authorization_endpoint
  if (endpoint === undefined || !URL.canParse(endpoint))
    throw new CallFailure('provider-unavailable')
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    ...pkce,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Checks state and issuer of a callback (RFC 9700 §4.7, RFC 9207 §2.4). Throws a CallFailure unless it brings a code. */
export function readCallback(
  { server, client }: Provider,
  { state }: Flow,
  query: URLSearchParams,
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, client, query, state)
  } catch (error) {
    const said = error instanceof oauth.AuthorizationResponseError ? error.error : undefined
    throw new CallFailure(said === undefined ? 'callback-refused' : failureOf(said))
  }
}

function failureOf(error: string): FailureCode {
  return error === 'access_denied' ? 'denied' : 'authorization-failed'
}

export interface CodeGrant {
  /** What readCallback returned. */
  readonly parameters: URLSearchParams
  readonly redirectUri: string
  readonly verifier: string
}

/** Throws a CallFailure; the provider's own words are never part of it. */
export async function exchangeCode(
  { server, client, authentication, fetch }: Provider,
  { parameters, redirectUri, verifier }: CodeGrant,
): Promise<Credential> {
  try {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      { [oauth.customFetch]: fetch },
    )
    return credentialOf(await oauth.processAuthorizationCodeResponse(server, client, answer), null)
  } catch (error) {
    const refused = error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant'
    throw new CallFailure(refused ? 'exchange-refused' : 'token-request-failed')
  }
}

/** Undefined when the refresh token is dead. Throws a CallFailure when trying again later may help. */
export async function refresh(
  { server, client, authentication, fetch }: Provider,
  { refreshToken }: Credential,
): Promise<Credential | undefined> {
  if (refreshToken === null) return undefined
  try {
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      refreshToken,
      { [oauth.customFetch]: fetch },
    )
    const issued = await oauth.processRefreshTokenResponse(server, client, answer)
    // RFC 6749 §6: without a new refresh token, the old one stays valid.
    return credentialOf(issued, refreshToken)
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
      return undefined
    throw new CallFailure('refresh-failed')
  }
}

export function isExpired({ expiresAt }: Credential, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

function credentialOf(
  { access_token, refresh_token, expires_in }: oauth.TokenEndpointResponse,
  previous: string | null,
): Credential {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? previous,
    expiresAt: expires_in === undefined ? null : Date.now() + expires_in * 1000,
  }
}

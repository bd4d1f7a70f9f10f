/** The OAuth client: the authorization request, the exchange, the refresh (RFC 6749, 7636, 9207, 9700). */

import { randomBytes } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { BoundFetch } from './bound-fetch.ts'
import type { Config } from './environment.ts'
import { CallFailure } from './failure.ts'

export const credentialSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** Milliseconds since the epoch; null when the provider did not say (RFC 6749 §5.1). */
  expiresAt: z.number().nullable(),
})

/** What is kept of a token response. */
export type Credential = z.infer<typeof credentialSchema>

/** An authorization request that was made and not answered yet. */
export interface Flow {
  readonly state: string
  readonly verifier: string
  /** What was sent; none where the client application appends its own. */
  readonly redirectUri: string | undefined
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

/** Where the user is sent. */
export function authorizationUrl(
  config: Config['oauth'],
  flow: Flow,
  scopes: readonly string[],
  pkce: Readonly<Record<string, string>>,
): string {
  const url = new URL(config.authorizationEndpoint)
  const parameters = {
    response_type: 'code',
    client_id: config.clientId,
    scope: scopes.join(' '),
    state: flow.state,
    ...(flow.redirectUri === undefined ? {} : { redirect_uri: flow.redirectUri }),
    ...pkce,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** What a callback says: a code, that the user denied, that it failed; nothing where it cannot be believed. */
export type Callback =
  { readonly parameters: URLSearchParams } | { readonly error: string } | undefined

/** State and issuer are those of our own record (RFC 9700 §4.7, RFC 9207 §2.4). */
export function readCallback(
  config: Config['oauth'],
  flow: Flow,
  query: URLSearchParams,
): Callback {
  const { server, client } = partiesOf(config)
  try {
    return { parameters: oauth.validateAuthResponse(server, client, query, flow.state) }
  } catch (error) {
    return error instanceof oauth.AuthorizationResponseError ? { error: error.error } : undefined
  }
}

export interface CodeGrant {
  /** What readCallback returned. */
  readonly parameters: URLSearchParams
  readonly redirectUri: string
  readonly verifier: string
}

/** Throws a CallFailure; the provider's own words are never part of it. */
export async function exchangeCode(
  config: Config['oauth'],
  fetch: BoundFetch,
  { parameters, redirectUri, verifier }: CodeGrant,
): Promise<Credential> {
  const { server, client, authentication } = partiesOf(config)
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
  config: Config['oauth'],
  fetch: BoundFetch,
  { refreshToken }: Credential,
): Promise<Credential | undefined> {
  if (refreshToken === null) return undefined
  const { server, client, authentication } = partiesOf(config)
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

/** A token that ends within a minute is as good as expired. */
const leewayMs = 60_000

export function isExpired({ expiresAt }: Credential, now: number): boolean {
  return expiresAt !== null && now + leewayMs >= expiresAt
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

function partiesOf(config: Config['oauth']) {
  const server: oauth.AuthorizationServer = {
    issuer: config.issuer,
    authorization_endpoint: config.authorizationEndpoint,
    token_endpoint: config.tokenEndpoint,
    // This provider promises it (RFC 9207 §3).
    authorization_response_iss_parameter_supported: true,
  }
  const client: oauth.Client = { client_id: config.clientId }
  const authentication =
    config.clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(config.clientSecret)
  return { server, client, authentication }
}

/** The requests to the token endpoint: exchanging a code, and refreshing (RFC 6749 §4.1.3, §6). */

import * as oauth from 'oauth4webapi'

import { CallFailure } from '../failure.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { requestOptions, tokenRequestOptions, type Provider } from './provider.ts'

export interface CodeGrant {
  /** What validateResponse returned. */
  readonly response: URLSearchParams
  readonly redirectUri: string
  readonly verifier: string
  /** The scopes that were asked for. */
  readonly scopes: readonly string[]
}

/** Tokens for the API. Throws a CallFailure; the provider's own words are never part of it. */
export async function exchangeCode(
  provider: Provider,
  grant: CodeGrant,
  now: () => number,
): Promise<Tokens> {
  const { server, client, authentication } = provider
  const { response, redirectUri, verifier } = grant
  try {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      response,
      redirectUri,
      verifier,
      tokenRequestOptions(provider),
    )
    const issued = await oauth.processAuthorizationCodeResponse(server, client, answer)
    return toTokens(issued, grant.scopes, null, now())
  } catch (error) {
    throw exchangeFailure(error)
  }
}

/** Who logged in: the subject of the ID token (OpenID Connect Core §3.1.3.7). Throws a CallFailure. */
export async function exchangeLogin(
  provider: Provider,
  grant: Omit<CodeGrant, 'scopes'>,
  nonce: string,
): Promise<string> {
  const { server, client, authentication } = provider
  const { response, redirectUri, verifier } = grant
  try {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      response,
      redirectUri,
      verifier,
      requestOptions(provider),
    )
    const issued = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    const subject = oauth.getValidatedIdTokenClaims(issued)?.sub
    if (subject === undefined) throw new CallFailure('token-request-failed')
    return subject
  } catch (error) {
    throw exchangeFailure(error)
  }
}

/**
 * Resolves with new tokens, or with undefined when the refresh token is dead and only the user can
 * help. Throws a CallFailure when trying again later may help: the tokens are worth keeping then.
 */
export async function refreshTokens(
  provider: Provider,
  tokens: Tokens,
  now: () => number,
): Promise<Tokens | undefined> {
  if (tokens.refreshToken === null) return undefined
  const { server, client, authentication } = provider
  try {
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      tokens.refreshToken,
      tokenRequestOptions(provider),
    )
    const issued = await oauth.processRefreshTokenResponse(server, client, answer)
    // RFC 6749 §6: without a new refresh token, the old one stays valid.
    return toTokens(issued, tokens.scopes, tokens.refreshToken, now())
  } catch (error) {
    if (deadRefreshToken.has(oauthError(error) ?? '')) return undefined
    throw new CallFailure(isClientRefusal(error) ? 'client-refused' : 'refresh-failed')
  }
}

/** The errors of RFC 6749 §5.2 that no later attempt with the same refresh token will change. */
const deadRefreshToken = new Set([
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
])

function toTokens(
  issued: oauth.TokenEndpointResponse,
  requestedScopes: readonly string[],
  previousRefreshToken: string | null,
  now: number,
): Tokens {
  // We can use bearer tokens only (RFC 6749 §7.1: an unknown type must not be used).
  if (issued.token_type !== 'bearer') throw new TypeError('not a bearer token')
  return {
    accessToken: issued.access_token,
    refreshToken: issued.refresh_token ?? previousRefreshToken,
    expiresAt: issued.expires_in === undefined ? null : now + issued.expires_in * 1000,
    // RFC 6749 §5.1: no scope in the answer means the requested one.
    scopes: issued.scope?.split(' ').filter(Boolean) ?? [...requestedScopes],
  }
}

function exchangeFailure(error: unknown): CallFailure {
  if (isClientRefusal(error)) return new CallFailure('client-refused')
  if (oauthError(error) === 'invalid_grant') return new CallFailure('exchange-refused')
  return new CallFailure('token-request-failed')
}

function oauthError(error: unknown): string | undefined {
  return error instanceof oauth.ResponseBodyError ? error.error : undefined
}

/** invalid_client may also arrive as a bare 401 challenge (RFC 6749 §5.2). */
function isClientRefusal(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.status === 401
  return oauthError(error) === 'invalid_client'
}

/** Guards what only an access token opens (RFC 6750). */
import { authorizationOf, isLive, type Token } from './authorization.ts'
import { challenge } from './bearer-challenge.ts'
import { presentedToken } from './bearer-token.ts'
import type { ResourceAccessDetail } from './events.ts'
import type { Exchange } from './exchange.ts'
import { parseParameters } from './parameters.ts'
import { hasMediaType } from './json-body.ts'
import { OAuthError } from './oauth-error.ts'
import type { ProviderState } from './state.ts'

/** The token that a request presents, whether it may or not. */
export function tokenOf({ headers, query, form }: Exchange) {
  const isForm = hasMediaType(headers, 'application/x-www-form-urlencoded')
  return presentedToken(headers, query, isForm ? form : parseParameters(''))
}

/** Describes an access for the log, refused until it is served. */
export async function describeAccess(
  state: ProviderState,
  exchange: Exchange,
): Promise<ResourceAccessDetail> {
  const { credential, value } = tokenOf(exchange)
  return {
    type: 'resource-access',
    token: state.ledger.idOf(value),
    subject: (await state.tokens.get(value))?.subject,
    credential,
    route: `${exchange.method} ${exchange.url.pathname}`,
    outcome: 'refused',
  }
}

/**
 * Returns the live access token of a request that has the scope. Every audience that is ever granted
 * is this API's (`resolveResource`), so there is none to refuse.
 * @throws OAuthError with a challenge: without an error code when no credentials were presented,
 *   otherwise `invalid_request`, `invalid_token` or `insufficient_scope` (RFC 6750 §3.1)
 */
export async function requireAccess(
  state: ProviderState,
  exchange: Exchange,
  scope: string,
): Promise<Token> {
  const { settings, tokens, clock } = state
  const { issuer, bearerMethods } = settings
  const { credential, value, problem } = tokenOf(exchange)
  const refusal = (status: number, error: string, description: string) => {
    const headers = challenge(issuer, { error, description, scope })
    return new OAuthError(error, description, { status, headers })
  }
  if (problem === 'ambiguous') {
    throw refusal(400, 'invalid_request', 'more than one token was presented')
  }
  if (credential === 'none' || !bearerMethods.includes(credential)) {
    // RFC 6750 §3.1: no error code for a request that lacks (acceptable) authentication information
    const headers = challenge(issuer, { scope })
    throw new OAuthError('unauthorized', 'an access token is required', { status: 401, headers })
  }
  if (problem === 'malformed') {
    throw refusal(400, 'invalid_request', 'the Authorization header is malformed')
  }
  const token = await tokens.get(value)
  const authorization = await authorizationOf(state, token)
  if (token?.kind !== 'access_token' || !isLive(token, authorization, clock.now())) {
    throw refusal(401, 'invalid_token', 'the access token is expired, revoked or invalid')
  }
  if (!token.scopes.includes(scope)) {
    throw refusal(403, 'insufficient_scope', 'the access token lacks the scope')
  }
  return token
}

/** Guards what only an access token opens (RFC 6750, RFC 9449 §7). */
import { authorizationOf, isLive, type Token } from '../authorization/authorization.ts'
import { splitScope } from '../authorization/scopes.ts'
import type { Exchange } from '../http/exchange.ts'
import { hasMediaType } from '../http/json-body.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { parseParameters } from '../http/parameters.ts'
import type { ResourceAccessDetail } from '../log/events.ts'
import type { ProviderState } from '../provider/state.ts'
import { checkProof } from '../tokens/dpop-proof.ts'
import { challenge } from './bearer-challenge.ts'
import { presentedToken } from './bearer-token.ts'
import { isMeantFor } from './resource-indicators.ts'

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

/** What a request needs to be let through. */
export interface Need {
  /** One scope token or several, all of which are needed. */
  readonly scope?: string | undefined
  /** The path of the resource that the token must be meant for. */
  readonly resource?: string
}

/**
 * Returns the live access token of a request, if it is meant for the resource and has the scope.
 * @throws OAuthError with a challenge: without an error code when no credentials were presented,
 *   otherwise `invalid_request`, `invalid_token` or `insufficient_scope` (RFC 6750 §3.1), or an error
 *   of the DPoP proof (RFC 9449 §7.1)
 */
export async function requireAccess(
  state: ProviderState,
  exchange: Exchange,
  { scope, resource }: Need,
): Promise<Token> {
  const { settings, tokens, clock, nonces } = state
  const { issuer, bearerMethods } = settings
  const { credential, scheme, value = '', problem } = tokenOf(exchange)
  const token = await tokens.get(value)
  const needed = {
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  }
  const refusal = (status: number, error: string, description: string) => {
    const bound = scheme === 'DPoP' || token?.jkt !== undefined
    const headers = {
      ...challenge(issuer, { ...needed, error, description, ...(bound && { scheme: 'DPoP' }) }),
      ...(error === 'use_dpop_nonce' && { 'dpop-nonce': nonces.current() }),
    }
    return new OAuthError(error, description, { status, headers })
  }
  if (problem === 'ambiguous') {
    throw refusal(400, 'invalid_request', 'more than one token was presented')
  }
  if (credential === 'none' || !bearerMethods.includes(credential)) {
    // RFC 6750 §3.1: no error code for a request that lacks (acceptable) authentication information
    const headers = challenge(issuer, needed)
    throw new OAuthError('unauthorized', 'an access token is required', { status: 401, headers })
  }
  if (credential !== 'header') exchange.leniencies.push(`bearer-in-${credential}`)
  if (problem === 'malformed') {
    throw refusal(400, 'invalid_request', 'the Authorization header is malformed')
  }
  const authorization = await authorizationOf(state, token)
  if (token?.kind !== 'access_token' || !isLive(token, authorization, clock.now())) {
    throw refusal(401, 'invalid_token', 'the access token is expired, revoked or invalid')
  }
  // RFC 8707 §2: what another API was sent is not to be used here
  if (resource !== undefined && !isMeantFor(token.audience, issuer, resource)) {
    throw refusal(401, 'invalid_token', 'the access token is meant for another resource')
  }
  // RFC 9449 §7.2: a bound token is not a bearer token, nor the other way round
  if ((scheme === 'DPoP') !== (token.jkt !== undefined)) {
    throw refusal(401, 'invalid_token', 'the access token goes with another scheme')
  }
  if (token.jkt !== undefined) {
    const proof = await checkProof(state, exchange, value)
    if (proof.status === 'refused') throw refusal(401, proof.error, proof.problem)
    if (proof.status === 'absent') {
      throw refusal(401, 'invalid_dpop_proof', 'a DPoP proof is required')
    }
    if (proof.jkt !== token.jkt) {
      throw refusal(401, 'invalid_token', 'the access token is bound to another key')
    }
  }
  if (!splitScope(scope).every((each) => token.scopes.includes(each))) {
    throw refusal(403, 'insufficient_scope', 'the access token lacks the scope')
  }
  return token
}

/** Refreshes an access token, rotating the refresh token (RFC 6749 §6, RFC 9700 §4.14). */
import { isLive } from '../authorization.ts'
import { issueTokens, type IssuedTokens } from '../issue-tokens.ts'
import { requireParameter } from '../parameters.ts'
import { resolveScope } from '../scopes.ts'
import { fire } from '../with-faults.ts'
import { requestedResource } from './authorization-code.ts'
import { invalidGrant, type GrantRequest } from './grant.ts'

/** @throws OAuthError */
export function refresh({ state, exchange, client, form, jkt }: GrantRequest): IssuedTokens {
  const token = state.tokens.get(requireParameter(form, 'refresh_token'))
  if (token?.kind !== 'refresh_token' || token.clientId !== client.clientId) {
    throw invalidGrant('the refresh token was not issued to the client')
  }
  const { authorization, subject } = token
  if (token.superseded) {
    // RFC 9700 §4.14.2: a rotated token that comes again was stolen, or its successor was
    authorization.revoked = true
    throw invalidGrant('the refresh token has already been used')
  }
  if (!isLive(token, state.clock.now()))
    throw invalidGrant('the refresh token is not valid any more')
  // RFC 9449 §5
  if (token.jkt !== undefined && token.jkt !== jkt) {
    throw invalidGrant('the refresh token is bound to another key')
  }
  const scopes = resolveScope(form.get('scope'), token.scopes)
  const granted = authorization.request.resource
  const resource = requestedResource(form, granted, state.settings.issuer)
  const keeping = authorization.faults
    .active('token', 'refresh_token')
    .find(({ fault }) => fault.keepRefreshToken)
  if (keeping) fire(exchange, keeping)
  token.superseded = !keeping
  return issueTokens(state, {
    authorization,
    clientId: client.clientId,
    subject,
    scopes,
    refreshScopes: keeping ? undefined : token.scopes,
    resource,
    jkt,
    refreshJkt: token.jkt,
  })
}

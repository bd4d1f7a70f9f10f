/** Redeems an authorization code (RFC 6749 §4.1.3). */
import { expiryOf, type Code } from '../authorization.ts'
import { issueTokens, type IssuedTokens } from '../issue-tokens.ts'
import { requireParameter, type Parameters } from '../parameters.ts'
import { isPublic } from '../clients.ts'
import { compareVerifier, requireVerifier } from '../pkce.ts'
import { resolveResource } from '../resource-indicators.ts'
import { invalidGrant, type GrantRequest } from './grant.ts'

/** @throws OAuthError */
export function redeemCode({ state, client, form, jkt }: GrantRequest): IssuedTokens {
  const code = state.codes.get(requireParameter(form, 'code'))
  if (code?.clientId !== client.clientId)
    throw invalidGrant('the code was not issued to the client')
  const { authorization } = code
  const { request } = authorization
  if (code.redeemed) {
    // RFC 6749 §4.1.2, §10.5: a code that comes twice was stolen; so may be what it was redeemed for
    authorization.revoked = true
    throw invalidGrant('the code has already been used')
  }
  if (authorization.revoked || state.clock.now() >= expiryOf(code)) {
    throw invalidGrant('the code has expired')
  }
  requireSameRedirectUri(form, code)
  requireVerifier(compareVerifier(form.get('code_verifier'), code), code)
  if (request.dpopJkt !== undefined && request.dpopJkt !== jkt) {
    throw invalidGrant('the code is bound to another key')
  }
  const resource = requestedResource(form, request.resource, state.settings.issuer)
  code.redeemed = true
  return issueTokens(state, {
    authorization,
    clientId: client.clientId,
    subject: code.subject,
    scopes: authorization.scopes,
    refreshScopes: client.grantTypes.includes('refresh_token') ? authorization.scopes : undefined,
    resource,
    jkt,
    refreshJkt: isPublic(client) ? jkt : undefined,
    nonce: request.nonce,
  })
}

/** RFC 6749 §4.1.3: required, and identical, if the authorization request had one. */
function requireSameRedirectUri(form: Parameters, code: Code): void {
  const { redirectUri, redirectUriGiven } = code.authorization.request
  const presented = form.get('redirect_uri')
  if (presented === undefined && !redirectUriGiven) return
  if (presented !== redirectUri) throw invalidGrant('the redirect URI is not the same')
}

/** RFC 8707 §2.2: some or all of what was granted. */
export function requestedResource(
  form: Parameters,
  granted: readonly string[],
  issuer: string,
): readonly string[] {
  const requested = form.all('resource')
  if (requested.length === 0) return granted
  return resolveResource(requested, issuer, granted.length > 0 ? granted : undefined)
}

/** Redeems an authorization code (RFC 6749 §4.1.3). */
import {
  authorizationOf,
  expiryOf,
  revokeAuthorization,
  type Code,
  type AuthorizationRequest,
} from '../authorization/authorization.ts'
import { compareVerifier, requireVerifier } from '../authorization/pkce.ts'
import { isPublic } from '../clients/client.ts'
import type { OAuthError } from '../http/oauth-error.ts'
import { requireParameter, type Parameters } from '../http/parameters.ts'
import type { Settings } from '../provider/options.ts'
import type { ProviderState } from '../provider/state.ts'
import { knownTargets, requestedTargets, resolveTargets } from '../resource/resource-indicators.ts'
import { issueTokens, type IssuedTokens } from '../tokens/issue-tokens.ts'
import { invalidGrant, type GrantRequest } from './grant.ts'

/** @throws OAuthError */
export async function redeemCode({
  state,
  client,
  form,
  jkt,
}: GrantRequest): Promise<IssuedTokens> {
  const code = await state.codes.get(requireParameter(form, 'code'))
  if (code?.clientId !== client.clientId)
    throw invalidGrant('the code was not issued to the client')
  if (code.redeemed) throw await usedTwice(state, code)
  const authorization = await authorizationOf(state, code)
  const expired = !authorization || state.clock.now() >= expiryOf(code, authorization)
  if (expired || authorization.revoked) throw invalidGrant('the code has expired')
  const { request } = authorization
  requireSameRedirectUri(form, request)
  requireVerifier(compareVerifier(form.get('code_verifier'), code, state.settings), code)
  if (request.dpopJkt !== undefined && request.dpopJkt !== jkt) {
    throw invalidGrant('the code is bound to another key')
  }
  const resource = requestedResource(form, request.resource, state.settings)
  // whoever sees it unredeemed redeems it, whatever other request got this far
  const before = await state.codes.update(code.value, (each) => ({ ...each, redeemed: true }))
  if (before?.redeemed !== false) throw await usedTwice(state, code)
  return issueTokens(state, {
    authorization,
    client,
    subject: code.subject,
    scopes: authorization.scopes,
    refreshScopes: client.grantTypes.includes('refresh_token') ? authorization.scopes : undefined,
    resource,
    jkt,
    refreshJkt: isPublic(client) ? jkt : undefined,
    nonce: request.nonce,
  })
}

/** RFC 6749 §4.1.2, §10.5: a code that comes twice was stolen; so may be what it was redeemed for. */
async function usedTwice(state: ProviderState, { authorization }: Code): Promise<OAuthError> {
  await revokeAuthorization(state, authorization)
  return invalidGrant('the code has already been used')
}

/** RFC 6749 §4.1.3: required, and identical, if the authorization request had one. */
function requireSameRedirectUri(form: Parameters, request: AuthorizationRequest): void {
  const { redirectUri, redirectUriGiven } = request
  const presented = form.get('redirect_uri')
  if (presented === undefined && !redirectUriGiven) return
  if (presented !== redirectUri) throw invalidGrant('the redirect URI is not the same')
}

/** RFC 8707 §2.2: some or all of what was granted. */
export function requestedResource(
  form: Parameters,
  granted: readonly string[],
  settings: Settings,
): readonly string[] {
  const requested = requestedTargets(form, settings)
  if (requested.length === 0) return granted
  return resolveTargets(requested, granted.length > 0 ? granted : knownTargets(settings))
}

/** Reads what an authentication request says beyond OAuth (OpenID Connect Core §3.1.2.1). */
import { splitScope } from '../authorization/scopes.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { Parameters } from '../http/parameters.ts'
import type { ProviderState } from '../provider/state.ts'
import { parseClaims, wantedValue } from './claims.ts'
import type { OpenIdRequest } from './openid-request.ts'
import { ownIdToken } from './own-id-token.ts'

/** @throws OAuthError `invalid_request` */
export async function readOpenIdRequest(
  parameters: Parameters,
  state: ProviderState,
): Promise<OpenIdRequest> {
  const prompt = splitScope(parameters.get('prompt'))
  // OpenID Connect Core §3.1.2.1: none goes with no other value
  if (prompt.includes('none') && prompt.length > 1) {
    throw new OAuthError('invalid_request', 'prompt must be none alone')
  }
  // RFC 6749 §3.1: to OAuth alone the rest means nothing, and is ignored
  if (!splitScope(parameters.get('scope')).includes('openid')) return { prompt }
  const claims = parseClaims(parameters.get('claims'))
  return {
    prompt,
    maxAge: readMaxAge(parameters.get('max_age')),
    loginHint: parameters.get('login_hint'),
    subject:
      (await hintedSubject(parameters.get('id_token_hint'), state)) ??
      // OpenID Connect Core §5.5.1: a positive response is about that user or there is none
      wantedValue(claims?.idToken['sub']) ??
      wantedValue(claims?.userinfo['sub']),
    // OpenID Connect Core §5.5.1.1: acr_values is another way to say the same
    acr: wantedValue(claims?.idToken['acr']) ?? splitScope(parameters.get('acr_values'))[0],
    claims,
  }
}

function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new OAuthError('invalid_request', 'max_age must be a number of seconds')
}

async function hintedSubject(
  hint: string | undefined,
  state: ProviderState,
): Promise<string | undefined> {
  if (hint === undefined) return undefined
  const claims = await ownIdToken(state, hint)
  if (claims) return claims.sub
  throw new OAuthError('invalid_request', 'the id_token_hint is not an ID token of this provider')
}

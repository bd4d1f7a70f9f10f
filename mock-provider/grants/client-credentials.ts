/** Issues an access token to a client for itself (RFC 6749 §4.4). */
import { directRequest } from '../authorization/authorization-request.ts'
import { beginAuthorization } from '../authorization/begin-authorization.ts'
import { issueTokens, type IssuedTokens } from '../tokens/issue-tokens.ts'
import type { GrantRequest } from './grant.ts'

/** Scopes that mean something only where a user is involved (OpenID Connect Core §3.1.2.1, §11). */
const userScopes: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
]

/** @throws OAuthError */
export async function useClientCredentials({
  state,
  exchange,
  client,
  form,
  jkt,
}: GrantRequest): Promise<IssuedTokens> {
  const { clientId } = client
  const scopes = client.scopes.filter((scope) => !userScopes.includes(scope))
  const request = directRequest(form, { clientId, scopes }, state)
  const authorization = await beginAuthorization(request, state, { subject: clientId })
  exchange.authorization = authorization
  // RFC 6749 §4.4.3: without a refresh token
  return issueTokens(state, {
    authorization,
    client,
    // RFC 9068 §2.2: the subject of a token without a resource owner
    subject: clientId,
    scopes: request.scopes,
    resource: request.resource,
    jkt,
  })
}

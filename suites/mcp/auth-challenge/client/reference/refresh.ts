/** Refreshing a token, which this client does not do unless it is varied so (RFC 6749 §6). */

import { refreshAuthorization, type FetchLike } from '@modelcontextprotocol/client'
import type { Authority, ClientInformation, Tokens } from './work.ts'

/** New tokens for those before; none where there is no refresh token of that issuer. */
export async function refreshTokens(
  { issuer, server, resource }: Authority,
  tokens: Tokens | undefined,
  clientInformation: ClientInformation,
  fetchFn: FetchLike = fetch,
): Promise<Tokens | undefined> {
  if (tokens?.refresh_token === undefined || tokens.issuer !== issuer) return undefined
  return refreshAuthorization(issuer, {
    metadata: server,
    clientInformation,
    refreshToken: tokens.refresh_token,
    resource: new URL(resource.resource),
    fetchFn,
  })
}

/** What a grant type is: the exchange of a credential for tokens. */
import type { RegisteredClient } from '../clients/client.ts'
import type { Exchange } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { Parameters } from '../http/parameters.ts'
import type { ProviderState } from '../provider/state.ts'
import type { IssuedTokens } from '../tokens/issue-tokens.ts'

export interface GrantRequest {
  readonly state: ProviderState
  readonly exchange: Exchange
  /** The authenticated client, which may use this grant type. */
  readonly client: RegisteredClient
  readonly form: Parameters
  /** The thumbprint of the key that the client proved to have (RFC 9449 §5). */
  readonly jkt: string | undefined
}

/** @throws OAuthError */
export type Grant = (request: GrantRequest) => Promise<IssuedTokens>

/** RFC 6749 §5.2: invalid, expired, revoked, or issued for another client or redirect URI. */
export function invalidGrant(description: string): OAuthError {
  return new OAuthError('invalid_grant', description)
}

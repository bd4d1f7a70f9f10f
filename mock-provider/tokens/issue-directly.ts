/** Issues tokens without a flow, for tests that begin with one. */
import type { AuthorizationRequest } from '../authorization/authorization.ts'
import { beginAuthorization } from '../authorization/begin-authorization.ts'
import { findClient } from '../clients/client-id-metadata.ts'
import { defaultSubject } from '../pages/pages.ts'
import type { ProviderState } from '../provider/state.ts'
import { issueTokens } from './issue-tokens.ts'

/** What a token is to be that is issued without a flow; each may be left out. */
export interface DirectTokenRequest {
  /** Default: alice. */
  readonly subject?: string | undefined
  /** A client, registered or not. Default: test-client. */
  readonly clientId?: string | undefined
  /** Default: none; with `openid` there is an ID token, too, and with `offline_access` a refresh token. */
  readonly scopes?: readonly string[] | undefined
  /** What it is for, known to the provider or not. Default: what is usual for the client. */
  readonly audience?: readonly string[] | undefined
  /** Claims in place of those of the same names, in the access token and the ID token. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
  /** Seconds that the access token lives; it has expired already if this is negative. */
  readonly lifetime?: number | undefined
  /** Default: the provider's `accessTokenFormat`. */
  readonly format?: 'opaque' | 'jwt' | undefined
}

/** Tokens, as a token response has them (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface IssuedTokenSet {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  readonly id_token?: string
  readonly refresh_token?: string
}

/** Issues what is asked for; every endpoint knows it as if a user had decided. */
export async function issueDirectly(
  state: ProviderState,
  wanted: DirectTokenRequest = {},
): Promise<IssuedTokenSet> {
  const { subject = defaultSubject, clientId = 'test-client', scopes = [], audience = [] } = wanted
  const { idTokenSigningAlg, lifetimes } = state.settings
  const client = (await findClient(state, clientId)) ?? { clientId, idTokenSigningAlg, audience }
  const request: AuthorizationRequest = {
    clientId,
    redirectUri: undefined,
    redirectUriGiven: false,
    responseType: 'code',
    responseMode: 'query',
    state: undefined,
    scopes,
    codeChallenge: undefined,
    codeChallengeMethod: undefined,
    resource: audience,
    nonce: undefined,
    dpopJkt: undefined,
    extra: {},
  }
  const authorization = await beginAuthorization(request, state, {
    subject,
    authenticatedAt: state.clock.now(),
    accessTokenLifetimes: [wanted.lifetime ?? lifetimes.accessToken],
  })
  const { reply } = await issueTokens(state, {
    authorization,
    client,
    subject,
    scopes,
    refreshScopes: scopes.includes('offline_access') ? scopes : undefined,
    resource: audience,
    claims: wanted.claims,
    format: wanted.format,
  })
  // the members of a token response
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return reply.json as unknown as IssuedTokenSet
}

/** Issues access, refresh and ID tokens (RFC 6749 §5.1, RFC 9068, OpenID Connect Core §2). */
import type { Authorization, Token } from './authorization.ts'
import type { MintedSecret } from './ledger.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import { retentionOf } from './options.ts'
import { issuesRefreshToken } from './profiles/apply.ts'
import { json, type Reply } from './reply.ts'
import { resourceIdentifiers } from './resource-indicators.ts'
import type { ProviderState } from './state.ts'

/** Whom and what tokens are for. */
export interface TokenRequest {
  readonly authorization: Authorization
  readonly clientId: string
  readonly subject: string
  /** Of the access token. */
  readonly scopes: readonly string[]
  /** Of the refresh token: never narrowed by a refresh (RFC 6749 §6). Absent: none is issued. */
  readonly refreshScopes?: readonly string[] | undefined
  /** Requested resources; the API itself when there are none. */
  readonly resource: readonly string[]
  /** The thumbprint of the key that the access token is bound to (RFC 9449 §5). */
  readonly jkt?: string | undefined
  /** The same for the refresh token: that of a confidential client is bound to the client already. */
  readonly refreshJkt?: string | undefined
  /** Who acts for the subject (RFC 8693 §4.1). */
  readonly actor?: string | undefined
  /** Milliseconds by the provider's clock: the access token lives no longer. */
  readonly notAfter?: number | undefined
  /** Members of the response that only one grant has. */
  readonly members?: Readonly<Record<string, string>> | undefined
  /** Returned in the ID token (OpenID Connect Core §2). */
  readonly nonce?: string | undefined
}

export interface IssuedTokens {
  readonly reply: Reply
  readonly refreshToken: string | undefined
  /** Ids of the secrets in the reply. */
  readonly issued: readonly string[]
}

/** Issues the tokens and writes the successful response. */
export async function issueTokens(
  state: ProviderState,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const { authorization, scopes, refreshScopes } = request
  const remaining = ((request.notAfter ?? Infinity) - state.clock.now()) / 1000
  const seconds = Math.min(await nextLifetime(state, authorization), Math.floor(remaining))
  const access = await mint(state, request, 'access_token', scopes, seconds)
  const refresh =
    refreshScopes && (await issuesRefreshToken(state, authorization))
      ? await mint(
          state,
          request,
          'refresh_token',
          refreshScopes,
          state.settings.lifetimes.refreshToken,
        )
      : undefined
  const idToken = scopes.includes('openid') ? mintIdToken(state, request, seconds) : undefined
  return {
    refreshToken: refresh?.value,
    issued: [access, refresh, idToken].flatMap((secret) => secret?.id ?? []),
    reply: json({
      access_token: access.value,
      token_type: request.jkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: seconds,
      scope: scopes.join(' '),
      ...request.members,
      ...(refresh && { refresh_token: refresh.value }),
      ...(idToken && { id_token: idToken.value }),
    }),
  }
}

/** Counts an access token, which keeps its authorization from being forgotten. */
function nextLifetime(state: ProviderState, { id }: Authorization): MaybePromise<number> {
  const counted = state.authorizations.update(
    id,
    (each) => ({ ...each, accessTokensIssued: each.accessTokensIssued + 1 }),
    retentionOf(state.settings),
  )
  return chain(counted, (before) => {
    const { accessTokenLifetimes: lifetimes = [], accessTokensIssued: index = 0 } = before ?? {}
    return lifetimes[index] ?? lifetimes.at(-1) ?? state.settings.lifetimes.accessToken
  })
}

function mint(
  state: ProviderState,
  request: TokenRequest,
  kind: Token['kind'],
  scopes: readonly string[],
  seconds: number,
): MaybePromise<MintedSecret> {
  const { authorization, clientId, subject } = request
  const { issuer } = state.settings
  const issuedAt = state.clock.now()
  const audience = request.resource.length > 0 ? request.resource : [resourceIdentifiers(issuer)[0]]
  const jkt = kind === 'access_token' ? request.jkt : request.refreshJkt
  const jwt = kind === 'access_token' && state.settings.accessTokenFormat === 'jwt'
  const value = jwt
    ? state.signer.sign('at+jwt', {
        // RFC 9068 §2.2
        iss: issuer,
        sub: subject,
        aud: audience,
        client_id: clientId,
        scope: scopes.join(' '),
        jti: state.opaque(''),
        ...timesOf(issuedAt, seconds),
        // RFC 9449 §6.1
        ...(jkt !== undefined && { cnf: { jkt } }),
        // RFC 8693 §4.1
        ...(request.actor !== undefined && { act: { sub: request.actor } }),
      })
    : state.opaque(kind === 'access_token' ? 'at_' : 'rt_')
  const token: Token = {
    kind,
    value,
    authorization: authorization.id,
    clientId,
    subject,
    scopes,
    audience,
    jkt,
    actor: kind === 'access_token' ? request.actor : undefined,
    issuedAt,
    expiresAt: issuedAt + seconds * 1000,
    ageAtIssue: authorization.age,
    revoked: false,
    superseded: false,
  }
  const kept = state.tokens.set(value, token, seconds * 1000 + retentionOf(state.settings))
  return chain(kept, () =>
    state.ledger.record({ kind, value, authorization: authorization.id, clientId }),
  )
}

function mintIdToken(state: ProviderState, request: TokenRequest, seconds: number): MintedSecret {
  const { authorization, clientId, subject, nonce } = request
  const value = state.signer.sign('JWT', {
    iss: state.settings.issuer,
    sub: subject,
    aud: clientId,
    // two tokens issued within a second are still two secrets
    jti: state.opaque(''),
    nonce,
    ...timesOf(state.clock.now(), seconds),
  })
  const minted = { kind: 'id_token', value, authorization: authorization.id, clientId } as const
  return state.ledger.record(minted)
}

/** RFC 7519 §4.1.4, §4.1.6: in seconds. */
function timesOf(now: number, seconds: number): { iat: number; exp: number } {
  const iat = Math.floor(now / 1000)
  return { iat, exp: iat + seconds }
}

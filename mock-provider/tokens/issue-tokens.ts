/** Issues access, refresh and ID tokens (RFC 6749 §5.1, RFC 9068, OpenID Connect Core §2). */
import type { Authorization, Token } from '../authorization/authorization.ts'
import { brings } from '../authorization/response-types.ts'
import type { Client, RegisteredClient } from '../clients/client.ts'
import { json, type Reply } from '../http/reply.ts'
import type { MintedSecret } from '../log/ledger.ts'
import type { Claims } from '../openid/claims.ts'
import { issuesRefreshToken } from '../presets/apply.ts'
import type { ProviderState } from '../provider/state.ts'
import { resourceIdentifiers } from '../resource/resource-indicators.ts'
import { mintIdToken } from './id-token.ts'
import { ownClaims } from './own-claims.ts'
import { retentionOf, timesOf } from './lifetimes.ts'

/** Whom and what tokens are for. */
export interface TokenRequest {
  readonly authorization: Authorization
  readonly client: Pick<Client, 'clientId' | 'idTokenSigningAlg' | 'audience'>
  readonly subject: string
  /** Of the access token. */
  readonly scopes: readonly string[]
  /** Of the refresh token: never narrowed by a refresh (RFC 6749 §6). Absent: none is issued. */
  readonly refreshScopes?: readonly string[] | undefined
  /** Requested resources; what is usual for the client when there are none. */
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
  /** Claims in place of those of the same names. */
  readonly claims?: Claims | undefined
  /** In which form the access token is issued, if not the usual one. */
  readonly format?: 'opaque' | 'jwt' | undefined
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
  const { access, seconds, granted } = await issueAccessToken(state, request)
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
  const idToken = scopes.includes('openid')
    ? await mintIdToken(state, { ...request, seconds, accessToken: access.value })
    : undefined
  return {
    refreshToken: refresh?.value,
    issued: [access, refresh, idToken].flatMap((secret) => secret?.id ?? []),
    reply: json({
      access_token: access.value,
      token_type: request.jkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: seconds,
      scope: granted.join(' '),
      ...request.members,
      ...(refresh && { refresh_token: refresh.value }),
      ...(idToken && { id_token: idToken.value }),
    }),
  }
}

async function issueAccessToken(state: ProviderState, request: TokenRequest) {
  const { authorization, notAfter = Infinity } = request
  const granted = state.settings.audiences.narrow(request.scopes, audienceOf(state, request))
  const remaining = (notAfter - state.clock.now()) / 1000
  const seconds = Math.min(await nextLifetime(state, authorization), Math.floor(remaining))
  return { access: await mint(state, request, 'access_token', granted, seconds), seconds, granted }
}

/** What the user agent takes to the client beside the code (OpenID Connect Core §3.2.2.5, §3.3.2.5). */
export async function issueFrontTokens(
  state: ProviderState,
  issued: {
    readonly authorization: Authorization
    readonly client: RegisteredClient
    readonly code: string | undefined
  },
): Promise<Readonly<Record<string, string | undefined>>> {
  const { authorization, client, code } = issued
  const { subject = '', scopes, request } = authorization
  const { resource, responseType: type, nonce } = request
  const token = brings(type, 'token')
    ? await issueAccessToken(state, { authorization, client, subject, scopes, resource })
    : undefined
  const accessToken = token?.access.value
  const idToken = brings(type, 'id_token')
    ? await mintIdToken(state, {
        authorization,
        client,
        subject,
        nonce,
        accessToken,
        code,
        scopes,
        alone: type === 'id_token',
        seconds: state.settings.lifetimes.accessToken,
      })
    : undefined
  return {
    ...(token && {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: String(token.seconds),
      scope: token.granted.join(' '),
    }),
    id_token: idToken?.value,
  }
}

/** Counts an access token, which keeps its authorization from being forgotten. */
async function nextLifetime(state: ProviderState, { id }: Authorization): Promise<number> {
  const before = await state.authorizations.update(
    id,
    (each) => ({ ...each, accessTokensIssued: each.accessTokensIssued + 1 }),
    retentionOf(state.settings),
  )
  const { accessTokenLifetimes: lifetimes = [], accessTokensIssued: index = 0 } = before ?? {}
  return lifetimes[index] ?? lifetimes.at(-1) ?? state.settings.lifetimes.accessToken
}

/** What a token is for: what was requested, what is usual for the client, or the provider's own API. */
function audienceOf(
  { settings }: ProviderState,
  { resource, client }: Pick<TokenRequest, 'resource' | 'client'>,
): readonly string[] {
  if (resource.length > 0) return resource
  return client.audience.length > 0 ? client.audience : [resourceIdentifiers(settings.issuer)[0]]
}

async function mint(
  state: ProviderState,
  request: TokenRequest,
  kind: Token['kind'],
  scopes: readonly string[],
  seconds: number,
): Promise<MintedSecret> {
  const { authorization, subject } = request
  const { clientId } = request.client
  const { issuer } = state.settings
  const issuedAt = state.clock.now()
  const audience = audienceOf(state, request)
  const jkt = kind === 'access_token' ? request.jkt : request.refreshJkt
  const claims = {
    // RFC 9068 §2.2
    iss: issuer,
    sub: subject,
    aud: audience,
    client_id: clientId,
    scope: scopes.join(' '),
    ...timesOf(issuedAt, seconds),
    // RFC 9449 §6.1
    ...(jkt !== undefined && { cnf: { jkt } }),
    // RFC 8693 §4.1
    ...(request.actor !== undefined && { act: { sub: request.actor } }),
  }
  const own =
    kind === 'access_token'
      ? {
          ...(await ownClaims(state, { kind, subject, clientId, scopes, claims })),
          ...request.claims,
        }
      : {}
  const format = request.format ?? state.settings.accessTokenFormat
  const value =
    kind === 'access_token' && format === 'jwt'
      ? (await state.signer.signer(state.settings.accessTokenSigningAlg)).sign('at+jwt', {
          ...claims,
          jti: state.opaque(''),
          ...own,
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
    ...(Object.keys(own).length > 0 && { claims: own }),
    actor: kind === 'access_token' ? request.actor : undefined,
    issuedAt,
    expiresAt: issuedAt + seconds * 1000,
    ageAtIssue: authorization.age,
    revoked: false,
    superseded: false,
  }
  await state.tokens.set(value, token, seconds * 1000 + retentionOf(state.settings))
  return state.ledger.record({ kind, value, authorization: authorization.id, clientId })
}

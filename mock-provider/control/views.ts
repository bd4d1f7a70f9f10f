/** What the control API shows of what the provider keeps. */
import {
  authorizationOf,
  expiryOf,
  isLive,
  type Authorization,
  type Token,
} from '../authorization/authorization.ts'
import type { Client } from '../clients/client.ts'
import type { ProviderState } from '../provider/state.ts'
import { mask } from './mask.ts'

export function describeClient(client: Client) {
  const { clientId, clientSecret, name, redirectUris, authMethods } = client
  const { postLogoutRedirectUris } = client
  const { pkce, idTokenSigningAlg, grantTypes, responseTypes, audience, scopes } = client
  return {
    clientId,
    clientSecret: clientSecret === undefined ? undefined : mask(clientSecret),
    name,
    redirectUris,
    postLogoutRedirectUris,
    authMethods,
    pkce,
    idTokenSigningAlg,
    grantTypes,
    responseTypes,
    audience,
    scopes,
  }
}

export function describeAuthorization(state: ProviderState, authorization: Authorization) {
  const { id, request, subject, scopes, accessTokensIssued, age } = authorization
  return {
    id,
    clientId: request.clientId,
    subject,
    scopes,
    status: statusOf(authorization),
    accessTokensIssued,
    aged: age / 1000,
    page: `${state.settings.issuer}/authorize/${id}`,
  }
}

function statusOf({ decided, revoked, subject }: Authorization) {
  if (revoked) return 'revoked'
  if (!decided) return 'pending'
  return subject === undefined ? 'refused' : 'approved'
}

export async function describeToken(state: ProviderState, token: Token) {
  const { kind, clientId, subject, scopes, audience, issuedAt } = token
  const authorization = await authorizationOf(state, token)
  const expiresAt = authorization ? expiryOf(token, authorization) : token.expiresAt
  return {
    kind,
    value: mask(token.value),
    status: statusOfToken(token, authorization, state.clock.now()),
    clientId,
    subject,
    scopes,
    audience,
    issuedAt: timestamp(issuedAt),
    expiresAt: timestamp(expiresAt),
    authorization: token.authorization,
  }
}

function statusOfToken(token: Token, authorization: Authorization | undefined, now: number) {
  if (token.revoked || authorization?.revoked) return 'revoked'
  if (token.superseded) return 'rotated'
  return isLive(token, authorization, now) ? 'live' : 'expired'
}

export function describeClock({ clock, settings }: ProviderState) {
  const now = clock.now()
  return { now: timestamp(now), ahead: Math.round((now - settings.clock.now()) / 1000) }
}

/** The latest time that a `Date` can be. */
const latest = 8.64e15

function timestamp(ms: number): string {
  return new Date(Math.min(ms, latest)).toISOString()
}

/** Refreshes an access token, rotating the refresh token (RFC 6749 §6, RFC 9700 §4.14). */
import {
  authorizationOf,
  isLive,
  revokeAuthorization,
  type Token,
} from '../authorization/authorization.ts'
import { resolveScope } from '../authorization/scopes.ts'
import { activeFaults, fire } from '../faults/with-faults.ts'
import type { OAuthError } from '../http/oauth-error.ts'
import { requireParameter } from '../http/parameters.ts'
import type { ProviderState } from '../provider/state.ts'
import { issueTokens, type IssuedTokens } from '../tokens/issue-tokens.ts'
import { requestedResource } from './authorization-code.ts'
import { invalidGrant, type GrantRequest } from './grant.ts'

/** @throws OAuthError */
export async function refresh({
  state,
  exchange,
  client,
  form,
  jkt,
}: GrantRequest): Promise<IssuedTokens> {
  const token = await state.tokens.get(requireParameter(form, 'refresh_token'))
  if (token?.kind !== 'refresh_token' || token.clientId !== client.clientId) {
    throw invalidGrant('the refresh token was not issued to the client')
  }
  const accepted = token.superseded && (await acceptsRotated(state, exchange, token))
  if (token.superseded && !accepted) throw await usedTwice(state, token)
  const authorization = await authorizationOf(state, token)
  if (!isLive({ ...token, superseded: false }, authorization, state.clock.now()))
    throw invalidGrant('the refresh token is not valid any more')
  // RFC 9449 §5
  if (token.jkt !== undefined && token.jkt !== jkt) {
    throw invalidGrant('the refresh token is bound to another key')
  }
  const scopes = resolveScope(form.get('scope'), token.scopes)
  const granted = authorization.request.resource
  const resource = requestedResource(form, granted, state.settings)
  const keeping = await keepsRefreshToken(state, exchange)
  if (!keeping && !accepted) await supersede(state, exchange, token)
  const tokens = await issueTokens(state, {
    authorization,
    client,
    subject: token.subject,
    scopes,
    refreshScopes: keeping ? undefined : token.scopes,
    resource,
    jkt,
    refreshJkt: token.jkt,
  })
  const successor = tokens.refreshToken
  if (successor !== undefined) {
    await state.tokens.update(token.value, (each) => ({ ...each, successor }))
  }
  return tokens
}

/** Marks a token as rotated: whoever sees it current does, whatever other request got this far. */
async function supersede(
  state: ProviderState,
  exchange: GrantRequest['exchange'],
  token: Token,
): Promise<void> {
  const supersededAt = state.clock.now()
  const before = await state.tokens.update(token.value, (each) =>
    each.superseded ? each : { ...each, superseded: true, supersededAt },
  )
  if (before?.superseded === false) return
  if (!before || !(await acceptsRotated(state, exchange, before))) {
    throw await usedTwice(state, token)
  }
}

/** Tells whether a rotated token is accepted once more, which only a fault can bring about. */
async function acceptsRotated(
  state: ProviderState,
  exchange: GrantRequest['exchange'],
  { supersededAt = 0, successor }: Token,
): Promise<boolean> {
  const active = await activeFaults(state, exchange, 'token')
  const accepting = active.filter(({ fault }) => fault.acceptRotated)
  if (accepting.length === 0) return false
  const successorUsed = (await state.tokens.get(successor))?.superseded ?? false
  const age = state.clock.now() - supersededAt
  for (const each of accepting) {
    const accepts = each.fault.acceptRotated?.({ age, successorUsed, value: each.value })
    if (accepts && (await fire(exchange, each))) return true
  }
  return false
}

/** RFC 9700 §4.14.2: a rotated token that comes again was stolen, or its successor was. */
async function usedTwice(state: ProviderState, { authorization }: Token): Promise<OAuthError> {
  await revokeAuthorization(state, authorization)
  return invalidGrant('the refresh token has already been used')
}

async function keepsRefreshToken(
  state: ProviderState,
  exchange: GrantRequest['exchange'],
): Promise<boolean> {
  const active = await activeFaults(state, exchange, 'token')
  const keeping = active.find(({ fault }) => fault.keepRefreshToken)
  return keeping !== undefined && fire(exchange, keeping)
}

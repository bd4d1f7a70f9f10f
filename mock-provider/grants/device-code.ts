/** Redeems a device code once the user has decided (RFC 8628 §3.4, §3.5). */
import { authorizationOf, expiryOf, type DeviceCode } from '../authorization/authorization.ts'
import { isPublic } from '../clients/client.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { requireParameter } from '../http/parameters.ts'
import type { ProviderState } from '../provider/state.ts'
import { issueTokens, type IssuedTokens } from '../tokens/issue-tokens.ts'
import { requestedResource } from './authorization-code.ts'
import { invalidGrant, type GrantRequest } from './grant.ts'

/** Milliseconds by which a poll may come early: what separates two requests varies on its way. */
const slack = 500

/** @throws OAuthError */
export async function redeemDeviceCode({
  state,
  client,
  form,
  jkt,
}: GrantRequest): Promise<IssuedTokens> {
  const code = await state.deviceCodes.get(requireParameter(form, 'device_code'))
  if (code?.clientId !== client.clientId) {
    throw invalidGrant('the device code was not issued to the client')
  }
  if (code.redeemed) throw invalidGrant('the device code has already been used')
  const authorization = await authorizationOf(state, code)
  if (!authorization || state.clock.now() >= expiryOf(code, authorization)) {
    throw new OAuthError('expired_token', 'the device code has expired')
  }
  await requirePatience(state, code)
  if (!authorization.decided) {
    throw new OAuthError('authorization_pending', 'the user has not decided yet')
  }
  const { refusal, subject, scopes, revoked, request } = authorization
  if (refusal !== undefined || subject === undefined) {
    throw new OAuthError(refusal ?? 'access_denied', 'the user did not approve')
  }
  if (revoked) throw invalidGrant('the authorization was revoked')
  const resource = requestedResource(form, request.resource, state.settings)
  const before = await state.deviceCodes.update(code.value, (each) => ({ ...each, redeemed: true }))
  if (before?.redeemed !== false) throw invalidGrant('the device code has already been used')
  return issueTokens(state, {
    authorization,
    client,
    subject,
    scopes,
    refreshScopes: client.grantTypes.includes('refresh_token') ? scopes : undefined,
    resource,
    jkt,
    refreshJkt: isPublic(client) ? jkt : undefined,
  })
}

/**
 * Refuses a device that asks too often, and from then on wants it to wait five seconds more
 * (RFC 8628 §3.5).
 * @throws OAuthError `slow_down`
 */
async function requirePatience({ deviceCodes, clock }: ProviderState, { value }: DeviceCode) {
  const now = clock.now()
  const isEarly = ({ polledAt, interval }: DeviceCode) =>
    polledAt !== undefined && now - polledAt < interval * 1000 - slack
  const before = await deviceCodes.update(value, (each) => ({
    ...each,
    polledAt: now,
    interval: isEarly(each) ? each.interval + 5 : each.interval,
  }))
  if (before && isEarly(before)) throw new OAuthError('slow_down', 'the device asks too often')
}

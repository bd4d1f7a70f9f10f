/** The token endpoint (RFC 6749 §3.2). */
import { authorizationOf } from '../authorization.ts'
import { authenticateClient } from '../client-authentication.ts'
import { isGrantType } from '../clients.ts'
import type { GrantDetail } from '../events.ts'
import type { Draft, Endpoint } from '../exchange.ts'
import { requireForm } from '../form-request.ts'
import { redeemCode } from '../grants/authorization-code.ts'
import type { Grant } from '../grants/grant.ts'
import { refresh } from '../grants/refresh-token.ts'
import { OAuthError } from '../oauth-error.ts'
import { requireParameter } from '../parameters.ts'
import { compareVerifier } from '../pkce.ts'
import { presentedClient } from '../presented-client.ts'
import { provenKey } from '../proven-key.ts'
import type { GrantType } from '../clients.ts'
import type { ProviderState } from '../state.ts'

const grants: Readonly<Record<GrantType, Grant>> = {
  authorization_code: redeemCode,
  refresh_token: refresh,
}

export function tokenEndpoint(state: ProviderState): Endpoint<Draft<GrantDetail>> {
  return {
    name: 'token',
    methods: ['POST'],
    path: '/token',
    faults: 'token',
    attribute: ({ form }) =>
      authorizationOf(
        state,
        form.get('code') === undefined
          ? state.tokens.get(form.get('refresh_token'))
          : state.codes.get(form.get('code')),
      ),
    async attempt({ headers, form }) {
      const { clientId, method } = presentedClient(headers, form)
      const code = form.get('code')
      return {
        type: 'grant',
        grantType: form.get('grant_type'),
        clientId,
        clientAuthentication: method,
        presented: state.ledger.idOf(code ?? form.get('refresh_token')),
        verifier: compareVerifier(form.get('code_verifier'), await state.codes.get(code)),
        outcome: 'refused',
        issued: [],
      }
    },
    async handle(exchange, attempt) {
      const form = requireForm(exchange)
      const client = await authenticateClient(state, exchange)
      const grantType = requireParameter(form, 'grant_type')
      if (!isGrantType(grantType)) {
        throw new OAuthError('unsupported_grant_type', 'the grant type is not supported')
      }
      if (!client.grantTypes.includes(grantType)) {
        throw new OAuthError('unauthorized_client', 'the client may not use this grant type')
      }
      const jkt = await provenKey(state, exchange)
      if (jkt === undefined && client.dpopBoundAccessTokens) {
        throw new OAuthError('invalid_dpop_proof', 'a DPoP proof is required')
      }
      const { reply, issued } = await grants[grantType]({ state, exchange, client, form, jkt })
      Object.assign(attempt, { outcome: 'issued', issued, jkt })
      if (!state.settings.dpopNonce || jkt === undefined) return reply
      // RFC 9449 §8.2
      return { ...reply, headers: { ...reply.headers, 'dpop-nonce': state.nonces.current() } }
    },
  }
}

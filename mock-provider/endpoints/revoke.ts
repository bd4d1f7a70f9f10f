/** The revocation endpoint (RFC 7009). */
import { authorizationOf, revokeAuthorization } from '../authorization/authorization.ts'
import { authenticateClient } from '../clients/client-authentication.ts'
import { presentedClient } from '../clients/presented-client.ts'
import type { Draft, Endpoint, Exchange } from '../http/exchange.ts'
import { requireForm } from '../http/form-request.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { requireParameter } from '../http/parameters.ts'
import { empty } from '../http/reply.ts'
import type { RevocationDetail } from '../log/events.ts'
import type { ProviderState } from '../provider/state.ts'

export function revocationEndpoint(state: ProviderState): Endpoint<Draft<RevocationDetail>> {
  return {
    name: 'revoke',
    methods: ['POST'],
    path: '/revoke',
    crossOrigin: true,
    attribute: ({ form }) => authorizationOf(state, state.tokens.get(form.get('token'))),
    attempt: ({ headers, form }) => ({
      type: 'revocation',
      clientId: presentedClient(headers, form).clientId,
      token: state.ledger.idOf(form.get('token')),
      outcome: 'refused',
    }),
    async handle(exchange, attempt) {
      const form = requireForm(exchange)
      const clientId = await revoking(state, exchange)
      const token = await state.tokens.get(requireParameter(form, 'token'))
      attempt.outcome = token ? 'revoked' : 'ignored'
      // RFC 7009 §2.2: an unknown token is as good as revoked
      if (!token) return empty(200)
      // RFC 7009 §2.1: only the client that a token was issued to may revoke it
      if (clientId !== undefined && token.clientId !== clientId) {
        throw new OAuthError('invalid_grant', 'the token was not issued to the client')
      }
      await state.tokens.update(token.value, (each) => ({ ...each, revoked: true }))
      // RFC 7009 §2.1: with a refresh token go the access tokens of its grant
      if (token.kind === 'refresh_token') await revokeAuthorization(state, token.authorization)
      return empty(200)
    },
  }
}

/** The client that asks; none where the provider that is imitated needs none. @throws OAuthError */
async function revoking(state: ProviderState, exchange: Exchange): Promise<string | undefined> {
  const { method, clientId } = presentedClient(exchange.headers, exchange.form)
  if (state.settings.revokesForAnybody && method === 'none' && clientId === undefined)
    return undefined
  return (await authenticateClient(state, exchange)).clientId
}

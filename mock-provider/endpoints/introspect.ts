/** The introspection endpoint (RFC 7662), for confidential clients. */
import {
  authorizationOf,
  expiryOf,
  isLive,
  type Authorization,
  type Token,
} from '../authorization/authorization.ts'
import { authenticateConfidentialClient } from '../clients/client-authentication.ts'
import { presentedClient } from '../clients/presented-client.ts'
import type { Draft, Endpoint } from '../http/exchange.ts'
import { requireForm } from '../http/form-request.ts'
import { requireParameter } from '../http/parameters.ts'
import { json } from '../http/reply.ts'
import type { IntrospectionDetail } from '../log/events.ts'
import type { ProviderState } from '../provider/state.ts'

export function introspectionEndpoint(state: ProviderState): Endpoint<Draft<IntrospectionDetail>> {
  return {
    name: 'introspect',
    methods: ['POST'],
    path: '/introspect',
    faults: 'introspect',
    attribute: ({ form }) => authorizationOf(state, state.tokens.get(form.get('token'))),
    attempt: ({ headers, form }) => ({
      type: 'introspection',
      clientId: presentedClient(headers, form).clientId,
      token: state.ledger.idOf(form.get('token')),
      outcome: 'refused',
    }),
    async handle(exchange, attempt) {
      const form = requireForm(exchange)
      await authenticateConfidentialClient(state, exchange)
      const token = await state.tokens.get(requireParameter(form, 'token'))
      // RFC 7662 §2.2: about a token that is not active nothing more is told
      const authorization = await authorizationOf(state, token)
      if (!token || !isLive(token, authorization, state.clock.now())) {
        attempt.outcome = 'inactive'
        return json({ active: false })
      }
      attempt.outcome = 'active'
      return json(describe(token, authorization, state.settings.issuer))
    },
  }
}

/** RFC 7662 §2.2; times in seconds. */
function describe(token: Token, authorization: Authorization, issuer: string) {
  return {
    active: true,
    iss: issuer,
    sub: token.subject,
    aud: token.audience,
    client_id: token.clientId,
    scope: token.scopes.join(' '),
    iat: Math.floor(token.issuedAt / 1000),
    exp: Math.floor(expiryOf(token, authorization) / 1000),
    ...(token.kind === 'access_token' && {
      token_type: token.jkt === undefined ? 'Bearer' : 'DPoP',
    }),
    // RFC 9449 §6.2
    ...(token.jkt !== undefined && { cnf: { jkt: token.jkt } }),
    // RFC 8693 §4.1
    ...(token.actor !== undefined && { act: { sub: token.actor } }),
    ...token.claims,
  }
}

/** The UserInfo endpoint (OpenID Connect Core §5.3). */
import { authorizationOf } from '../authorization.ts'
import type { ResourceAccessDetail } from '../events.ts'
import type { Draft, Endpoint } from '../exchange.ts'
import { json } from '../reply.ts'
import { describeAccess, requireAccess, tokenOf } from '../require-access.ts'
import type { ProviderState } from '../state.ts'
import { claimsOf } from '../users.ts'

export function userinfoEndpoint(state: ProviderState): Endpoint<Draft<ResourceAccessDetail>> {
  return {
    name: 'userinfo',
    methods: ['GET', 'POST'],
    path: '/userinfo',
    attribute: (exchange) => authorizationOf(state, state.tokens.get(tokenOf(exchange).value)),
    attempt: (exchange) => describeAccess(state, exchange),
    async handle(exchange, attempt) {
      const { subject, scopes } = await requireAccess(state, exchange, { scope: 'openid' })
      const { name, email } = claimsOf(subject, state.settings.users)
      attempt.outcome = 'served'
      return json({
        sub: subject,
        // OpenID Connect Core §5.4
        ...(scopes.includes('profile') && { name }),
        ...(scopes.includes('email') && { email, email_verified: true }),
      })
    },
  }
}

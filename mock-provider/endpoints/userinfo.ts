/** The UserInfo endpoint (OpenID Connect Core §5.3). */
import { authorizationOf } from '../authorization/authorization.ts'
import { findUser } from '../authorization/users.ts'
import type { Draft, Endpoint } from '../http/exchange.ts'
import { json } from '../http/reply.ts'
import type { ResourceAccessDetail } from '../log/events.ts'
import { releasedClaims } from '../openid/claims.ts'
import type { ProviderState } from '../provider/state.ts'
import { describeAccess, requireAccess, tokenOf } from '../resource/require-access.ts'

export function userinfoEndpoint(state: ProviderState): Endpoint<Draft<ResourceAccessDetail>> {
  return {
    name: 'userinfo',
    methods: ['GET', 'POST'],
    path: '/userinfo',
    crossOrigin: true,
    attribute: (exchange) => authorizationOf(state, state.tokens.get(tokenOf(exchange).value)),
    attempt: (exchange) => describeAccess(state, exchange),
    async handle(exchange, attempt) {
      const { subject, scopes } = await requireAccess(state, exchange, {
        scope: state.settings.userinfoScope,
      })
      const asked = exchange.authorization?.request.openid?.claims?.userinfo ?? {}
      const user = await findUser(state, subject)
      attempt.outcome = 'served'
      return json({ ...releasedClaims(user, scopes, Object.keys(asked)), sub: subject })
    },
  }
}

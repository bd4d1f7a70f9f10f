/** The page on which a user enters the code of a device, and goes on to decide (RFC 8628 §3.3). */
import { expiryOf, type Authorization } from '../authorization/authorization.ts'
import { normalizeUserCode } from '../authorization/device-codes.ts'
import type { Endpoint } from '../http/exchange.ts'
import { redirect } from '../http/reply.ts'
import { userCodePage } from '../pages/pages.ts'
import type { ProviderState } from '../provider/state.ts'

export function devicePageEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'device',
    methods: ['GET', 'HEAD', 'POST'],
    path: '/device',
    async handle(exchange) {
      const { method, query, form } = exchange
      const { branding } = state.settings
      // RFC 8628 §3.3.1: a code that came with the address is confirmed by the user all the same
      if (method !== 'POST') return userCodePage(query.get('user_code') ?? '', { branding })
      const typed = form.get('user_code') ?? ''
      const authorization = await awaiting(state, typed)
      if (!authorization) {
        return userCodePage(typed, { problem: 'The code is unknown, used or expired', branding })
      }
      exchange.authorization = authorization
      return redirect(`${state.settings.issuer}/authorize/${authorization.id}`)
    },
  }
}

async function awaiting(
  { userCodes, deviceCodes, authorizations, clock }: ProviderState,
  typed: string,
): Promise<Authorization | undefined> {
  const code = await deviceCodes.get(await userCodes.get(normalizeUserCode(typed)))
  const authorization = await authorizations.get(code?.authorization)
  if (!code || !authorization || authorization.decided) return undefined
  return clock.now() < expiryOf(code, authorization) ? authorization : undefined
}

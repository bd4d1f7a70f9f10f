/** The page at the issuer itself: what is where, for whoever looks. */
import type { Endpoint } from '../http/exchange.ts'
import { startPage } from '../pages/pages.ts'
import type { ProviderState } from '../provider/state.ts'

export function startPageEndpoint({ settings }: ProviderState): Endpoint {
  const { issuer } = settings
  const links = [
    [`${issuer}/.well-known/openid-configuration`, 'Metadata'],
    [`${issuer}/jwks`, 'Public keys'],
    [`${issuer}/device`, 'Connect a device'],
    [`${issuer}/end_session`, 'Sign out'],
    [`${new URL(issuer).origin}/_control/`, 'Control API and live log, where it is switched on'],
  ] as const
  return {
    name: 'start',
    methods: ['GET', 'HEAD'],
    path: '/',
    handle: () => startPage(issuer, links),
  }
}

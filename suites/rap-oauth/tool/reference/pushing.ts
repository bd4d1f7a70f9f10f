/** The authorization request as a pushed one (RFC 9126): its URL names it. */

import * as oauth from 'oauth4webapi'

import type { Parts } from './parts.ts'
import type { Provider } from './provider.ts'

export function pushing(defaults: Parts): Partial<Parts> {
  let provider: Provider | undefined
  return {
    async discoverProvider(settings, fetch) {
      provider = await defaults.discoverProvider(settings, fetch)
      return provider
    },
    async deliver(delivery, means) {
      const { auth_url: url, ...message } = delivery.message
      if (typeof url !== 'string' || !provider) return defaults.deliver(delivery, means)
      const pushed = { ...message, auth_url: await push(provider, new URL(url)) }
      return defaults.deliver({ ...delivery, message: pushed }, means)
    },
  }
}

/** The URL that names the request of this one (RFC 9126 §4). */
async function push(
  { server, client, authentication, fetch }: Provider,
  url: URL,
): Promise<string> {
  const response = await oauth.pushedAuthorizationRequest(
    server,
    client,
    authentication,
    url.searchParams,
    { [oauth.customFetch]: fetch },
  )
  const answer = await oauth.processPushedAuthorizationResponse(server, client, response)
  const short = new URL(url.origin + url.pathname)
  short.searchParams.set('client_id', client.client_id)
  short.searchParams.set('request_uri', answer.request_uri)
  return short.href
}

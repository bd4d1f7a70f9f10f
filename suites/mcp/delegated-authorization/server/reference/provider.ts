/** The authorization server as its metadata describes it (RFC 8414), and this server as its client. */

import * as oauth from 'oauth4webapi'

import type { BoundFetch } from './bound-fetch.ts'
import type { Config } from './config.ts'
import { CallFailure } from './failure.ts'

export interface Provider {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
  readonly fetch: BoundFetch
}

/** Throws a CallFailure with code `provider-unavailable`. */
export async function discoverProvider(config: Config, fetch: BoundFetch): Promise<Provider> {
  const issuer = new URL(config.issuer)
  try {
    const response = await oauth.discoveryRequest(issuer, {
      algorithm: 'oauth2',
      [oauth.customFetch]: fetch,
    })
    return {
      server: await oauth.processDiscoveryResponse(issuer, response),
      client: { client_id: config.clientId },
      authentication: oauth.ClientSecretBasic(config.clientSecret),
      fetch,
    }
  } catch {
    throw new CallFailure('provider-unavailable')
  }
}

/** Loads once, at first need; callers who come meanwhile share it, and a failure is not remembered. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

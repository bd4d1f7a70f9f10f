/** The authorization server as discovered (RFC 8414, OpenID Connect Discovery), and us as its client. */

import * as oauth from 'oauth4webapi'

import type { Settings } from './config.ts'
import { CallFailure } from './failure.ts'
import type { BoundFetch } from './upstream.ts'

export interface Provider {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
  readonly fetch: BoundFetch
  /** RFC 8707; undefined: the parameter is not sent. */
  readonly resourceIndicator: string | undefined
}

/** Throws a CallFailure with code `provider-unavailable`. */
export async function discoverProvider(settings: Settings, fetch: BoundFetch): Promise<Provider> {
  return {
    server: await discoverServer(new URL(settings.issuer), fetch),
    client: { client_id: settings.clientId },
    authentication:
      settings.clientSecret === undefined
        ? oauth.None()
        : oauth.ClientSecretBasic(settings.clientSecret),
    fetch,
    resourceIndicator: settings.resourceIndicator,
  }
}

async function discoverServer(issuer: URL, fetch: BoundFetch): Promise<oauth.AuthorizationServer> {
  try {
    const options = { [oauth.customFetch]: fetch }
    let response = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    if (response.status === 404) {
      response = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oidc' })
    }
    // Checks that the document speaks for this very issuer (RFC 8414 §3.3).
    return await oauth.processDiscoveryResponse(issuer, response)
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

/** The authorization server as discovered (RFC 8414, OpenID Connect Discovery), and us as its client. */

import * as oauth from 'oauth4webapi'

import type { Settings } from '../config.ts'
import { CallFailure } from '../failure.ts'
import type { BoundFetch } from '../upstream/bound-fetch.ts'

export interface Provider {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly authentication: oauth.ClientAuth
  readonly fetch: BoundFetch
  /** The API's own name for itself (RFC 9728), for the parameter `resource`; not every API has one. */
  readonly resource: string | undefined
}

/** Throws a CallFailure with code `provider-unavailable`. */
export async function discoverProvider(settings: Settings, fetch: BoundFetch): Promise<Provider> {
  const [server, resource] = await Promise.all([
    discoverServer(settings.issuer, fetch),
    discoverResource(settings.resourceUrl, fetch),
  ])
  return {
    server,
    client: { client_id: settings.clientId },
    authentication:
      settings.clientSecret === undefined
        ? oauth.None()
        : oauth.ClientSecretBasic(settings.clientSecret),
    fetch,
    resource,
  }
}

/** How every request to the provider is made. */
export function requestOptions({ server, fetch }: Provider) {
  return fetchOptions(server.issuer, fetch)
}

/** The same with the parameter `resource` (RFC 8707 §2.2), where the API is known by a name. */
export function tokenRequestOptions(provider: Provider) {
  return {
    ...requestOptions(provider),
    ...(provider.resource !== undefined && {
      additionalParameters: { resource: provider.resource },
    }),
  }
}

/** A provider on this machine, during development, may speak plain http (RFC 8252 §8.3). */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)
}

async function discoverServer(
  issuer: string,
  fetch: BoundFetch,
): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  const options = fetchOptions(issuer, fetch)
  try {
    let response = await oauth.discoveryRequest(url, { ...options, algorithm: 'oauth2' })
    if (response.status === 404) {
      response = await oauth.discoveryRequest(url, { ...options, algorithm: 'oidc' })
    }
    // Checks that the document speaks for this very issuer (RFC 8414 §3.3).
    return await oauth.processDiscoveryResponse(url, response)
  } catch {
    throw new CallFailure('provider-unavailable')
  }
}

/** What the API advertises of itself, if anything (RFC 9728 §3). */
async function discoverResource(
  resourceUrl: string,
  fetch: BoundFetch,
): Promise<string | undefined> {
  const url = new URL(resourceUrl)
  try {
    const response = await oauth.resourceDiscoveryRequest(url, fetchOptions(resourceUrl, fetch))
    return (await oauth.processResourceDiscoveryResponse(url, response)).resource
  } catch {
    return undefined
  }
}

function fetchOptions(url: string, fetch: BoundFetch) {
  return { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: isLoopback(url) }
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

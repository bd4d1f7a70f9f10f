/** From a challenge to the authorization server; nothing is believed that does not belong to the server (RFC 9728, RFC 8414). */

import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
} from '@modelcontextprotocol/client'
import type { Authority, Challenge } from './work.ts'

/** The steps on the way. */
export interface DiscoverySteps {
  readonly fetchMetadata: FetchLike
  readonly isSafe: (url: string, endpoint: string) => boolean
  readonly coversEndpoint: (resource: string, endpoint: string) => boolean
  readonly checksIssuer: () => boolean
  /** Whether codes may be sent there. */
  readonly mayRedeemAt: (url: string, endpoint: string) => boolean
  /** Whether users may be sent there. */
  readonly mayOpen: (url: string, endpoint: string) => boolean
  readonly supportsPkce: (server: Authority['server']) => boolean
}

/** Redirects are an error: what a server names is what is asked. */
export const fetchMetadata: FetchLike = (url, init) => fetch(url, { ...init, redirect: 'error' })

/** Only https, unless it is the server itself that is without. */
export function isSafe(url: string, endpoint: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, origin } = new URL(url)
  return protocol === 'https:' || origin === new URL(endpoint).origin
}

export function coversEndpoint(resource: string, endpoint: string): boolean {
  return checkResourceAllowed({ requestedResource: endpoint, configuredResource: resource })
}

/** What is not said is not supported (MCP Authorization, Authorization Code Protection). */
export function supportsPkce({
  code_challenge_methods_supported: known,
}: Authority['server']): boolean {
  return known?.includes('S256') ?? false
}

/** Follows a challenge. @throws Error where it leads nowhere, or to where it must not */
export async function discover(
  endpoint: string,
  challenge: Challenge,
  steps: DiscoverySteps,
): Promise<Authority> {
  const { fetchMetadata: fetchFn, isSafe: safe } = steps
  const named = challenge.get('resource_metadata')
  if (named !== undefined && !safe(named, endpoint))
    throw new Error('the server names metadata at a URL that is not https')
  const resource = await discoverOAuthProtectedResourceMetadata(
    endpoint,
    named === undefined ? {} : { resourceMetadataUrl: named },
    fetchFn,
  )
  if (!steps.coversEndpoint(resource.resource, endpoint))
    throw new Error('the metadata is that of another resource')
  const [issuer] = resource.authorization_servers ?? []
  if (issuer === undefined || !safe(issuer, endpoint))
    throw new Error('the metadata names no authorization server with https')
  const server = await discoverAuthorizationServerMetadata(issuer, {
    fetchFn,
    skipIssuerValidation: !steps.checksIssuer(),
  })
  if (!server) throw new Error('the authorization server has no metadata')
  if (!steps.mayOpen(server.authorization_endpoint, endpoint))
    throw new Error('the authorization endpoint is not https')
  if (!steps.mayRedeemAt(server.token_endpoint, endpoint))
    throw new Error('the token endpoint is not https')
  if (!steps.supportsPkce(server))
    throw new Error('the authorization server does not say that it supports PKCE')
  return { issuer, server, resource }
}

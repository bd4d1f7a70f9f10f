/** What the MCP endpoint tells of itself: who issues tokens for it (RFC 9728). */

import type { Settings } from '../config.ts'

/** RFC 9728 §3.1: the well-known part comes between the host and the path. */
export function metadataUrl(resource: string): URL {
  const url = new URL(resource)
  const path = url.pathname === '/' ? '' : url.pathname
  return new URL(`/.well-known/oauth-protected-resource${path}`, url)
}

export function describeResource({ endpoint, issuer }: Settings): Record<string, unknown> {
  return {
    resource: endpoint,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    resource_name: 'Items',
  }
}

/** What this server tells of itself as a protected resource (RFC 9728). */

import { scopeOfNotes } from './access.ts'
import { endpointOf, type Config } from './config.ts'

/** RFC 9728 §3.1: between the host and the path of the resource. */
export const metadataPath = '/.well-known/oauth-protected-resource/mcp'

/** The public URL of this server; a request has no say in it. */
export function publicUrlOf({ publicUrl }: Pick<Config, 'publicUrl'>, _request: Headers): string {
  return publicUrl
}

export function describeResource(publicUrl: string, issuer: string): Record<string, unknown> {
  return {
    resource: endpointOf({ publicUrl }),
    authorization_servers: [issuer],
    scopes_supported: [scopeOfNotes],
    bearer_methods_supported: ['header'],
  }
}

export function serveMetadata(metadata: Record<string, unknown>): Response {
  return Response.json(metadata)
}

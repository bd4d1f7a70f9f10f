/** Who calls: the subject of the access token that the MCP endpoint demands (MCP Authorization, RFC 7662). */

import * as oauth from 'oauth4webapi'

import { endpointOf, type Config } from './config.ts'
import type { Provider } from './provider.ts'

/** The subject; undefined where there is no valid token for this endpoint. */
export async function subjectOf(
  config: Config,
  provider: Provider,
  request: Request,
): Promise<string | undefined> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token === undefined) return undefined
  const { server, client, authentication, fetch } = provider
  const options = { [oauth.customFetch]: fetch }
  const response = await oauth.introspectionRequest(server, client, authentication, token, options)
  const { active, sub, aud } = await oauth.processIntrospectionResponse(server, client, response)
  return active && [aud].flat().includes(endpointOf(config)) ? sub : undefined
}

/** RFC 6750 §3.1, RFC 9728 §5.1. */
export function refuse(config: Config): Response {
  const metadata = `resource_metadata="${config.publicUrl}${metadataPath}"`
  return new Response(null, { status: 401, headers: { 'www-authenticate': `Bearer ${metadata}` } })
}

export const metadataPath = '/.well-known/oauth-protected-resource/mcp'

export function describeResource(config: Config): Response {
  return Response.json({ resource: endpointOf(config), authorization_servers: [config.issuer] })
}

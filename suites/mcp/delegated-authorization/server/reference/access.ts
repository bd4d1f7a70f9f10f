/** The access token that the MCP endpoint demands (MCP Authorization, RFC 7662). */

import * as oauth from 'oauth4webapi'

import { endpointOf, type Config } from './config.ts'
import type { Provider } from './provider.ts'

/** What the authorization server says of a token that is valid. */
export interface Claims {
  readonly subject: string | undefined
  readonly audience: readonly unknown[]
}

/** From the header only: in a query it would end up in logs (MCP Authorization, Token Requirements). */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** Undefined for a token that is not valid. */
export async function verifyToken(provider: Provider, token: string): Promise<Claims | undefined> {
  const { server, client, authentication, fetch } = provider
  const options = { [oauth.customFetch]: fetch }
  const response = await oauth.introspectionRequest(server, client, authentication, token, options)
  const { active, sub, aud } = await oauth.processIntrospectionResponse(server, client, response)
  return active ? { subject: sub, audience: [aud].flat() } : undefined
}

/** Tokens for anything else are not for us (MCP Authorization, Token Handling). */
export function isMeantFor(config: Config, audience: readonly unknown[]): boolean {
  return audience.includes(endpointOf(config))
}

/** A session belongs to the user who began it: its id is no credential. */
export function ownsSession(owner: string, subject: string): boolean {
  return owner === subject
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

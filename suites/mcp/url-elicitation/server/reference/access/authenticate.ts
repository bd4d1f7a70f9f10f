/** Lets requests to the MCP endpoint in that carry a token for it (MCP Authorization, RFC 6750). */

import type { AuthInfo } from '@modelcontextprotocol/server'

import { CallFailure } from '../failure.ts'
import type { Work } from '../work.ts'
import { metadataUrl } from './resource-metadata.ts'

/** Who calls; undefined where nobody has to say; a response where the request is refused. */
export type Access = AuthInfo | undefined | Response

export async function authenticate(work: Work, request: Request): Promise<Access> {
  const { parts, settings } = work
  if (settings.authorization === 'none') return undefined
  const token = parts.bearerToken(request)
  if (token === undefined) return refuse(work)
  try {
    const claims = await parts.verifyToken(await work.provider(), token)
    if (claims && parts.isMeantFor(settings.endpoint, claims.audience)) {
      const { subject, clientId, expiresAt, scopes } = claims
      return { token, clientId, scopes, expiresAt, extra: { subject } }
    }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    return Response.json({ error: 'temporarily_unavailable' }, { status: 503 })
  }
  return refuse(work, 'invalid_token')
}

/** RFC 6750 §3.1: without a token there is no error code. RFC 9728 §5.1: where to learn more. */
function refuse({ parts, settings }: Work, error?: string): Response {
  parts.log({ event: 'access-refused', outcome: error ?? 'no_token' })
  const challenge = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${metadataUrl(settings.endpoint).href}"`,
  ]
  return new Response(null, {
    status: 401,
    headers: { 'www-authenticate': `Bearer ${challenge.join(', ')}` },
  })
}

/** Who calls: the subject of the access token of a request (MCP Authorization, Token Requirements). */

import type { Work } from './work.ts'

/** The subject; undefined where there is no valid token for this endpoint. */
export async function subjectOf(
  { config, parts, provider }: Work,
  request: Request,
): Promise<string | undefined> {
  const token = parts.bearerToken(request)
  if (token === undefined) return undefined
  const claims = await parts.verifyToken(await provider(), token)
  return claims && parts.isMeantFor(config, claims.audience) ? claims.subject : undefined
}

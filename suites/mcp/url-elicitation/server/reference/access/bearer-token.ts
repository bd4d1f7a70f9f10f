/** What can be told of an access token without knowing who issued it (RFC 6750). */

/** From the header only: in a query it would end up in logs (MCP Authorization, Token Requirements). */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** Tokens for anything else are not for us (MCP Authorization, Audience Binding; RFC 9068 §4). */
export function isMeantFor(endpoint: string, audience: readonly string[]): boolean {
  return audience.some((each) => each.replace(/\/$/, '') === endpoint)
}

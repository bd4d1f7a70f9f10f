/** Resource indicators (RFC 8707): for which API a token is meant. */
import { mcpPath, resourcePath } from './bearer-challenge.ts'
import { OAuthError } from './oauth-error.ts'

/** The identifiers of the API, of the issuer and all that is below it, and of the MCP endpoint. */
export function resourceIdentifiers(
  issuer: string,
): readonly [api: string, all: string, mcp: string] {
  return [`${issuer}${resourcePath}`, issuer, `${issuer}${mcpPath}`]
}

/** Tells whether a token for this audience is meant for a resource (RFC 9068 §4, RFC 8707 §2). */
export function isMeantFor(audience: readonly string[], issuer: string, path: string): boolean {
  const accepted = [issuer + path, issuer].map(normalize)
  return audience.some((each) => accepted.includes(normalize(each)))
}

/**
 * Validates the requested resources; none means no restriction beyond the API itself.
 * @throws OAuthError `invalid_target` (RFC 8707 §2)
 */
export function resolveResource(
  requested: readonly string[],
  issuer: string,
  allowed: readonly string[] = resourceIdentifiers(issuer),
): readonly string[] {
  if (requested.length === 0) return requested
  const allowedUris = allowed.map(normalize)
  if (!requested.every((uri) => !uri.includes('#') && allowedUris.includes(normalize(uri)))) {
    throw new OAuthError('invalid_target', 'the resource is unknown or exceeds what was granted')
  }
  return requested
}

/** RFC 3986 §6.2.3: an origin with and without its slash is the same. */
function normalize(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).href : undefined
}

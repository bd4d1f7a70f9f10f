/** Resource indicators (RFC 8707): for which API a token is meant. */
import { resourcePath } from './bearer-challenge.ts'
import { OAuthError } from './oauth-error.ts'

/** The identifiers of the protected API: its own, and the origin that everything is served from. */
export function resourceIdentifiers(issuer: string): readonly [api: string, origin: string] {
  return [`${issuer}${resourcePath}`, issuer]
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

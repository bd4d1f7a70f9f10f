/** Resource indicators (RFC 8707): for which API a token is meant. */
import { OAuthError } from '../http/oauth-error.ts'
import type { Parameters } from '../http/parameters.ts'
import { mcpPath, resourcePath } from './bearer-challenge.ts'

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

/** What a token can be for: the provider's own API, and those of its owner. */
interface Targets {
  readonly issuer: string
  readonly audiences: { readonly ids: readonly string[] }
}

/** What tokens can be for, unless a client is restricted. */
export function knownTargets({ issuer, audiences }: Targets): readonly string[] {
  return [...resourceIdentifiers(issuer), ...audiences.ids]
}

/**
 * What a request says its token is for: `resource` (RFC 8707 §2), and `audience`, which no RFC has at
 * these endpoints but many an API's owner expects, where there are such APIs.
 */
export function requestedTargets(parameters: Parameters, { audiences }: Targets) {
  return [
    ...parameters.all('resource'),
    ...(audiences.ids.length > 0 ? parameters.all('audience') : []),
  ]
}

/**
 * Validates what is requested; nothing means no restriction.
 * @throws OAuthError `invalid_target` (RFC 8707 §2)
 */
export function resolveTargets(
  requested: readonly string[],
  allowed: readonly string[],
): readonly string[] {
  if (requested.length === 0) return requested
  const allowedUris = allowed.map(normalize)
  if (!requested.every((uri) => !uri.includes('#') && allowedUris.includes(normalize(uri)))) {
    throw new OAuthError('invalid_target', 'the resource is unknown or exceeds what was granted')
  }
  return requested
}

/** RFC 3986 §6.2.3: an origin with and without its slash is the same. */
export function normalize(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri
}

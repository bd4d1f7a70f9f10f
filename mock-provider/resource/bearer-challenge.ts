/** The challenge by which the protected resource refuses a request (RFC 6750 §3, RFC 9449 §7.1, RFC 9728 §5.1). */
import { asymmetricAlgorithms } from '../crypto/verify-jwt.ts'
import { wellKnownUrl } from '../http/well-known.ts'

/** How an access token is presented: by whoever has it, or with a proof of possession. */
export type TokenScheme = 'Bearer' | 'DPoP'

export interface ChallengeOptions {
  readonly error?: string
  readonly description?: string
  /** The scope that the request needs. */
  readonly scope?: string
  /** The path of the resource. Default: that of the API. */
  readonly resource?: string
  /** Default: Bearer. */
  readonly scheme?: TokenScheme
}

/** The path of the API, which is also the path of its resource identifier. */
export const resourcePath = '/resource'

/** The same for the MCP endpoint. */
export const mcpPath = '/mcp'

/** Which of the two a path on the issuer's host belongs to. */
export function resourceAt(issuer: string, path: string): string {
  return new URL(issuer + mcpPath).pathname === path ? mcpPath : resourcePath
}

/** Returns the `WWW-Authenticate` header. Values are ours or scope tokens: nothing needs escaping. */
export function challenge(
  issuer: string,
  options: ChallengeOptions = {},
): { 'www-authenticate': string } {
  const { scheme = 'Bearer' } = options
  const parameters = {
    realm: 'resource',
    error: options.error,
    error_description: options.description,
    scope: options.scope,
    // RFC 9449 §7.1
    algs: scheme === 'DPoP' ? asymmetricAlgorithms.join(' ') : undefined,
    resource_metadata: wellKnownUrl(
      'oauth-protected-resource',
      issuer + (options.resource ?? resourcePath),
    ),
  }
  const list = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  )
  return { 'www-authenticate': `${scheme} ${list.join(', ')}` }
}

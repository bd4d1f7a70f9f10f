/** Who may use the control API: whoever has the token; without one, programs on this machine. */
import { isIP } from 'node:net'
import { sameSecret } from '../crypto/same-secret.ts'
import { OAuthError } from '../http/oauth-error.ts'

/** Who may use the control API. */
export interface ControlOptions {
  /** Demanded as a bearer token. Required where others than this machine can reach the provider. */
  readonly token?: string | undefined
}

/**
 * Refuses who may not. A page in a browser on this machine could send requests, too: it is told by
 * its Origin, and, where it made a name of its own point here, by the Host.
 * @throws OAuthError `invalid_token` or `forbidden`
 */
export function requireController(
  request: Request,
  token: string | undefined,
  issuer: string,
): void {
  const url = new URL(request.url)
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== url.origin && origin !== new URL(issuer).origin) {
    throw new OAuthError('forbidden', 'not for pages of another origin', { status: 403 })
  }
  // A browser says where a request comes from, also where it leaves the origin out, as for a picture or a link
  if (!ownSites.includes(request.headers.get('sec-fetch-site') ?? 'none')) {
    throw new OAuthError('forbidden', 'not for pages of another site', { status: 403 })
  }
  if (token === undefined) {
    if (isLocal(url.hostname) || url.hostname === new URL(issuer).hostname) return
    throw new OAuthError('forbidden', 'without a token only as localhost', { status: 403 })
  }
  const presented = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (presented !== undefined && sameSecret(presented, token)) return
  const headers = { 'www-authenticate': 'Bearer realm="control"' }
  throw new OAuthError('invalid_token', 'the control token is required', { status: 401, headers })
}

/** Fetch Metadata Request Headers §2.4: from a page of the provider itself, or asked for by the user. */
const ownSites: readonly string[] = ['same-origin', 'none']

/** Tells whether a host name or address means this machine, as a URL or `listen` has it. */
export function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost')
  return host === '::1' || host.startsWith('127.')
}

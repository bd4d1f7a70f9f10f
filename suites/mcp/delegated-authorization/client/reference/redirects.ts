/** Where the authorization server is to send the browser: the first redirect URI at which this client can listen. */

import type { AuthRequest } from './work.ts'

/** Where to listen. */
export interface Redirect {
  /** `{port}` stands for any. */
  readonly template: string
  /** A fixed port; none where any will do. */
  readonly port?: number
}

/** Undefined where this client can listen at none. What the request has counts where nothing is offered. */
export function selectRedirect(request: AuthRequest): Redirect | undefined {
  const { redirect_uri_options: options = [] } = request
  const requested = new URL(request.url).searchParams.get('redirect_uri')
  const candidates = [...options, ...(requested === null ? [] : [requested])]
  return candidates.map(supported).find((each) => each !== undefined)
}

/** The loopback interface alone (RFC 8252 §7.3), by its address. */
function supported(template: string): Redirect | undefined {
  if (/^http:\/\/127\.0\.0\.1:\{port\}(\/[^{}#]*)?$/.test(template)) return { template }
  const fixed = /^http:\/\/127\.0\.0\.1:(\d{1,5})(?:\/[^{}#]*)?$/.exec(template)
  return fixed ? { template, port: Number(fixed[1]) } : undefined
}

/** The URL with that redirect URI. One that refers to a pushed or signed request is left as it is. */
export function withRedirectUri(url: string, redirectUri: string): string {
  const changed = new URL(url)
  const given = changed.searchParams.get('redirect_uri')
  if (given === null || given === redirectUri) return url
  changed.searchParams.set('redirect_uri', redirectUri)
  return changed.href
}

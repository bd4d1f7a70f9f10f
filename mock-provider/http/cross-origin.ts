/** Lets pages of other origins use an endpoint (the Fetch standard's CORS protocol, §3.3). */
import type { Endpoint, Exchange } from './exchange.ts'
import { empty, type Reply } from './reply.ts'

/** Credentials of the user agent are never wanted: whoever asks brings its own. */
const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, DPoP-Nonce',
}

/** The answer to a preflight request, if this is one. */
export function preflight(
  { crossOrigin, methods }: Endpoint,
  { method, headers }: Exchange,
): Reply | undefined {
  if (!crossOrigin || method !== 'OPTIONS') return undefined
  if (!headers.has('access-control-request-method')) return undefined
  return empty(204, {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, DPoP',
    'access-control-max-age': '600',
  })
}

/** The reply as a page of another origin may read it. */
export function shared({ crossOrigin }: Endpoint, { headers }: Exchange, reply: Reply): Reply {
  if (!crossOrigin || !headers.has('origin')) return reply
  return { ...reply, headers: { ...reply.headers, ...anyOrigin } }
}

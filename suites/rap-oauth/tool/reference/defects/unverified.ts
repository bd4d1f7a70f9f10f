/** Requests that do not ask who answers, as developers make them to get rid of an error. */

import { once } from 'node:events'
import { request, type RequestOptions } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { BoundFetch } from '../upstream.ts'

/** What hangs is given up. */
const mostMs = 5000

/** One request per connection; by default any certificate is taken. */
export function fetchUnverified(
  options: RequestOptions = { rejectUnauthorized: false },
): BoundFetch {
  return async (url, { method = 'GET', headers = {}, body } = {}) => {
    const form = body instanceof URLSearchParams
    const sent = request(url, {
      method,
      headers: form ? { 'content-type': 'application/x-www-form-urlencoded', ...headers } : headers,
      agent: false,
      signal: AbortSignal.timeout(mostMs),
      ...options,
    })
    sent.end(form ? body.toString() : (body ?? ''))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const { statusCode: status = 500, headers: received } = answer
    const fields = Object.entries(received).map(([name, value]) => [name, String(value)] as const)
    return new Response(await buffer(answer), {
      status,
      headers: new Headers(fields.map((each) => [...each])),
    })
  }
}

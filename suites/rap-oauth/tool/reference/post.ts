/** One HTTP POST to a callback URL, taken exactly as it was given. */

import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

import { parseCallbackUrl } from './callback-url.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends the request and resolves with the status of the answer; rejects when there is none.
 * `fetch` is not used here because it normalises URLs and refuses those with credentials.
 */
export function post(message: Post, signal: AbortSignal): Promise<number> {
  const target = parseCallbackUrl(message.url)
  if (target === undefined) return Promise.reject(new TypeError('not an absolute http(s) URL'))
  const body = Buffer.from(message.body)
  const request = target.secure ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...target.connection,
        path: target.path,
        method: 'POST',
        headers: { ...message.headers, 'content-length': String(body.length) },
        // A connection per delivery: a kept-alive one may just have been closed by the other side,
        // and a retry after that could deliver twice.
        agent: false,
        signal,
      },
      (response) => {
        response.on('error', () => {}) // only the status matters
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

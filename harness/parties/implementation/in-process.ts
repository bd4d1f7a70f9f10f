/** Lets an implementation that runs inside this process reach the harness without any port, through msw. */

import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { HttpResponse, http, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import { timeIsUp, withDeadline } from '../../engine/deadline.ts'
import { HttpFailure, readAnswer, statusOf, type Transport } from '../http.ts'

export type Handler = (request: Request) => Response | Promise<Response>

/** Answers outbound requests to these origins with these handlers, until the result is called. */
export function interceptOutbound(handlers: ReadonlyMap<string, Handler>): () => void {
  const server = setupServer(
    http.all('*', async ({ request }) => {
      const handler = handlers.get(new URL(request.url).origin)
      if (!handler) return passthrough()
      try {
        const { status, headers, body } = await handler(request)
        return new HttpResponse(body, { status, headers })
      } catch {
        return HttpResponse.error()
      }
    }),
  )
  server.listen({ onUnhandledRequest: 'bypass' })
  // msw replaces properties of node:http and node:https; `import { request } from 'node:https'` sees that only now.
  syncBuiltinESMExports()
  return () => {
    server.close()
    syncBuiltinESMExports()
  }
}

/** A transport that calls handlers directly. */
export function inProcessTransport(handlers: ReadonlyMap<string, Handler>): Transport {
  return ({ method, url, headers, body, within, bodyWithin, signal }) => {
    const handler = handlers.get(new URL(url).origin)
    if (!handler) {
      const message = `nothing answers for ${new URL(url).origin}`
      return Promise.reject(new HttpFailure('unknown_origin', message))
    }
    const given =
      body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }
    return withDeadline(within, signal, async (aborted) => {
      try {
        const request = new Request(url, {
          method,
          headers,
          signal: aborted,
          redirect: 'manual',
          ...given,
        })
        const response = await Promise.race([handler(request), rejection(aborted)])
        const answered = response.body
          ? Readable.fromWeb(response.body, { signal: aborted })
          : Readable.from([])
        const cookies = response.headers.getSetCookie()
        const flat = Object.fromEntries(response.headers)
        if (cookies.length > 0) flat['set-cookie'] = cookies.join('\n')
        return {
          ...statusOf(response.status, response.statusText),
          headers: flat,
          body: await readAnswer(answered, flat, bodyWithin),
        }
      } catch (error) {
        if (aborted.reason === timeIsUp)
          throw new HttpFailure('timeout', `no answer within ${within} ms`)
        throw new HttpFailure(
          'handler_failed',
          error instanceof Error ? error.message : String(error),
        )
      }
    })
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new Error('aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

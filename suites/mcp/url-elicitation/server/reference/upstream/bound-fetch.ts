/** Requests to the provider and the service: always with a deadline, never with an endless body. */

import { withDeadline } from './deadline.ts'

export interface FetchInit {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: RequestInit['body'] | undefined
}

/** What a `fetch` must be able to do to be handed in. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>
/** A `fetch` that always ends. */
export type BoundFetch = (url: string, init?: FetchInit) => Promise<Response>

const maxBodyBytes = 1024 * 1024

/**
 * Wraps `fetch` so that an answer is either complete within `timeoutMs` and 1 MiB, or an error.
 * The deadline covers the body too: a provider that sends headers and then hangs still ends.
 */
export function boundFetch(fetch: Fetch, timeoutMs: number, closing: AbortSignal): BoundFetch {
  return (url, init = {}) =>
    withDeadline(timeoutMs, closing, async (signal) => {
      const response = await withSignal(
        fetch(url, { ...init, body: init.body ?? null, redirect: 'manual', signal }),
        signal,
      )
      const body = await readBody(response, signal)
      const { status, headers } = response
      return new Response(body, { status, headers })
    })
}

async function readBody(
  response: Response,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null || [204, 205, 304].includes(response.status)) return null
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await withSignal(reader.read(), signal)
      if (done) return new Uint8Array(Buffer.concat(chunks))
      size += value.length
      if (size > maxBodyBytes) throw new RangeError('upstream answer too large')
      chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  }
}

/** A fetch that was handed in need not honour its signal; ours ends all the same. */
function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('deadline passed', 'TimeoutError'))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

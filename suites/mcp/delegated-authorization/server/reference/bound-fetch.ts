/** Requests to anybody else: always with a deadline, never to where a redirect leads, never with an endless body. */

export interface FetchInit {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: RequestInit['body'] | undefined
}

/** A `fetch` that always ends. */
export type BoundFetch = (url: string, init?: FetchInit) => Promise<Response>

const mostBytes = 1024 * 1024

/** The deadline covers the body too. */
export function boundFetch(timeoutMs: number): BoundFetch {
  return async (url, init = {}) => {
    // No AbortSignal.timeout: on Node 20 it can be collected as garbage before it fires.
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    try {
      const response = await fetch(url, {
        ...init,
        body: init.body ?? null,
        redirect: 'manual',
        signal: deadline.signal,
      })
      const body = await response.arrayBuffer()
      if (body.byteLength > mostBytes) throw new RangeError('upstream answer too large')
      const { status, headers } = response
      const bodiless = [204, 205, 304].includes(status)
      return new Response(bodiless ? null : body, { status, headers })
    } finally {
      clearTimeout(timer)
    }
  }
}

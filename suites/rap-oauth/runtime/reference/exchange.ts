/** HTTP to tools and to the model: always with a deadline, never with an endless body. */

import { withDeadline } from './deadline.ts'

/** What a `fetch` must be able to do to be handed in. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Outgoing {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Milliseconds that the whole exchange may take. */
  readonly timeoutMs: number
}

export interface Exchange {
  /** The status alone: RAP does not read the body of an acknowledgement, so it may be endless. */
  readonly status: (outgoing: Outgoing) => Promise<number>
  readonly text: (outgoing: Outgoing) => Promise<{ readonly status: number; readonly text: string }>
}

const maxBodyBytes = 8 * 1024 * 1024

/** Both reject when there is no answer: with a TimeoutError after the deadline. */
export function createExchange(fetch: Fetch, closing: AbortSignal): Exchange {
  function send<T>(outgoing: Outgoing, read: (response: Response) => Promise<T>): Promise<T> {
    return withDeadline(outgoing.timeoutMs, closing, async (signal) => {
      const body = outgoing.body === undefined ? undefined : JSON.stringify(outgoing.body)
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await fetch(outgoing.url, {
        method: outgoing.method,
        headers: { ...outgoing.headers, ...type },
        // A redirect could take an invocation, or our credentials, to somebody else.
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
      })
      return read(response)
    })
  }
  return {
    status: (outgoing) =>
      send(outgoing, async (response) => {
        void response.body?.cancel().catch(() => {})
        return response.status
      }),
    text: (outgoing) =>
      send(outgoing, async (response) => ({
        status: response.status,
        text: await readText(response),
      })),
  }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks).toString('utf8')
    size += value.length
    if (size > maxBodyBytes) {
      void reader.cancel().catch(() => {})
      throw new RangeError('answer too large')
    }
    chunks.push(value)
  }
}

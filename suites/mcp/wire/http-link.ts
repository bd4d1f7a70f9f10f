/** Streamable HTTP (Model Context Protocol, Transports): answers as JSON or as a stream, and a stream beside them. */

import { setMaxListeners } from 'node:events'
import { eventsOf } from '../../../harness/parties/host-user/server-sent-events.ts'
import { bodyOf } from '../../../harness/parties/http.ts'
import { bodyLimit, HttpFailure } from '../../../harness/parties/index.ts'
import type { StreamedResponse, StreamingTransport } from '../../../harness/parties/streaming.ts'
import { Inbox, sentChannel, type Link, type LinkParts, type SendOptions } from './link.ts'
import { wireLimits } from './limits.ts'

export interface HttpLinkParts extends LinkParts {
  readonly transport: StreamingTransport
  /** The MCP endpoint. */
  readonly url: string
  /** What every request carries, credentials included. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Milliseconds that the server has to take note of the end of a session. */
  readonly within: number
}

interface Place {
  readonly channel: string
  readonly exchange: string
  readonly call?: string
}

/** Opens nothing by itself: the first connection is that of the first message. */
export class HttpLink implements Link {
  readonly #parts: HttpLinkParts
  readonly #inbox: Inbox
  readonly #life = new AbortController()
  readonly #end = (): void => this.#life.abort('the run was interrupted')
  #agreed: Readonly<Record<string, string>> = {}
  #session: string | undefined

  constructor(parts: HttpLinkParts) {
    this.#parts = parts
    this.#inbox = new Inbox(parts)
    // Every call that waits listens.
    setMaxListeners(0, this.#life.signal)
    parts.signal.addEventListener('abort', this.#end, { once: true })
    if (parts.signal.aborted) this.#end()
  }

  get gone(): AbortSignal {
    return this.#life.signal
  }

  send(message: Readonly<Record<string, unknown>>, options: SendOptions = {}) {
    return this.#exchange('POST', options, JSON.stringify(message))
  }

  agreed(session: string | undefined, revision: string): void {
    this.#session = session
    this.#agreed = {
      'mcp-protocol-version': revision,
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    }
  }

  /** Where the server offers no such stream, it says so by 405. */
  listen(): Promise<void> {
    return new Promise((resolve) => {
      void this.#exchange('GET', {}, undefined, resolve).finally(resolve)
    })
  }

  async close(): Promise<void> {
    const { signal, within } = this.#parts
    if (this.#session !== undefined && !this.gone.aborted) {
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), within)
      await this.#exchange('DELETE', { signal: limit.signal })
      clearTimeout(timer)
    }
    this.#life.abort('the connection was closed')
    signal.removeEventListener('abort', this.#end)
  }

  async #exchange(
    method: 'POST' | 'GET' | 'DELETE',
    { call, headers, signal }: SendOptions,
    text?: string,
    onHead?: () => void,
  ): Promise<string | undefined> {
    const { recorder, transport, url } = this.#parts
    const place = {
      channel: sentChannel,
      exchange: this.#inbox.newExchange(),
      ...(call === undefined ? {} : { call }),
    }
    const sent = {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...this.#agreed,
      ...this.#parts.headers,
      ...headers,
    }
    const body = text === undefined ? {} : { body: { text, bytes: Buffer.byteLength(text) } }
    recorder.record({ type: 'request', ...place, method, url, headers: sent, ...body })
    const ending = new AbortController()
    const end = (): void => ending.abort()
    const signals = [this.gone, ...(signal ? [signal] : [])]
    for (const each of signals) each.addEventListener('abort', end, { once: true })
    if (signals.some((each) => each.aborted)) end()
    try {
      const answer = await transport({
        method,
        url,
        headers: sent,
        body: text,
        signal: ending.signal,
      })
      onHead?.()
      return await this.#read(answer, place)
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      const code = ending.signal.aborted ? 'given-up' : error.code
      const message = ending.signal.aborted ? 'the harness gave it up' : error.message
      recorder.record({ type: 'failure', ...place, code, message })
      return message
    } finally {
      for (const each of signals) each.removeEventListener('abort', end)
    }
  }

  async #read({ status, headers, chunks }: StreamedResponse, place: Place) {
    const { recorder, url } = this.#parts
    const via = { call: place.call, headers }
    if (/^text\/event-stream\b/i.test(headers['content-type'] ?? '')) {
      recorder.record({ type: 'response', ...place, status, headers: { ...headers } })
      for await (const { data } of eventsOf(bounded(chunks, wireLimits.stream))) {
        // A stream may begin with an event that only gives it a position to resume from.
        if (data.trim() !== '') this.#inbox.frame('SSE', url, data, via)
      }
      return undefined
    }
    const parts: Buffer[] = []
    for await (const chunk of bounded(chunks, bodyLimit + 1)) parts.push(chunk)
    const body = bodyOf(Buffer.concat(parts))
    recorder.record({ type: 'response', ...place, status, headers: { ...headers }, body })
    this.#inbox.answer(body, via)
    return status >= 400 ? `HTTP ${status}` : undefined
  }
}

/** The chunks up to a size in bytes. */
async function* bounded(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    yield chunk
    bytes += chunk.length
    if (bytes >= limit) return
  }
}

/** Streamable HTTP (Model Context Protocol, Transports): answers as JSON or as a stream, and a stream beside them. */

import { setMaxListeners } from 'node:events'
import { jsonOf, type Body } from '../../../harness/engine/index.ts'
import { eventsOf } from '../../../harness/parties/host-user/server-sent-events.ts'
import { bodyOf } from '../../../harness/parties/http.ts'
import { bodyLimit, HttpFailure } from '../../../harness/parties/index.ts'
import type { StreamedResponse, StreamingTransport } from '../../../harness/parties/streaming.ts'
import { bounded } from './bounded.ts'
import { saysSessionIsOver } from './frames.ts'
import {
  Inbox,
  sentChannel,
  type Link,
  type LinkParts,
  type SendOptions,
  type Session,
} from './link.ts'
import { wireLimits } from './limits.ts'
import { Position } from './position.ts'
import { sentLater } from './sent-later.ts'
import { membersOf, textIn } from './values.ts'

export interface HttpLinkParts extends LinkParts {
  readonly transport: StreamingTransport
  /** The MCP endpoint. */
  readonly url: string
  /** What every request carries, credentials included. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Whether its requests follow each other on one connection of TCP; default: each has its own. */
  readonly keepAlive?: boolean | undefined
  /** Milliseconds that the server has to take note of the end of a session. */
  readonly within: number
}

/** Characters of a refusal that are repeated. */
const mostWords = 200

interface Exchanged {
  readonly text?: string
  /** Where the stream of the answer is, and whether it goes on where it was. */
  readonly position?: Position
  readonly onHead?: () => void
}

/** A request that was sent. */
interface Asked {
  readonly place: Place
  readonly session: string | undefined
  readonly sent: Readonly<Record<string, string>>
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
  #over: string | undefined

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

  async send(message: Readonly<Record<string, unknown>>, options: SendOptions = {}) {
    const position = new Position()
    const text = JSON.stringify(message)
    const problem = await this.#exchange('POST', options, { text, position })
    return this.#rest(problem, options, position)
  }

  agreed({ id, revision }: Session): void {
    this.#session = id
    this.#over = undefined
    this.#agreed = {
      'mcp-protocol-version': revision,
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    }
  }

  get isOver(): boolean {
    return this.#session !== undefined && this.#over === this.#session
  }

  forget(): void {
    this.#session = undefined
    this.#agreed = {}
  }

  /** Where the server offers no such stream, it says so by 405; one that ends is opened again. */
  listen(): Promise<void> {
    return new Promise((resolve) => void this.#listen(resolve).finally(resolve))
  }

  async #listen(onHead: () => void): Promise<void> {
    const position = new Position()
    for (let before = -1; position.progress > before && !this.gone.aborted;) {
      before = position.progress
      await this.#exchange('GET', {}, { position, onHead })
      if (position.progress > before && !(await position.pause(this.gone))) return
    }
  }

  /** What else there is of a stream that ended, or broke off, before the answer came. */
  async #rest(
    problem: string | undefined,
    options: SendOptions,
    position: Position,
  ): Promise<string | undefined> {
    const { awaited = () => false, call, signal = this.gone } = options
    for (let before = 0; awaited() && position.progress > before;) {
      if (!this.#resumes || !position.isKnown) {
        const detail = { what: problem ?? 'it ended without the answer' }
        this.#parts.recorder.record({
          type: 'step',
          action: 'stream-ended',
          ...callIn(call),
          detail,
        })
        return problem
      }
      before = position.progress
      if (!(await position.pause(signal)) || this.gone.aborted) return problem
      problem = await this.#exchange('GET', { call, signal }, { position })
    }
    return problem
  }

  /** Streams are gone on with in the revisions that have a handshake. */
  get #resumes(): boolean {
    return Object.keys(this.#agreed).length > 0
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
    { call, headers, query, signal, onDeferred }: SendOptions,
    { text, position, onHead }: Exchanged = {},
  ): Promise<string | undefined> {
    const { recorder, transport, keepAlive } = this.#parts
    const url = withQuery(this.#parts.url, query)
    const place = {
      channel: sentChannel,
      exchange: this.#inbox.newExchange(),
      ...callIn(call),
    }
    const session = this.#session
    const sent = {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...this.#agreed,
      ...this.#parts.headers,
      ...headers,
      ...(method === 'GET' ? position?.headers : {}),
    }
    const body = text === undefined ? {} : { body: { text, bytes: Buffer.byteLength(text) } }
    recorder.record({ type: 'request', ...place, method, url, headers: sent, ...body })
    const ending = new AbortController()
    const end = (): void => ending.abort()
    const signals = [this.gone, ...(signal ? [signal] : [])]
    for (const each of signals) each.addEventListener('abort', end, { once: true })
    if (signals.some((each) => each.aborted)) end()
    try {
      const keptFor = keepAlive ? this : undefined
      const request = { method, url, headers: sent, body: text, signal: ending.signal, keptFor }
      const answer = await sentLater(
        () => transport(request),
        ending.signal,
        (detail) => {
          recorder.record({
            type: 'step',
            action: 'sent-later',
            ...callIn(call),
            detail: { ...detail },
          })
          onDeferred?.(detail.pause)
        },
      )
      onHead?.()
      return await this.#read(answer, { place, session, sent }, position)
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

  /** How it was refused, and what may be why. */
  #refusal(status: number, body: Body, challenge = ''): string {
    const { message = body.text } = membersOf(membersOf(jsonOf(body))['error'])
    const words = textIn(message).trim().slice(0, mostWords)
    const said = words === '' ? '' : `: ${JSON.stringify(words)}`
    const asked = challenge === '' ? '' : `; WWW-Authenticate: ${challenge.slice(0, mostWords)}`
    return `HTTP ${status}${said}${asked}${this.#sessionTrouble(status)}`
  }

  /** What a refusal may have to do with the session (2025-11-25, Transports, Session Management). */
  #sessionTrouble(status: number): string {
    if (!this.#resumes) return ''
    if (status === 400 && this.#session === undefined)
      return '; its answer to initialize has no header Mcp-Session-Id, so this request has none either: send the header with that answer, or demand none'
    if (status === 404 && this.#session !== undefined)
      return '; the request has the Mcp-Session-Id of its answer to initialize, and 404 says that there is no such session: name the session there under which it is kept, and keep it'
    return ''
  }

  async #read(
    { status, headers, chunks }: StreamedResponse,
    { place, session, sent }: Asked,
    position = new Position(),
  ): Promise<string | undefined> {
    const { recorder, url } = this.#parts
    const via = { call: place.call, headers }
    const type = headers['content-type'] ?? ''
    if (/^text\/event-stream\b/i.test(type)) {
      recorder.record({ type: 'response', ...place, status, headers: { ...headers } })
      if (status >= 400) return `HTTP ${status}`
      position.opened()
      const events = eventsOf(bounded(chunks, wireLimits.stream), position.notBefore)
      for await (const { data, id } of events) {
        position.at(id)
        // A stream may begin with an event that only gives it a position to resume from.
        if (data.trim() !== '') this.#inbox.frame('SSE', url, data, via, id)
      }
      return undefined
    }
    const parts: Buffer[] = []
    for await (const chunk of bounded(chunks, bodyLimit + 1)) parts.push(chunk)
    const body = bodyOf(Buffer.concat(parts))
    recorder.record({ type: 'response', ...place, status, headers: { ...headers }, body })
    if (status === 404) this.#over = session
    const isOver = saysSessionIsOver(sent, status)
    const messages = isOver ? 0 : this.#inbox.answer(body, via)
    if (status >= 400) return this.#refusal(status, body, headers['www-authenticate'])
    if (messages > 0 || body.bytes === 0) return undefined
    return `HTTP ${status} with ${JSON.stringify(type)}, in which there is no message of JSON-RPC 2.0`
  }
}

function withQuery(url: string, query: SendOptions['query'] = {}): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
  return Object.keys(query).length === 0 ? url : target.href
}

function callIn(call: string | undefined): { readonly call?: string } {
  return call === undefined ? {} : { call }
}

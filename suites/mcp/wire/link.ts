/** How messages travel between the harness and one server, whatever the transport; every one is recorded. */

import { jsonOf, type Body, type Recorder } from '../../../harness/engine/index.ts'
import { messagesIn, type Message } from './json-rpc.ts'
import { wireLimits } from './limits.ts'

/** The channel of what the harness sends, with the answers of HTTP. */
export const sentChannel = 'mcp'
/** The channel of messages that come on a stream: server-sent events, or standard output. */
export const streamChannel = 'mcp-stream'

/** On which occasion a message came. */
export interface Via {
  /** The call to whose request it came, where the transport tells. */
  readonly call?: string | undefined
  /** Headers of the HTTP answer that it came in. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface SendOptions {
  readonly call?: string | undefined
  /** Further headers, over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What the query of the endpoint has besides, over HTTP. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Ends waiting for the answer. */
  readonly signal?: AbortSignal | undefined
  /** Called when the server is asked again in so many milliseconds, as this was too much at once. */
  readonly onDeferred?: ((pause: number) => void) | undefined
  /** Whether its answer is still waited for; what is no request has none. */
  readonly awaited?: (() => boolean) | undefined
}

/** What a handshake has agreed on. */
export interface Session {
  /** Its id, where the server gave it one. */
  readonly id: string | undefined
  readonly revision: string
}

/** A way to one server, as one client of it. */
export interface Link {
  /**
   * Sends a message. Resolves when the transport has nothing more to say to it: with the reason where that is no
   * answer, with `undefined` where an answer may have come, or may still come elsewhere.
   */
  send(
    message: Readonly<Record<string, unknown>>,
    options?: SendOptions,
  ): Promise<string | undefined>
  /** The handshake is over: what every later message carries. */
  agreed?(session: Session): void
  /** Whether the server has said that the session that it began is over. */
  readonly isOver?: boolean
  /** Nothing of that session is sent along any more. */
  forget?(): void
  /** Asks for a stream of what the server has to say beside its answers; resolves when it is there, or refused. */
  listen?(): Promise<unknown>
  /** What came that is no message, in a sentence: it may be why an answer is missing. */
  readonly trouble?: string | undefined
  /** Aborted when nothing can come any more, with the reason. */
  readonly gone: AbortSignal
  /** Ends it. */
  close(): Promise<void>
}

export interface LinkParts {
  readonly recorder: Recorder
  /** Name of the connection; the exchanges that are recorded of it begin with it. */
  readonly name: string
  /** Called with every message that comes. */
  readonly onMessage: (message: Message, via: Via) => void
  /** The call that a message on a stream of its own belongs to, as far as can be told. */
  readonly callOf: (message: Message | undefined) => string | undefined
}

/** Records what comes, and hands on the messages in it, up to the limits. */
export class Inbox {
  readonly #parts: LinkParts
  #received = 0

  constructor(parts: LinkParts) {
    this.#parts = parts
  }

  /** A frame of a stream; `call` where the stream is the answer to a request of it. */
  frame(method: 'SSE' | 'STDOUT', url: string, text: string, via: Via = {}, id?: string): void {
    if (this.#isFull()) return
    const { recorder, callOf } = this.#parts
    const body: Body = {
      text: text.slice(0, wireLimits.message),
      bytes: Buffer.byteLength(text),
      ...(text.length > wireLimits.message ? { truncated: true as const } : {}),
    }
    const messages = messagesIn(jsonOf(body))
    const call = via.call ?? callOf(messages[0])
    const exchange = this.newExchange()
    const place = { channel: streamChannel, exchange, ...(call === undefined ? {} : { call }) }
    // What stands beside a message may hold what does not belong there.
    const headers = id ? { id } : {}
    recorder.record({ type: 'request', ...place, method, url, headers, body })
    for (const message of messages) this.#parts.onMessage(message, { ...via, call })
  }

  /** The body of an answer, which is recorded with it: how many messages are in it. */
  answer(body: Body, via: Via): number {
    if (this.#isFull()) return 0
    const messages = messagesIn(jsonOf(body)).filter(({ kind }) => kind !== 'other')
    for (const message of messages) this.#parts.onMessage(message, via)
    return messages.length
  }

  newExchange(): string {
    return `${this.#parts.name}/${this.#parts.recorder.newExchange()}`
  }

  #isFull(): boolean {
    const { recorder, name } = this.#parts
    this.#received += 1
    if (this.#received === wireLimits.messages + 1) {
      const detail = { connection: name, limit: wireLimits.messages }
      recorder.record({ type: 'step', action: 'message-flood', detail })
    }
    return this.#received > wireLimits.messages
  }
}

/** The connection that an exchange belongs to. */
export function connectionOf({ exchange }: { readonly exchange: string }): string {
  return exchange.slice(0, Math.max(0, exchange.lastIndexOf('/')))
}

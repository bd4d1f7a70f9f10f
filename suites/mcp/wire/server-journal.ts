/** What crosses the connections of a server of ours, as it is recorded: the same events as those of a client of ours. */

import { jsonOf, type Body, type Recorder } from '../../../harness/engine/index.ts'
import { messagesIn, type Message } from './json-rpc.ts'
import { wireLimits } from './limits.ts'
import { sentChannel, streamChannel } from './link.ts'
import type { ServerSession } from './server.ts'

/** What a client sent, and where it stands in the recording. */
export interface Received {
  readonly messages: readonly Message[]
  /** Whether they came as an array. */
  readonly isBatch: boolean
  readonly place: {
    readonly channel: string
    readonly exchange: string
    readonly call?: string
  }
}

/** Records one connection. */
export class ServerJournal {
  readonly #recorder: Recorder
  readonly #session: ServerSession
  #received = 0

  constructor(recorder: Recorder, session: ServerSession) {
    this.#recorder = recorder
    this.#session = session
  }

  /** What the client sent; nothing where it has sent more than is taken. */
  received(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Body | undefined,
  ): Received | undefined {
    const { name } = this.#session
    this.#received += 1
    if (this.#received > wireLimits.messages) {
      const detail = { connection: name, limit: wireLimits.messages }
      if (this.#received === wireLimits.messages + 1)
        this.#recorder.record({ type: 'step', action: 'message-flood', detail })
      return undefined
    }
    const json = jsonOf(body)
    const messages = messagesIn(json)
    const call = messages[0] && this.#session.callOf(messages[0])
    const place = {
      channel: sentChannel,
      exchange: this.#exchange(),
      ...(call === undefined ? {} : { call }),
    }
    const sent = body ? { body } : {}
    this.#recorder.record({ type: 'request', ...place, method, url, headers, ...sent })
    return { messages, isBatch: Array.isArray(json), place }
  }

  /** How it was answered over HTTP. */
  answered(
    { place }: Received,
    status: number,
    headers: Readonly<Record<string, string>>,
    text?: string,
  ): void {
    const body = text === undefined ? {} : { body: bodyOf(text) }
    this.#recorder.record({ type: 'response', ...place, status, headers: { ...headers }, ...body })
  }

  /** A message of the server on a stream. */
  sent(method: 'SSE' | 'STDOUT', url: string, text: string, call: string | undefined): void {
    this.#recorder.record({
      type: 'request',
      channel: streamChannel,
      exchange: this.#exchange(),
      ...(call === undefined ? {} : { call }),
      method,
      url,
      headers: {},
      body: bodyOf(text),
    })
  }

  #exchange(): string {
    return `${this.#session.name}/${this.#recorder.newExchange()}`
  }
}

function bodyOf(text: string): Body {
  return { text, bytes: Buffer.byteLength(text) }
}

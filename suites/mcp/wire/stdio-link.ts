/** Standard input and output of a process (Model Context Protocol, Transports, stdio): one message on a line. */

import { StdoutNoise } from './stdout-noise.ts'
import { Inbox, sentChannel, type Link, type LinkParts, type SendOptions } from './link.ts'

/** A process of which one client has standard input and output. */
export interface StdioPeer {
  /** Aborted when it has ended, with the reason. */
  readonly gone: AbortSignal
  write(text: string): void
  stop(): Promise<void>
}

/** Where a message of this transport goes to, or comes from. */
const url = 'stdio:'

export class StdioLink implements Link {
  readonly #parts: LinkParts
  readonly #peer: StdioPeer
  readonly #inbox: Inbox
  readonly #noise = new StdoutNoise()

  constructor(parts: LinkParts, peer: StdioPeer) {
    this.#parts = parts
    this.#peer = peer
    this.#inbox = new Inbox(parts)
  }

  get gone(): AbortSignal {
    return this.#peer.gone
  }

  /** A line of standard output; one that is no message is recorded all the same. */
  readonly onLine = (line: string): void => {
    if (line.trim() === '') return
    this.#noise.read(line)
    this.#inbox.frame('STDOUT', url, line)
  }

  get trouble(): string | undefined {
    return this.#noise.trouble
  }

  send(message: Readonly<Record<string, unknown>>, { call }: SendOptions = {}) {
    const text = JSON.stringify(message)
    this.#parts.recorder.record({
      type: 'request',
      channel: sentChannel,
      exchange: this.#inbox.newExchange(),
      ...(call === undefined ? {} : { call }),
      method: 'STDIN',
      url,
      headers: {},
      body: { text, bytes: Buffer.byteLength(text) },
    })
    this.#peer.write(`${text}\n`)
    return Promise.resolve(this.gone.aborted ? String(this.gone.reason) : undefined)
  }

  close(): Promise<void> {
    return this.#peer.stop()
  }
}

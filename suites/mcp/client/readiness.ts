/** Whether a client at a terminal takes a command: many lose what is typed before they do. */

import { EventEmitter, once } from 'node:events'
import { Unreachable } from '../../../harness/engine/index.ts'
import { withDeadline } from '../../../harness/engine/deadline.ts'

/** Characters of output that are searched for the text. */
const searched = 4096

/** Waits for a text that a client prints when it takes a command. */
export class Readiness {
  readonly #text: string
  readonly #shown = new EventEmitter()
  #since = ''
  #shownEver = false

  /** @param text - what it prints; an empty one is there always */
  constructor(text: string) {
    this.#text = text
  }

  /** The client has printed something. */
  read(text: string): void {
    this.#since = (this.#since + text).slice(-searched)
    if (!this.#isShown()) return
    this.#shownEver = true
    this.#shown.emit('shown')
  }

  /** A line was typed; what was printed before says nothing any more. */
  typed(): void {
    this.#since = ''
  }

  /** Resolves when the text was printed after the last line. @throws Unreachable where it is not, or the client is gone */
  async shown(within: number, gone: AbortSignal): Promise<void> {
    if (this.#isShown()) return
    await withDeadline(within, gone, (signal) => once(this.#shown, 'shown', { signal })).catch(
      () => {
        throw new Unreachable(
          gone.aborted ? this.#neverShown(String(gone.reason)) : this.#missing(within),
        )
      },
    )
  }

  /** Where it came once, it is a greeting: every command but the first would wait in vain. */
  #missing(within: number): string {
    if (!this.#shownEver) return this.#neverShown(`nothing of the kind within ${within} ms`)
    return `the client showed "${this.#text}" before the last line and not again within ${within} ms: drive.terminal.ready is what it prints whenever it takes a command, such as its prompt; leave it out where there is none`
  }

  #neverShown(why: string): string {
    return `the client never showed that it takes a command (${this.#text}): ${why}`
  }

  #isShown(): boolean {
    return this.#since.includes(this.#text)
  }
}

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

  /** @param text - what it prints; an empty one is there always */
  constructor(text: string) {
    this.#text = text
  }

  /** The client has printed something. */
  read(text: string): void {
    this.#since = (this.#since + text).slice(-searched)
    if (this.#isShown()) this.#shown.emit('shown')
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
        const why = gone.aborted ? String(gone.reason) : `nothing of the kind within ${within} ms`
        throw new Unreachable(
          `the client never showed that it takes a command (${this.#text}): ${why}`,
        )
      },
    )
  }

  #isShown(): boolean {
    return this.#since.includes(this.#text)
  }
}

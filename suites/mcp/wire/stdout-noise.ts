/** What a server writes to its standard output that is no message, for its author: a message stands on one line. */

import { isMessage } from './json-rpc.ts'

/** Characters of lines that may belong together. */
const mostCharacters = 256 * 1024
/** Characters of a line that are repeated. */
const shownCharacters = 100

/** Reads the lines of standard output (MCP Transports, stdio). */
export class StdoutNoise {
  #first: string | undefined
  #together = ''
  #isSpread = false

  read(line: string): void {
    if (isMessage(line)) return
    this.#first ??= line
    if (this.#isSpread || this.#together.length > mostCharacters) return
    // What opens an object at the margin may be where a message begins.
    this.#together = /^[{[]/.test(line) ? line : `${this.#together}\n${line}`
    this.#isSpread = isMessage(this.#together)
  }

  /** What is wrong with it, in a sentence; `undefined` where every line was a message. */
  get trouble(): string | undefined {
    if (this.#isSpread)
      return 'the server spreads a message over several lines of its standard output, where each has to stand on one line: print its JSON without line breaks'
    if (this.#first === undefined) return undefined
    const line = JSON.stringify(this.#first.slice(0, shownCharacters))
    return `the server writes to its standard output what is no message, such as ${line}: logs belong on standard error`
  }
}

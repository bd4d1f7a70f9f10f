/** The clock of one instance of an implementation and of its provider, which can be moved while both run. */

import { renameSync, writeFileSync } from 'node:fs'

/** As libfaketime reads it: from a file, at every look at the time (faketime(1)). */
export class MovedClock {
  readonly #file: string
  readonly #library: string
  #offset = 0

  constructor(file: string, library: string) {
    this.#file = file
    this.#library = library
    this.#write()
  }

  /** Milliseconds by which it is ahead. */
  get offset(): number {
    return this.#offset
  }

  now(): number {
    return Date.now() + this.#offset
  }

  /** Moves it, for whoever looks at it from now on. */
  advance(ms: number): void {
    this.#offset += ms
    this.#write()
  }

  /** What makes a program have it. */
  get environment(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
    }
  }

  /** At once: whoever looks meanwhile finds the whole of what was there before. */
  #write(): void {
    writeFileSync(`${this.#file}.new`, `+${(this.#offset / 1000).toFixed(3)}\n`)
    renameSync(`${this.#file}.new`, this.#file)
  }
}

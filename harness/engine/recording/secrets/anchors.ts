/** How anchors begin and go on: rules out nearly every place of a text at the price of one look. */

import { shortestSecret } from './encodings.ts'

/** The pieces by which needles are looked up, as far as four characters tell. */
export class Anchors {
  readonly #begin = new Bits()
  /** What follows the first four characters of a long one. */
  readonly #goOn = new Bits()
  readonly #short = new Bits()

  add(anchor: string): void {
    const hash = hashAt(anchor, 0)
    this.#begin.add(hash)
    if (anchor.length === shortestSecret) this.#goOn.add(hashAt(anchor, 4))
    else this.#short.add(hash)
  }

  /** Whether one may be here: few places are looked up in vain. */
  mayBegin(text: string, at: number): boolean {
    const hash = hashAt(text, at)
    if (!this.#begin.has(hash)) return false
    return this.#goOn.has(hashAt(text, at + 4)) || this.#short.has(hash)
  }
}

/** A set of hashes that is small enough to stay in a processor's cache. */
class Bits {
  readonly #words = new Uint32Array(1 << (hashBits - 5))

  add(hash: number): void {
    this.#words[hash >>> 5]! |= 1 << (hash & 31)
  }

  has(hash: number): boolean {
    return ((this.#words[hash >>> 5]! >>> (hash & 31)) & 1) === 1
  }
}

const hashBits = 20

/** A hash of the four characters at this place. */
function hashAt(text: string, at: number): number {
  const [a, b] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  const [c, d] = [text.charCodeAt(at + 2), text.charCodeAt(at + 3)]
  return Math.imul(a ^ (b << 8) ^ (c << 16) ^ (d << 24), 0x9e3779b1) >>> (32 - hashBits)
}

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

  /** The first place at `from` or after at which one may be, or the text's end: few places are looked up in vain. */
  next(text: string, from: number): number {
    let four = fourAt(text, from - 1)
    for (let at = from; at + 3 < text.length; at += 1) {
      four = (four >>> 8) | (byteAt(text, at + 3) << 24)
      const hash = hashOf(four)
      if (!this.#begin.has(hash)) continue
      if (this.#goOn.has(hashAt(text, at + 4)) || this.#short.has(hash)) return at
    }
    return text.length
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
  return hashOf(fourAt(text, at))
}

function hashOf(four: number): number {
  return Math.imul(four, 0x9e3779b1) >>> (32 - hashBits)
}

/** Four characters, as far as a byte of each tells. */
function fourAt(text: string, at: number): number {
  return (
    byteAt(text, at) |
    (byteAt(text, at + 1) << 8) |
    (byteAt(text, at + 2) << 16) |
    (byteAt(text, at + 3) << 24)
  )
}

/** 0 outside of the text. */
function byteAt(text: string, at: number): number {
  return text.charCodeAt(at) & 0xff
}

/** Text that is streamed in pieces, as chats do it: puts together again what has no blank in it, such as a URL. */

import { isRecord, jsonIn } from '../../engine/json.ts'
import { stringsAt } from './url-in-text.ts'

/** Pieces without a blank after which a word was streamed: two texts that follow each other are none. */
const fewest = 2

/** Characters of the longest word that is put together. */
const longest = 16 * 1024

/** What was written so far of the word that the latest piece ended in, and how many pieces it has gone on for. */
interface Word {
  readonly text: string
  readonly pieces: number
}

/** The texts of one stream, which are whole, or have the pieces of one text at the same place. */
export class Pieces {
  readonly #words = new Map<string, Word>()

  /** The URLs that go on in this text, each from its beginning: the latest is as long as it has become by now. */
  add(text: string): string[] {
    const json = jsonIn(text)
    const value = typeof json === 'string' || isRecord(json) || Array.isArray(json) ? json : text
    return [...stringsAt(value)].flatMap(([place, piece]) => this.#put(place, piece))
  }

  #put(place: string, piece: string): string[] {
    const { text, pieces } = this.#words.get(place) ?? { text: '', pieces: 0 }
    const run = /^[^\s"'<>]*/.exec(piece)?.[0] ?? ''
    const goesOn = run !== '' && !/^https?:\/\//i.test(run)
    const isAll = goesOn && run.length === piece.length
    const word = { text: goesOn ? text + run : run, pieces: isAll ? pieces + 1 : pieces }
    const last = /[^\s"'<>]*$/.exec(piece)?.[0] ?? ''
    const next = isAll ? word : { text: last, pieces: 0 }
    this.#words.set(place, next.text.length > longest ? { text: '', pieces: 0 } : next)
    return goesOn && word.pieces >= fewest && word.text.includes('://') ? [word.text] : []
  }
}

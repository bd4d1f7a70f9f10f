/** What a text says once escapes, line breaks, encodings and compression are undone, one inside another. */

import { printedAs } from '../../text.ts'
import { beginsCompressed, inflated } from './compressed.ts'
import { unescapeOnce } from './escapes.ts'

/** A text as somebody may read it. */
export interface Reading {
  /** What was undone to get there: `base64`, `escapes, hex`. */
  readonly encoding: string
  readonly text: string
}

/** All readings of a text. */
export interface Readings {
  readonly readings: readonly Reading[]
  /** Whether there was more than is read: what it says is not known then. */
  readonly unread: boolean
}

/** How often an encoding is undone in what was decoded before, and how often escapes are at each of these depths. */
const deepest = 3
/** Characters of all readings for each character of a text; a text that nests encodings for its own sake has more. */
const readingsPerCharacter = 24
/** The same for any text, however short. */
const readingsAtLeast = 64 * 1024
/** Shorter than any proof. */
const shortest = 8

/** What tells quoted-printable from a text that happens to have an equals sign. */
const isQuotedPrintable = /=\r?\n|=3D|(=[0-9A-F]{2}){8}/
const quotedPrintable = /=\r?\n|=([0-9A-F]{2})/gi
const invisible = /[^\t\n\r -~]/
const separators = /[\s"'`,;|<>*]+/g
const base64Run = /[\w+/-]{24,}/g
const hexRun = /[0-9a-f][0-9a-fx:_.-]{30,}/gi
const hexPunctuation = /0x|[x:_.-]/gi
const byteList = /\d[\d\s,;:"]{30,}/g
const number = /\d+/g

/**
 * The expressions that are applied to texts of implementations. Each looks at a bounded number of characters, or at one
 * run of a class at its end, so that its time grows as the text does; a test sees to it.
 */
export const patterns = {
  isQuotedPrintable,
  quotedPrintable,
  invisible,
  separators,
  base64Run,
  hexRun,
  hexPunctuation,
  byteList,
  number,
}

/** Encodings, each with the bytes that the runs of a text decode to. */
const encodings: Readonly<Record<string, (text: string) => Buffer[]>> = {
  base64: (text) => runsOf(base64Run, text, (run) => [Buffer.from(run, 'base64')]),
  hex: (text) => runsOf(hexRun, text, hexBytes),
  'list of bytes': (text) => runsOf(byteList, text, listedBytes),
}

/** The readings of a text that differ from it: a scanner that looks at the text alone would miss what they say. */
export function readingsOf(text: string): Readings {
  const reader = new Reader(text)
  reader.read(text, '', 0)
  return reader
}

/** Collects the readings of one text, each once, within the bounds. */
class Reader implements Readings {
  readonly readings: Reading[] = []
  unread = false
  readonly #seen: Set<string>
  #allowance: number

  constructor(text: string) {
    this.#seen = new Set([text])
    this.#allowance = readingsAtLeast + text.length * readingsPerCharacter
  }

  /** Undoes escapes first, as they may stand in everything else; then takes away what is between; then decodes. */
  read(text: string, path: string, depth: number): void {
    const plain = this.#unescape(text, path)
    const printed = invisible.test(plain) ? printedAs(plain) : plain
    this.#add(path, 'invisible characters', printed)
    const joined = printed.replace(separators, '')
    this.#add(path, 'pieces', joined)
    const quoted = isQuotedPrintable.test(plain) ? plain.replace(quotedPrintable, unquoted) : plain
    this.#add(path, 'quoted-printable', quoted)
    if (depth === deepest) return
    this.#inflate(text, path, depth)
    for (const each of new Set([plain, printed, joined, quoted])) this.#decode(each, path, depth)
  }

  #unescape(text: string, path: string): string {
    let plain = text
    for (let count = 0; count < deepest; count += 1) {
      const once = unescapeOnce(plain)
      if (!this.#add(path, 'escapes', once)) break
      plain = once
    }
    return plain
  }

  #inflate(text: string, path: string, depth: number): void {
    const { content, more } = inflated(text)
    if (more) this.unread = true
    this.#allowance += content.length * readingsPerCharacter
    if (this.#add(path, 'compressed', content)) {
      this.read(content, pathOf(path, 'compressed'), depth + 1)
    }
  }

  #decode(text: string, path: string, depth: number): void {
    for (const [name, decode] of Object.entries(encodings)) {
      const runs = decode(text)
      if (!this.#add(path, name, joinedRuns(runs))) continue
      // Most of what looks encoded is not: chance says nothing more.
      const readable = joinedRuns(runs.filter(isReadable))
      if (readable !== '') this.read(readable, pathOf(path, name), depth + 1)
    }
  }

  /** Whether this is a new reading. */
  #add(path: string, name: string, text: string): boolean {
    if (text.length < shortest || this.#seen.has(text)) return false
    this.#allowance -= text.length
    if (this.#allowance < 0) {
      this.unread = true
      return false
    }
    this.#seen.add(text)
    this.readings.push({ encoding: pathOf(path, name), text })
    return true
  }
}

function pathOf(path: string, name: string): string {
  return path === '' ? name : `${path}, ${name}`
}

/** Whether decoded bytes are text, in UTF-8 or UTF-16, or compressed. */
function isReadable(bytes: Buffer): boolean {
  if (beginsCompressed(bytes)) return true
  let legible = 0
  for (const byte of bytes) if (byte === 0 || (byte > 31 && byte < 127)) legible += 1
  return legible * 2 > bytes.length
}

function unquoted(_: string, hex?: string): string {
  return hex === undefined ? '' : String.fromCharCode(parseInt(hex, 16))
}

/** What the runs of a text decode to. */
function runsOf(run: RegExp, text: string, decode: (run: string) => Buffer[]): Buffer[] {
  return (text.match(run) ?? []).flatMap((each) => decode(each))
}

/** Bytes as Latin-1, a line for each run. */
function joinedRuns(runs: readonly Buffer[]): string {
  return runs.map((bytes) => bytes.toString('latin1')).join('\n')
}

/** At both alignments: a letter of the word before may look like a digit. */
function hexBytes(run: string): Buffer[] {
  const digits = run.replace(hexPunctuation, '')
  return [Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex')]
}

/** `97,98`, as Node writes a Buffer, and `"0":97,"1":98`, as it writes a Uint8Array. */
function listedBytes(run: string): Buffer[] {
  const numbers = (run.match(number) ?? []).map(Number)
  const pairs = run.includes(':') ? [numbers.filter((_, index) => index % 2 === 1)] : []
  return [numbers, ...pairs].map((list) => Buffer.from(list.map((each) => (each < 256 ? each : 0))))
}

/** Inflates what is compressed in a text that was read byte by byte, within bounds. */

import { constants, inflateRawSync } from 'node:zlib'

/** Most that one text is inflated to, in bytes. */
const inflatedLimit = 16 * 1024 * 1024

/** Where compressed pieces are looked for. */
interface Place {
  /** Most pieces that are looked at in one text. */
  readonly most: number
  /** How zlib begins, at its usual levels. */
  readonly zlib: RegExp
}

const places = {
  /** What somebody says: anywhere else than at the beginning of a line, zlib's beginning is chance. */
  // oxlint-disable-next-line no-control-regex -- that is how it begins
  text: { most: 64, zlib: /^x[\u0001^\u009c\u00da]/gm },
  /** What a program keeps: its records stand anywhere in it. */
  // oxlint-disable-next-line no-control-regex -- that is how it begins
  file: { most: 2000, zlib: /x[\u0001^\u009c\u00da]/g },
} satisfies Readonly<Record<string, Place>>

const gzipMagic = '\u001f\u008b\u0008'

/** What was inflated, as Latin-1. */
export interface Inflated {
  readonly content: string
  /** Whether there is more than the bounds allow. */
  readonly more: boolean
}

/** Whether bytes begin as gzip or zlib do. */
export function beginsCompressed(bytes: Buffer): boolean {
  return startsOf(bytes.toString('latin1', 0, 3), places.text).length > 0
}

/** Inflates every gzip member anywhere, and every zlib stream: in a text at the beginning of a line, in a file anywhere. */
export function inflated(text: string, where: keyof typeof places = 'text'): Inflated {
  const place = places[where]
  const starts = startsOf(text, place)
  if (starts.length === 0) return { content: '', more: false }
  const bytes = Buffer.from(text, 'latin1')
  const contents: string[] = []
  let left = inflatedLimit
  let more = starts.length > place.most
  for (const start of starts.slice(0, place.most)) {
    try {
      const options = { maxOutputLength: Math.max(1, left), finishFlush: constants.Z_SYNC_FLUSH }
      const content = inflateRawSync(bytes.subarray(start), options)
      left -= content.length
      contents.push(content.toString('latin1'))
    } catch (error) {
      // Anything else: it only looked like the beginning of something compressed.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') continue
      more = true
      break
    }
  }
  return { content: contents.join('\n'), more }
}

/** Where compressed data begin, behind their header; whatever follows them is none of their business. */
function startsOf(text: string, { most, zlib }: Place): number[] {
  const starts: number[] = []
  let at = text.indexOf(gzipMagic)
  while (at !== -1 && starts.length <= most) {
    starts.push(afterHeader(text, at))
    at = text.indexOf(gzipMagic, at + 1)
  }
  if (!text.includes('x')) return starts
  for (const { index } of text.matchAll(zlib)) {
    if (starts.length > most) break
    starts.push(index + 2)
  }
  return starts
}

/** Where the data of a gzip member begins (RFC 1952 §2.3). */
function afterHeader(text: string, start: number): number {
  const flags = text.charCodeAt(start + 3)
  const [checked, extra, named, commented] = [2, 4, 8, 16].map((flag) => (flags & flag) !== 0)
  let at = start + 10
  if (extra) at += 2 + text.charCodeAt(at) + 256 * text.charCodeAt(at + 1)
  for (const string of [named, commented]) if (string) at = text.indexOf('\0', at) + 1
  return checked ? at + 2 : at
}

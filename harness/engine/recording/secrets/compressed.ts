/** Inflates what is compressed in a text that was read byte by byte, within bounds. */

import { constants, inflateRawSync, inflateSync } from 'node:zlib'

/** Most that one text is inflated to, in bytes. */
const inflatedLimit = 16 * 1024 * 1024
/** Most compressed pieces that are looked at in one text. */
const mostPieces = 64

const gzipMagic = '\u001f\u008b\u0008'
/** How zlib begins, at its usual levels; anywhere else than at the beginning of a line it is chance. */
// oxlint-disable-next-line no-control-regex -- that is how it begins
const zlibMagic = /^x[\u0001^\u009c\u00da]/gm

/** What was inflated, as Latin-1. */
export interface Inflated {
  readonly content: string
  /** Whether there is more than the bounds allow. */
  readonly more: boolean
}

/** Whether bytes begin as gzip or zlib do. */
export function beginsCompressed(bytes: Buffer): boolean {
  return startsOf(bytes.toString('latin1', 0, 3)).length > 0
}

/** Inflates every gzip member anywhere and every zlib stream at the beginning of a line. */
export function inflated(text: string): Inflated {
  const starts = startsOf(text)
  if (starts.length === 0) return { content: '', more: false }
  const bytes = Buffer.from(text, 'latin1')
  const contents: string[] = []
  let left = inflatedLimit
  let more = starts.length > mostPieces
  for (const { at, inflate } of starts.slice(0, mostPieces)) {
    try {
      const options = { maxOutputLength: Math.max(1, left), finishFlush: constants.Z_SYNC_FLUSH }
      const content = inflate(bytes.subarray(at), options)
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

interface Start {
  readonly at: number
  readonly inflate: typeof inflateSync
}

function startsOf(text: string): Start[] {
  const starts: Start[] = []
  let at = text.indexOf(gzipMagic)
  while (at !== -1 && starts.length <= mostPieces) {
    // Whatever follows a member is none of its business, which Node's gunzip sees differently.
    starts.push({ at: afterHeader(text, at), inflate: inflateRawSync })
    at = text.indexOf(gzipMagic, at + 1)
  }
  if (!text.includes('x')) return starts
  for (const { index } of text.matchAll(zlibMagic)) {
    if (starts.length > mostPieces) break
    starts.push({ at: index, inflate: inflateSync })
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

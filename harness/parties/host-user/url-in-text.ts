/** Whether a text that a user was shown contains a URL exactly, whichever way it is written down. */

import { withoutHtmlEscapes, withoutJsonEscapes } from '../../engine/escapes.ts'
import { withoutEscapes } from '../../engine/text.ts'

/** What a URL can go on with: a longer URL is another one. A full stop or the like goes on where more follows at once. */
const goesOn = /^(?:[\w%&=/#+~?@$-]|[.,;:!*]+[\w&=/#+~?@$-])/

/** What a URL can be in the middle of: another one, that leads to somebody else (RFC 3986 §3.4: a query may hold anything). */
const isWithin = /[a-z][a-z\d+.-]*:\/\/[^\s"'<>()[\]{}|\\^`,;]*$/i

/** Characters before a URL that are looked at. */
const longestBefore = 2000

/** What stands in the source of a page, and nobody sees. */
const comments = /<!--.*?-->/gs

/** Signs beyond ASCII, such as quotation marks, full stops and frames: where they stand beside a URL, they are not of it. */
const signs = /[^\0-\x7f\p{L}\p{M}\p{N}]+/gu

/** What a scheme cannot contain, and stands before one (RFC 3986 §3.1). */
const beforeScheme = /[^\0-\x7f](?=[a-z][a-z\d+.-]*:)/giu

/**
 * Whether the exact URL stands in the text: plainly, in a JSON string, in HTML or in Markdown, in whichever colour of a
 * terminal. Characters beyond ASCII may be percent-encoded: a URL has none of them, and RFC 3987 §3.1 says what takes
 * their place.
 */
export function shows(text: string, url: string): boolean {
  const exact = asciiOf(url)
  const printed = readingsOf(text.replaceAll(comments, ' ')).flatMap((reading) => [
    reading,
    withoutEscapes(reading),
  ])
  return [...new Set(printed)].some(
    (reading) =>
      containsExactly(asciiOf(reading), exact) || containsExactly(asciiOf(apart(reading)), exact),
  )
}

/** The text, the strings of it if it is JSON, and each of them with the escapes of JSON, HTML and Markdown undone. */
export function readingsOf(text: string): string[] {
  const strings = [text, ...(stringsIn(text) ?? [])]
  const plain = strings.flatMap((each) => [each, withoutJsonEscapes(each)])
  const undone = [withoutHtmlEscapes, withoutMarkdownEscapes]
  const all = plain.flatMap((each) => [each, ...undone.map((undo) => undo(each))])
  return [...new Set(all)]
}

/** The text with a blank where a URL ends or begins for who reads it. */
function apart(text: string): string {
  return text.replace(signs, ' ').replace(beforeScheme, '$& ')
}

function containsExactly(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    const before = text.slice(Math.max(0, at - longestBefore), at)
    const isApart = !/[\w-]$/.test(before) && !isWithin.test(before)
    if (isApart && !goesOn.test(text.slice(at + url.length, at + url.length + 8))) return true
  }
  return false
}

function asciiOf(text: string): string {
  // By way of a buffer, because a lone surrogate has no encoding.
  return text.replace(/[^\0-\x7f]+/g, (part) => encodeURIComponent(Buffer.from(part).toString()))
}

/** The strings of a text that is JSON; nothing if it is none. */
export function stringsIn(text: string): string[] | undefined {
  try {
    return [...stringsAt(JSON.parse(text))].map(([, string]) => string)
  } catch {
    return undefined
  }
}

/** The strings of a value, by their places in it. */
export function* stringsAt(value: unknown, place = ''): Generator<[place: string, text: string]> {
  if (typeof value === 'string') yield [place, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) yield* stringsAt(each, `${place}/${name}`)
}

/** CommonMark §2.4. */
function withoutMarkdownEscapes(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}

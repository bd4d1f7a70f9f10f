/** Makes text that an implementation sent safe to show: no control characters, one line, bounded. */

import { stripVTControlCharacters } from 'node:util'

/** Bidirectional overrides and other characters that change how the text around them is displayed. */
const deceptive = /[\p{Cf}\p{Zl}\p{Zp}]/gu
/** Half of a character; no encoding of a file can hold it. */
const half = /\p{Cs}/gu
// oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
const control = /[\u0000-\u001f\u007f-\u009f]+/g

/** What else is not seen where a text is shown: combining marks, and letters that are blank by design. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Mn}\u115f\u1160\u2800\u3164\uffa0]/gu

/** Commands to a terminal that hold text, such as hyperlinks: of some of them `stripVTControlCharacters` leaves what they hold. */
// oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
const command = /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g

/** The text without the escape sequences of terminals, and without what these do not show. */
export function withoutEscapes(text: string): string {
  return stripVTControlCharacters(text.replace(command, ''))
}

/** What a reader sees of the text: without escape sequences of terminals and without anything invisible. */
export function printedAs(text: string): string {
  return withoutEscapes(text).replace(unseen, '')
}

/** The text on one line without control or deceptive characters, at most `limit` characters long. */
export function printable(text: string, limit = 300): string {
  const bounded = text.length > limit * 4 ? text.slice(0, limit * 4) : text
  const clean = withoutEscapes(bounded)
    .replace(control, ' ')
    .replace(deceptive, '')
    .replace(half, '\ufffd')
    .trim()
  return clean.length > limit || text.length > bounded.length
    ? `${clean.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`
    : clean
}

/** Undoes the escapes of URLs, JSON, JavaScript, C and HTML, all in one pass over a text. */

import { withoutHtmlEscapes } from '../../escapes.ts'

/** How one escape may go on after its first character. */
const forms: Readonly<Record<string, RegExp>> = {
  '%': /u([0-9a-f]{4})|([0-9a-f]{2})/iy,
  '\\': /[uU](?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})|[xX]([0-9a-f]{2})|[0-3][0-7]{2}|[^]/iy,
  '&': /#x[0-9a-f]{1,6};?|#\d{1,7};?|[a-z][a-z0-9]{1,31};/iy,
}

/** The expressions that are applied to texts of implementations. */
export const escapePatterns = forms

const control: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' }

/** The text with each escape replaced by what it stands for; the same text where there is none. */
export function unescapeOnce(text: string): string {
  const parts: string[] = []
  let copied = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // `%`, `&` and `\`
    if (code !== 37 && code !== 38 && code !== 92) continue
    const form = forms[text[at] ?? '']
    if (!form) continue
    form.lastIndex = at + 1
    const match = form.exec(text)
    if (!match) continue
    const plain = code === 38 ? withoutHtmlEscapes(`&${match[0]}`) : standsFor(match)
    parts.push(text.slice(copied, at), plain)
    copied = form.lastIndex
    at = copied - 1
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied)
}

function standsFor(match: RegExpExecArray): string {
  const [whole] = match
  const hex = match.slice(1).find((digits) => digits !== undefined)
  if (hex !== undefined) return codePoint(parseInt(hex, 16))
  if (whole.length === 3) return codePoint(parseInt(whole, 8))
  return control[whole] ?? whole
}

function codePoint(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : ''
}

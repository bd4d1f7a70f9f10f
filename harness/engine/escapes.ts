/** Undoes the escapes of formats that texts are written in: one reading of each for everybody who looks into a text. */

import { decodeHTMLAttribute } from 'entities/decode'

/**
 * HTML §13.5, character references by name and by number. As in an attribute, one without a semicolon is none where
 * more of a word or `=` follows: `?a=1&copy=2` is a URL.
 */
export function withoutHtmlEscapes(text: string): string {
  return text.includes('&') ? decodeHTMLAttribute(text) : text
}

/** RFC 8259 §7: for JSON within other text, or within a JSON string. */
export function withoutJsonEscapes(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(["\\/]))/gi, (_, hex?: string, plain = '') =>
    hex === undefined ? String(plain) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

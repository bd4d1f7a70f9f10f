/** Every form in which a secret may travel: what the leak scanner looks for. */

/** One string whose presence proves that a secret, or a long part of it, is there. */
export interface Needle {
  readonly text: string
  readonly encoding: string
}

/** Shortest secret that can be looked for without mistaking ordinary text for it. */
export const shortestSecret = 16

/**
 * The encoded forms of one secret: raw, JSON-, HTML- and percent-escaped, base64 and base64url at all
 * three alignments, hexadecimal, the distinctive segments of a JWT, and a prefix of half its length.
 */
export function needlesOf(secret: string): Needle[] {
  const found = new Map<string, string>()
  const add = (encoding: string, text: string): void => {
    if (text.length >= 12 && !found.has(text)) found.set(text, encoding)
  }
  add('raw', secret)
  const segments = secret.split('.')
  if (segments.length === 3) for (const part of segments.slice(1)) add('JWT segment', part)
  else add('prefix', secret.slice(0, Math.max(shortestSecret, Math.ceil(secret.length / 2))))
  add('JSON', JSON.stringify(secret).slice(1, -1))
  add('JSON', secret.replaceAll('/', '\\/'))
  for (const percent of [encodeURIComponent(secret), percentEverything(secret)]) {
    add('percent', percent)
    add(
      'percent',
      percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    )
  }
  add('HTML', escapeHtml(secret, '&#39;', '/'))
  add('HTML', escapeHtml(secret, '&#x27;', '&#x2F;'))
  const bytes = Buffer.from(secret)
  add('hex', bytes.toString('hex'))
  add('hex', bytes.toString('hex').toUpperCase())
  for (const alignment of [0, 1, 2]) {
    const core = base64Core(bytes, alignment)
    add('base64', core)
    add('base64url', core.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return [...found].map(([text, encoding]) => ({ text, encoding }))
}

/** The base64 characters that depend on the secret alone when `alignment` bytes stand before it. */
function base64Core(bytes: Buffer, alignment: number): string {
  const encoded = Buffer.concat([Buffer.alloc(alignment), bytes]).toString('base64')
  const firstOwn = Math.ceil((alignment * 8) / 6)
  const lastOwn = Math.floor(((alignment + bytes.length) * 8) / 6)
  return encoded.slice(firstOwn, lastOwn)
}

function percentEverything(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
}

function escapeHtml(text: string, apostrophe: string, slash: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe)
    .replaceAll('/', slash)
}

/**
 * Readings of a text in which escapes are undone. A scanner that looks only for the forms above
 * would miss a secret of which just some characters were escaped.
 */
export function decodings(text: string): Needle[] {
  const readings: Needle[] = []
  const add = (encoding: string, decoded: string): void => {
    if (decoded !== text) readings.push({ encoding, text: decoded })
  }
  if (text.includes('%')) {
    const once = percentDecode(text)
    add('percent', once)
    if (once.includes('%')) add('percent twice', percentDecode(once))
  }
  if (text.includes('\\')) {
    const unescaped = text
      .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      .replace(/\\([/"\\])/g, '$1')
    add('JSON', unescaped)
  }
  if (text.includes('&#')) {
    const decoded = text
      .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => codePoint(parseInt(hex, 16)))
      .replace(/&#(\d{1,7});/g, (_, digits: string) => codePoint(Number(digits)))
    add('HTML', decoded)
  }
  return readings
}

function percentDecode(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}

function codePoint(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : ''
}

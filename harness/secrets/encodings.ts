/** Every form in which a secret may travel: what the leak scanner looks for. */

/** One string whose presence proves that a secret, or a long part of it, is there. */
export interface Needle {
  readonly text: string
  readonly encoding: string
  /** Proof already in its first {@link shortestSecret} characters: a part of a random value is as telling as all of it. */
  readonly partial?: true
}

/** Shortest secret, or part of one, that can be looked for without mistaking ordinary text for it. */
export const shortestSecret = 16

/**
 * The encoded forms of one secret: raw, JSON-, HTML- and percent-escaped, base64 and base64url at all three
 * alignments, hexadecimal. Of a `random` one also every long part; of a JWT only the parts that are its own.
 */
export function needlesOf(secret: string, random: boolean): Needle[] {
  const found = new Map<string, Needle>()
  const add = (encoding: string, text: string, partial = false): void => {
    if (text.length < 12 || found.has(text)) return
    found.set(text, { encoding, text, ...(partial ? { partial: true as const } : {}) })
  }
  add('raw', secret)
  const segments = secret.split('.')
  if (segments.length === 3) for (const part of segments.slice(1)) add('JWT segment', part)
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
  if (random) {
    // Header and claims of a JWT are alike in all tokens of a server; its signature is not.
    const own = segments.length === 3 ? (segments[2] ?? '') : secret
    for (let from = 0; from + shortestSecret <= own.length; from += 1) {
      add('part', own.slice(from), true)
    }
  }
  return [...found.values()]
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
 * would miss a secret of which just some characters were escaped, or one that was encoded twice.
 */
export function decodings(text: string): Needle[] {
  const readings: Needle[] = []
  const add = (encoding: string, decoded: string): void => {
    if (decoded !== text && decoded !== '') readings.push({ encoding, text: decoded })
  }
  if (text.includes('%')) {
    const once = percentDecode(text)
    add('percent', once)
    if (once.includes('%')) add('percent twice', percentDecode(once))
  }
  if (text.includes('\\')) {
    const once = unescapeJson(text)
    add('JSON', once)
    if (once.includes('\\')) add('JSON twice', unescapeJson(once))
  }
  if (text.includes('&#')) {
    const decoded = text
      .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => codePoint(parseInt(hex, 16)))
      .replace(/&#(\d{1,7});/g, (_, digits: string) => codePoint(Number(digits)))
    add('HTML', decoded)
  }
  if (text.includes('\u0000')) add('UTF-16', text.replaceAll('\u0000', ''))
  add('base64 in lines', text.replace(/(?<=[\w+/=])(\\r|\\n|\s)+(?=[\w+/=])/g, ''))
  add('base64', decodedRuns(text))
  return readings
}

function unescapeJson(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\([/"\\])/g, '$1')
}

function percentDecode(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}

/** What the long base64 runs of a text decode to: a secret may have been encoded twice. */
function decodedRuns(text: string): string {
  const runs = text.match(/[\w+/-]{40,}={0,2}/g) ?? []
  return runs.map((run) => Buffer.from(run, 'base64').toString('latin1')).join('\n')
}

function codePoint(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : ''
}

/** Every form in which a secret may travel: what the leak scanner looks for. */

/** One string whose presence proves that a secret, or a long part of it, is there. */
export interface Needle {
  readonly text: string
  readonly encoding: string
  /** Where the piece begins by which it is looked up: what many secrets share finds none of them. */
  readonly anchor: number
  /** So many characters from the anchor on are proof; a part of a random value is as telling as all of it. */
  readonly least: number
  /** Only where no letter or digit adjoins it: it is short enough to be a part of something else. */
  readonly alone?: true
}

/** Shortest secret, or part of one, that can be looked for without mistaking ordinary text for it. */
export const shortestSecret = 16
/** Shortest value that a vendor declares as a credential and that is masked; found only where it stands alone. */
export const shortestDeclared = 4

/** Shortest secret of which encoded forms are long enough to be told from ordinary text. */
const shortestEncoded = 8

/**
 * The encoded forms of one secret: raw, JSON-, HTML- and percent-escaped, base64 and base64url at all three
 * alignments, hexadecimal, both of these also of UTF-16. Of a `random` one also every long part; of a JWT only the
 * parts that are its own.
 */
export function needlesOf(secret: string, random: boolean): Needle[] {
  const found = new Map<string, Needle>()
  const short = secret.length < shortestSecret
  const segments = secret.split('.')
  const jwt = segments.length === 3
  const add = (encoding: string, text: string, end = text.length): void => {
    if (found.has(text) || text.length < shortestDeclared) return
    // All tokens of a server begin alike: they are looked up by their ends.
    const anchor = jwt ? Math.max(0, end - shortestSecret) : 0
    const alone = short && !/hex|base64/.test(encoding) ? { alone: true as const } : {}
    found.set(text, { encoding, text, anchor, least: text.length - anchor, ...alone })
  }
  const claims = segments.slice(0, 2).join('.')
  add('raw', secret, jwt ? claims.length : secret.length)
  if (jwt) {
    for (const part of segments.slice(1))
      if (part.length >= shortestSecret) add('JWT segment', part)
  }
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
  // Files are read as Latin-1, which tells nothing of characters beyond ASCII.
  add('UTF-8', bytes.toString('latin1'))
  if (secret.length >= shortestEncoded) {
    // Without the zero at its end it is the same in either byte order.
    const wide = Buffer.from(secret, 'utf16le').subarray(0, -1)
    // Basic authentication carries it percent-encoded (RFC 6749 §2.3.1).
    const escaped = [encodeURIComponent(secret), formEncoded(secret), lettersOnly(secret)]
      .filter((each) => !random && each !== secret)
      .map((each) => ['', Buffer.from(each)] as const)
    for (const [form, content] of [
      ['', bytes] as const,
      ...escaped,
      ['UTF-16 in ', wide] as const,
    ]) {
      add(`${form}hex`, content.toString('hex'))
      add(`${form}hex`, content.toString('hex').toUpperCase())
      for (const alignment of [0, 1, 2]) {
        const core = base64Core(content, alignment)
        add(`${form}base64`, core)
        add(`${form}base64url`, core.replaceAll('+', '-').replaceAll('/', '_'))
      }
    }
  }
  const all = [...found.values()]
  if (!random) return all
  // Header and claims of a JWT are alike in all tokens of a server; its signature is not.
  const own = jwt ? (segments[2] ?? '') : secret
  for (let from = 0; from + shortestSecret <= own.length; from += 1) {
    all.push({ encoding: 'part', text: own.slice(from), anchor: 0, least: shortestSecret })
  }
  return all
}

/** The base64 characters that depend on the secret alone when `alignment` bytes stand before it. */
function base64Core(bytes: Buffer, alignment: number): string {
  const encoded = Buffer.concat([Buffer.alloc(alignment), bytes]).toString('base64')
  const firstOwn = Math.ceil((alignment * 8) / 6)
  const lastOwn = Math.floor(((alignment + bytes.length) * 8) / 6)
  return encoded.slice(firstOwn, lastOwn)
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice('='.length)
}

/** As some clients do: everything but letters and digits. */
function lettersOnly(text: string): string {
  return encodeURIComponent(text).replace(
    /[-_.!~*'()]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
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

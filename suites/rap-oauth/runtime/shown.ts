/** Whether a text that a user was shown contains a URL exactly, whichever way it is written down. */

/** What a URL can go on with: a longer URL is another one. */
const goesOn = /^[\w%&=/#+~?@$-]/

/** Whether the exact URL stands in the text: plainly, in a JSON string, or in HTML. */
export function shows(text: string, url: string): boolean {
  return readingsOf(text).some((reading) => containsExactly(reading, url))
}

/** The text itself, the strings of it if it is JSON, and each of them with HTML's escapes undone. */
export function readingsOf(text: string): string[] {
  const strings = [text, ...jsonStrings(text)]
  return strings.flatMap((each) => (each.includes('&') ? [each, withoutHtmlEscapes(each)] : [each]))
}

function containsExactly(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    const before = text[at - 1] ?? ''
    if (!/[\w-]/.test(before) && !goesOn.test(text.slice(at + url.length))) return true
  }
  return false
}

function jsonStrings(text: string): string[] {
  try {
    return stringsOf(JSON.parse(text))
  } catch {
    return []
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function withoutHtmlEscapes(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/** Writes XML whose text and attributes may be anything. */

/** An element: name, attributes (absent ones are left out), children; strings are text. */
export interface Element {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | number | undefined>>
  readonly children?: readonly (Element | string)[]
}

// oxlint-disable-next-line no-control-regex -- removing what XML 1.0 §2.2 forbids is the purpose
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** Text that is safe in content and attributes; characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, '').replace(/[&<>"'\r]/g, (character) => entities[character] ?? '')
}

/** A whole document. */
export function xmlDocument(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(root, '')}\n`
}

function render({ name, attributes = {}, children = [] }: Element, indent: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
    .join('')
  const open = `${indent}<${name}${written}`
  if (children.length === 0) return `${open}/>`
  if (children.every((child) => typeof child === 'string')) {
    return `${open}>${escapeXml(children.join(''))}</${name}>`
  }
  const inner = children.map((child) =>
    typeof child === 'string' ? escapeXml(child) : render(child, `${indent}  `),
  )
  return [`${open}>`, ...inner, `${indent}</${name}>`].join('\n')
}

/** A parser would turn white space in attributes into blanks (XML 1.0 §3.3.3). */
function attribute(text: string): string {
  return escapeXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}

/** The verdict as a badge: an image of our own, and the JSON that shields.io draws one from. */

import { printable } from '../../harness/engine/index.ts'
import { headline, tone } from './headline.ts'
import type { RunRecord } from '../record/run-record.ts'
import { escapeXml } from './xml.ts'

/** White text on each has a contrast of at least 4.5 (WCAG 2 AA). */
const colours = { good: '#1a7f37', bad: '#c62828', unclear: '#6b5b00' } as const
const left = '#444d56'

/** Pixels per character of 11 pixel Verdana, and around the text. */
const character = 7
const padding = 12

/** The badge as SVG, without script, link or font of its own. */
export function badgeSvg(record: RunRecord): string {
  const label = printable(record.profile, 60)
  const message = headline(record)
  const { title, revision } = record.specification
  const specification = printable(`${title}, ${revision}`, 200)
  const [a, b] = [label, message].map((text) => text.length * character + padding) as [
    number,
    number,
  ]
  const part = (text: string, x: number, width: number): string =>
    `<text x="${x + width / 2}" y="14" textLength="${width - padding}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="20" role="img" aria-label="${escapeXml(`${label}: ${message}`)}">
<title>${escapeXml(`${label}: ${message} (${specification})`)}</title>
<rect width="${a}" height="20" fill="${left}"/><rect x="${a}" width="${b}" height="20" fill="${colours[tone(record)]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">${part(label, 0, a)}${part(message, a, b)}</g>
</svg>
`
}

/** What the endpoint badge of shields.io reads (https://shields.io/badges/endpoint-badge). */
export function shieldsJson(record: RunRecord): string {
  const endpoint = {
    schemaVersion: 1,
    label: printable(record.profile, 60),
    message: headline(record),
    color: { good: 'brightgreen', bad: 'red', unclear: 'yellow' }[tone(record)],
    isError: tone(record) === 'bad',
  }
  return `${JSON.stringify(endpoint, undefined, 2)}\n`
}

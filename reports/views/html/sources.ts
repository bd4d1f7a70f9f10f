/** Where a requirement stands, each section as a link to it. */

import type { RequirementRecord } from '../../record/run-record.ts'
import { safeLink } from '../safe-link.ts'
import { markup, type Markup } from './markup.ts'

/** The source with links, or as plain text where its sections are not known. */
export function sources({ source, links }: RequirementRecord): Markup {
  const known = links.map(({ text, url }) => ({ text, link: safeLink(url) }))
  if (known.length === 0) return markup`${source.slice(0, 200)}`
  return markup`${known.map(
    ({ text, link }, place) =>
      markup`${place > 0 ? '; ' : ''}${link === undefined ? text.slice(0, 200) : markup`<a href="${link}">${text.slice(0, 200)}</a>`}`,
  )}`
}

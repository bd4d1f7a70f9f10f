/** The one way in which this report writes HTML: whatever is filled in is made visible, bounded and escaped. */

import { html, raw } from 'hono/html'
import { visible } from '../visible.ts'

/** A piece of HTML that is finished. */
export type Markup = ReturnType<typeof raw>

type Filling = string | number | boolean | undefined | Markup | readonly Filling[]

/** Characters of one filling; what shows more than this is cut where it is shown. */
const longest = 20_000

/**
 * A template of HTML or SVG.
 *
 * @example markup`<p>${'<script>'}</p>` // <p>&lt;script&gt;</p>
 */
export function markup(strings: TemplateStringsArray, ...fillings: readonly Filling[]): Markup {
  const made = html(strings, ...fillings.map(safe))
  if (made instanceof Promise) throw new TypeError('a template was given a promise')
  return made
}

/** Text that is ours, as it is: the style sheet. */
export function verbatim(text: string): Markup {
  return raw(text)
}

function safe(filling: Filling): unknown {
  if (typeof filling === 'string') return visible(filling, longest)
  return Array.isArray(filling) ? filling.map(safe) : filling
}

/** Writes Markdown into which anything may be filled. */

import { printable } from '../../harness/engine/index.ts'

/**
 * Text as a code span (CommonMark §6.1), the one place where Markdown interprets nothing: no link, no mention, no
 * image, no HTML. Not for cells of a table, where a pipe would end the span.
 */
export function codeSpan(text: string, limit = 300): string {
  const shown = printable(text, limit) || '(empty)'
  const runs = shown.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1)
  // One blank is taken off at either end, so that the text may begin or end with a backtick.
  return /^`|`$/.test(shown) ? `${fence} ${shown} ${fence}` : fence + shown + fence
}

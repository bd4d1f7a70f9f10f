/** A comparison as Markdown: the grid, and what changed. */

import { printable } from '../../harness/engine/index.ts'
import { headline } from '../views/headline.ts'
import { codeSpan } from '../views/markdown.ts'
import type { Comparison } from './comparison.ts'

/** The grids of all profiles. What an implementation calls itself stands in code spans, never in a table. */
export function comparisonMarkdown(comparisons: readonly Comparison[]): string {
  return `${comparisons.map(grid).join('\n\n')}\n`
}

function grid({ profile, columns, rows, changes }: Comparison): string {
  const letters = columns.map((_, index) => letter(index))
  return [
    `## ${codeSpan(profile)}`,
    '',
    ...columns.map(
      ({ label, record }, index) =>
        `- ${letters[index]}: ${codeSpan(label, 120)}, ${headline(record)}`,
    ),
    '',
    `| requirement | ${letters.join(' | ')} |`,
    `| --- | ${letters.map(() => '---').join(' | ')} |`,
    ...rows.map(({ id, cells, differs }) => {
      const shown = cells.map((cell) => cell ?? '(unknown)')
      const name = printable(id, 120).replaceAll('|', '')
      return `| ${differs ? `**${name}**` : name} | ${shown.join(' | ')} |`
    }),
    ...changes.flatMap(({ from, to, requirements }) => [
      '',
      `### From ${codeSpan(from.label, 120)} to ${codeSpan(to.label, 120)}`,
      '',
      ...(requirements.length === 0 ? ['Nothing changed.'] : []),
      ...requirements.map(
        ({ id, was, is }) => `- ${codeSpan(id)}: ${was ?? 'unknown'} → ${is ?? 'unknown'}`,
      ),
    ]),
  ].join('\n')
}

/** A, B ... Z, AA, AB ... */
export function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last
}

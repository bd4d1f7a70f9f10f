/** What a run says at its end: the verdict, what broke and how to see it again, where the files are. */

import { relative } from 'node:path'
import { printable } from '../../harness/engine/index.ts'
import {
  headline,
  leftRunningFact,
  slownessNote,
  verdictWord,
  type RunRecord,
  type Transcripts,
} from '../../reports/index.ts'
import { meaningOf } from '../outcome/exit-codes.ts'
import { headlineStyles } from './marks.ts'
import { printFindings } from './print-findings.ts'
import { countText } from './progress.ts'
import { wrapped, type Terminal } from './terminal.ts'

export interface PrintOptions {
  readonly folder: string
  readonly quiet: boolean
}

/** Prints the result of a run. */
export function printResult(
  terminal: Terminal,
  record: RunRecord,
  transcripts: Transcripts,
  { folder, quiet }: PrintOptions,
): void {
  if (!quiet) terminal.line()
  terminal.line(head(terminal, record))
  terminal.line(`${countText(record.findings)} in ${(record.durationMs / 1000).toFixed(1)}s`)
  if (!quiet) printFindings(terminal, record, transcripts)
  printFailures(terminal, record)
  if (!quiet) printNote(terminal, slownessNote(record, transcripts))
  printLeft(terminal, record.facts[leftRunningFact])
  const shown = relative(process.cwd(), folder) || '.'
  terminal.line()
  terminal.line(
    `results  ${shown.startsWith('..') ? folder : shown}/ (report.html, summary.md, junit.xml, results.json, transcripts/)`,
  )
  printBaseline(terminal, record)
  terminal.line(
    `exit     ${record.exit.code}: ${meaningFor(record)} (${printable(record.exit.reason, 600)})`,
  )
}

/** What outlived the run: its processes are ended in their groups, which one may leave. */
function printLeft(terminal: Terminal, left: unknown): void {
  if (!Array.isArray(left)) return
  terminal.line()
  terminal.line('still running, although the run has tried to end everything that it started:')
  for (const each of left) terminal.line(`  ${printable(String(each), 240)}`)
}

function printNote(terminal: Terminal, note: string | undefined): void {
  if (note === undefined) return
  terminal.line()
  terminal.line(wrapped(note, terminal.width, '         ', 'note     '))
}

/** Exit code 0 does not always mean the same. */
function meaningFor({ exit, partial, baseline }: RunRecord): string | undefined {
  if (exit.code !== 0) return meaningOf(exit.code)
  if (baseline && baseline.known.length > 0) return 'every finding is in the baseline'
  return partial ? 'conformant (partial)' : meaningOf(exit.code)
}

function printBaseline(terminal: Terminal, { baseline }: RunRecord): void {
  if (!baseline) return
  const problems =
    baseline.problems.length === 0 ? '' : `, ${baseline.problems.length} out of date:`
  terminal.line(`baseline ${baseline.known.length} known${problems}`)
  for (const each of baseline.problems) terminal.line(`  ${printable(each, 400)}`)
}

function head(terminal: Terminal, record: RunRecord): string {
  const { name, version } = record.implementation
  const verdict = terminal.style(
    headlineStyles[record.verdict],
    headline(record, verdictWord(record).toUpperCase()),
  )
  return `${verdict}  ${printable([name, version].filter(Boolean).join(' '), 120)} as ${record.profile}`
}

function printFailures(terminal: Terminal, { failures }: RunRecord): void {
  for (const { scenario, message } of failures) {
    const [first = '', ...stack] = message.split('\n')
    terminal.line()
    terminal.line(
      terminal.style(
        'red',
        `the harness failed in ${printable(scenario, 120)}: ${printable(first, 600)}`,
      ),
    )
    if (process.env['AOC_DEBUG'] === '1')
      for (const line of stack) terminal.line(`  ${printable(line, 300)}`)
    else
      terminal.line(
        '  This is not the fault of the implementation. Details: "failures" in results.json, or AOC_DEBUG=1.',
      )
  }
}

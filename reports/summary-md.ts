/** The run in short, as Markdown for a pull request or the summary of a job. */

import { isBinding, type Finding, type Verdict } from '../harness/index.ts'
import { knownReason } from './baseline.ts'
import { headline } from './headline.ts'
import { codeSpan } from './markdown.ts'
import type { RunRecord } from './run-record.ts'

/** Findings of each kind that are listed; a job summary ends at 1 MiB. */
const listed = 50

const signs: Readonly<Record<Verdict, string>> = {
  fail: '❌',
  warn: '⚠️',
  inconclusive: '❓',
  pass: '✅',
  'not-applicable': '➖',
}

/** The summary. What an implementation sent stands in code spans only. */
export function summaryMarkdown(record: RunRecord): string {
  const { implementation, profile, exit, suite, findings, strict } = record
  const known = findings.filter((each) => knownReason(record, each) !== undefined)
  const of = (verdict: Verdict): Finding[] =>
    findings.filter((each) => each.verdict === verdict && !known.includes(each))
  const open = of('inconclusive')
  const lines = [
    `## ${sign(record)} ${headline(record)}`,
    '',
    `${codeSpan([implementation.name, implementation.version].filter(Boolean).join(' '), 120)} as ${codeSpan(profile)}, judged by ${codeSpan(`${suite.name} ${suite.version}`)}`,
    '',
    counts(record),
    '',
    `Exit code ${exit.code}: ${codeSpan(exit.reason)}`,
    ...section('Broken', of('fail')),
    ...section(
      'Unproven, but binding',
      open.filter((each) => isBinding(each, strict)),
    ),
    ...baselineProblems(record),
    ...section('Known', known),
    ...section('Warnings', of('warn')),
    ...section(
      'Unproven',
      open.filter((each) => !isBinding(each, strict)),
    ),
    ...harnessFailures(record),
  ]
  return `${lines.join('\n')}\n`
}

function sign({ verdict }: RunRecord): string {
  return { conformant: '✅', 'non-conformant': '❌', inconclusive: '❓' }[verdict]
}

function counts({ counts }: RunRecord): string {
  const named = Object.entries(counts) as [Verdict, number][]
  return named
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${signs[verdict]} ${count} ${verdict.replace('-', ' ')}`)
    .join(' · ')
}

function section(title: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return []
  const rest = findings.length - listed
  return [
    '',
    `### ${title} (${findings.length})`,
    '',
    ...findings.slice(0, listed).flatMap(item),
    ...(rest > 0 ? [`- and ${rest} more, see the report`] : []),
  ]
}

function item({ requirement, scenario, keyword, message, expected, actual }: Finding): string[] {
  return [
    `- ${codeSpan(requirement)} in ${codeSpan(scenario)} (${keyword})`,
    `  - found ${codeSpan(message, 600)}`,
    ...(expected === undefined ? [] : [`  - expected ${codeSpan(expected)}`]),
    ...(actual === undefined ? [] : [`  - actual ${codeSpan(actual)}`]),
  ]
}

function baselineProblems({ baseline }: RunRecord): string[] {
  if (!baseline || baseline.problems.length === 0) return []
  const lines = baseline.problems.slice(0, listed).map((each) => `- ${codeSpan(each, 600)}`)
  return ['', '### The baseline is out of date', '', ...lines]
}

function harnessFailures({ failures }: RunRecord): string[] {
  if (failures.length === 0) return []
  const lines = failures
    .slice(0, listed)
    .map(({ scenario, message }) => `- in ${codeSpan(scenario)}: ${codeSpan(message)}`)
  return ['', '### The harness failed', '', ...lines]
}

/** The run in short, as Markdown for a pull request or the summary of a job. */

import { isBinding, type Verdict } from '../../harness/engine/index.ts'
import { knownReason } from '../record/baseline.ts'
import { told, type Problem, type Unjudged } from '../record/root-causes.ts'
import { headline } from './headline.ts'
import { codeSpan } from './markdown.ts'
import type { RunRecord } from '../record/run-record.ts'
import { safeLink } from './safe-link.ts'

/** Findings of each kind that are listed; a job summary ends at 1 MiB. */
const listed = 50

const signs: Readonly<Record<Verdict, string>> = {
  fail: '❌',
  warn: '⚠️',
  inconclusive: '❓',
  pass: '✅',
  'not-offered': '➖',
  'not-applicable': '➖',
}

/** The summary. What an implementation sent stands in code spans only. */
export function summaryMarkdown(record: RunRecord): string {
  const { implementation, profile, exit, suite, findings, specification } = record
  const known = findings.filter((each) => knownReason(record, each) !== undefined)
  const all = told(
    record,
    findings.filter((each) => !known.includes(each)),
  )
  const lines = [
    `## ${sign(record)} ${headline(record)}`,
    '',
    `${codeSpan([implementation.name, implementation.version].filter(Boolean).join(' '), 120)} as ${codeSpan(profile)}, judged by ${codeSpan(`${suite.name} ${suite.version}`)}`,
    '',
    `Specification: ${linked(specification.title, specification.published)}, ${codeSpan(specification.revision)}`,
    '',
    ...noted(record),
    counts(record),
    '',
    `Exit code ${exit.code}: ${codeSpan(exit.reason)}`,
    ...section('Broken', all.failures, (each) => problem(each, record)),
    ...section('Found where the control did not work either', all.consequences, brief),
    ...baselineProblems(record),
    ...section('Known', known, ({ requirement, scenario, message }) => [
      `- ${codeSpan(requirement)} in ${codeSpan(scenario)}: ${codeSpan(message, 600)}`,
    ]),
    ...section('Warnings', all.warnings, (each) => problem(each, record)),
    ...section('Not judged', all.unjudged, (each) => notJudged(each, record)),
    ...section(
      'Not offered, which a correct implementation need not',
      [...all.notOffered],
      (each) => [`- ${each.map((text) => codeSpan(text, 600)).join(': ')}`],
    ),
    ...harnessFailures(record),
  ]
  return `${lines.join('\n')}\n`
}

/** What a reader has to know before trusting the verdict. */
function noted({ facts }: RunRecord): string[] {
  return typeof facts['note'] === 'string' ? [codeSpan(facts['note'], 600), ''] : []
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

function section<T>(title: string, all: readonly T[], item: (each: T) => string[]): string[] {
  if (all.length === 0) return []
  const rest = all.length - listed
  return [
    '',
    `### ${title} (${all.length})`,
    '',
    ...all.slice(0, listed).flatMap(item),
    ...(rest > 0 ? [`- and ${rest} more, see the report`] : []),
  ]
}

function problem({ finding, also }: Problem, { requirements }: RunRecord): string[] {
  const { requirement, scenario, keyword, basis, source, message, expected, actual } = finding
  const row = requirements.find(({ id }) => id === requirement)
  const places = [scenario, ...also].slice(0, listed).map((each) => codeSpan(each))
  return [
    `- ${codeSpan(message, 600)}`,
    `  - requirement ${codeSpan(requirement)} (${keyword}, ${basis}, ${linked(source, row?.links[0]?.url)})`,
    `  - in ${places.join(', ')}`,
    ...(expected === undefined ? [] : [`  - expected ${codeSpan(expected)}`]),
    ...(actual === undefined ? [] : [`  - found ${codeSpan(actual)}`]),
    ...(row?.mend === undefined ? [] : [`  - to fix: ${codeSpan(row.mend, 600)}`]),
  ]
}

function brief({ finding, also }: Problem): string[] {
  const { requirement, scenario, verdict, message } = finding
  const more = also.length > 0 ? ` and ${also.length} more` : ''
  return [
    `- ${signs[verdict]} ${codeSpan(requirement)} in ${codeSpan(scenario)}${more}: ${codeSpan(message, 600)}`,
  ]
}

function notJudged({ until, reason, findings }: Unjudged, { strict }: RunRecord): string[] {
  const binding = findings.filter((each) => isBinding(each, strict)).length
  const checks = `${findings.length} ${findings.length === 1 ? 'check' : 'checks'}${binding > 0 ? ` (${binding} binding)` : ''}`
  const ids = [...new Set(findings.map(({ requirement }) => requirement))].slice(0, listed)
  const which = `  - ${ids.map((each) => codeSpan(each)).join(', ')}`
  if (!until) return [`- ${checks}: ${codeSpan(reason, 600)}`, which]
  return 'requirement' in until
    ? [`- ${checks} cannot be judged until ${codeSpan(until.requirement)} works`, which]
    : [
        `- ${checks} cannot be judged until ${codeSpan(until.scenario)} works: ${codeSpan(reason, 600)}`,
      ]
}

/** A code span may be the text of a link (CommonMark §6.3); an address without brackets and blanks ends none. */
function linked(text: string, address: string | undefined): string {
  const link = safeLink(address)?.replaceAll('(', '%28').replaceAll(')', '%29')
  return link === undefined ? codeSpan(text) : `[${codeSpan(text)}](${link})`
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

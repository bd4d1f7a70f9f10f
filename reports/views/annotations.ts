/** Findings as workflow commands of GitHub Actions, which shows them beside a pull request. */

import { printable, unproven, type Finding } from '../../harness/engine/index.ts'
import { knownReason } from '../record/baseline.ts'
import type { RunRecord } from '../record/run-record.ts'

/** GitHub shows ten of a kind for a step; the rest is in the summary. */
const shown = 10

/** One command a line: errors for what fails the run, warnings for warnings. */
export function annotations(record: RunRecord): string {
  const { findings, strict } = record
  const open = findings.filter((finding) => knownReason(record, finding) === undefined)
  const missing = unproven(findings, strict)
  const errors = open.filter((each) => each.verdict === 'fail' || missing.includes(each))
  const warnings = open.filter(({ verdict }) => verdict === 'warn')
  const problems = record.baseline ? record.baseline.problems : []
  const lines = [
    ...errors.slice(0, shown).map((finding) => commandOf('error', finding)),
    ...problems.slice(0, shown).map((each) => command('error', 'baseline out of date', each)),
    ...warnings.slice(0, shown).map((finding) => commandOf('warning', finding)),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function commandOf(kind: 'error' | 'warning', { requirement, scenario, message }: Finding): string {
  return command(kind, `${requirement} (${scenario})`, message)
}

function command(kind: 'error' | 'warning', title: string, message: string): string {
  return `::${kind} title=${property(printable(title, 200))}::${data(printable(message, 1000))}`
}

/** The escapes of the runner's own toolkit: a value cannot end its command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

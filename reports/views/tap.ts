/** The run in the Test Anything Protocol, version 14: a test point per finding. */

import { printable, unproven, type Finding } from '../../harness/engine/index.ts'
import { knownReason } from '../record/baseline.ts'
import type { RunRecord } from '../record/run-record.ts'

/** The TAP stream. What is unproven and not binding, not offered or not applicable is skipped; a warning is ok with its text. */
export function tapText(record: RunRecord): string {
  const { findings, profile, implementation, interrupted } = record
  const { name, version } = implementation
  const lines = [
    'TAP version 14',
    `1..${findings.length}`,
    `# ${comment(`${[name, version].filter(Boolean).join(' ')} as ${profile}`)}`,
    ...findings.flatMap((finding, index) => testPoint(finding, index + 1, record)),
    ...record.failures.map(({ message }) => `# the harness failed: ${comment(message)}`),
    ...(interrupted ? [`Bail out! ${escaped(`interrupted by ${interrupted}`, 60)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function testPoint(finding: Finding, number: number, record: RunRecord): string[] {
  const { verdict, requirement, scenario, title, message } = finding
  const failed = verdict === 'fail' || unproven(record.findings, record.strict).includes(finding)
  const result = failed ? 'not ok' : 'ok'
  const skipped = !failed && verdict !== 'pass' && verdict !== 'warn'
  const known = knownReason(record, finding)
  const todo = known === undefined ? '' : ` # TODO known: ${escaped(known, 300)}`
  const directive = skipped ? ` # SKIP ${escaped(message, 300)}` : todo
  const description = escaped(`${requirement} (${scenario}): ${title}`, 400)
  const line = `${result} ${number} - ${description}${directive}`
  return verdict === 'pass' || skipped ? [line] : [line, ...diagnostic(finding)]
}

/** A YAML block; a JSON string is a YAML string whatever stands in it (YAML 1.2 §1.3). */
function diagnostic(finding: Finding): string[] {
  const { verdict, keyword, basis, source, message, expected, actual } = finding
  const members = { verdict, keyword, basis, source, message, expected, actual }
  const lines = Object.entries(members)
    .filter((member): member is [string, string] => member[1] !== undefined)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(printable(value, 1000))}`)
  return ['  ---', ...lines, '  ...']
}

function comment(text: string): string {
  return printable(text, 600)
}

/** TAP 14, "Escaping": a hash would begin a directive, a backslash would escape what follows. */
function escaped(text: string, limit: number): string {
  return printable(text, limit).replace(/[\\#]/g, '\\$&')
}

/** Prints what did not pass: failures with everything that shows them, the rest in short. */

import { notTried, printable, type Finding } from '../harness/index.ts'
import { findingLines, type RunRecord, type Transcripts } from '../reports/index.ts'
import { verdictMarks, verdictStyles } from './marks.ts'
import { wrapped, type Terminal } from './terminal.ts'

/** So many ids are listed where many findings share one reason. */
const listed = 12
/** How the judge appends the reason why a scenario stopped. */
const stopped = '; the scenario stopped: '

/** Prints failures, warnings and what is inconclusive, in this order. */
export function printFindings(
  terminal: Terminal,
  record: RunRecord,
  transcripts: Transcripts,
): void {
  const having = (verdict: Finding['verdict']): Finding[] =>
    record.findings.filter((finding) => finding.verdict === verdict)
  const [failed, warned, open] = [having('fail'), having('warn'), having('inconclusive')]
  for (const same of grouped(failed, likeness)) printFailure(terminal, same, record, transcripts)
  for (const same of grouped(warned, likeness)) printWarning(terminal, same)
  for (const same of grouped(open, rootReason)) {
    printInconclusive(terminal, same, same.length === record.findings.length)
  }
  const [first] = [...failed, ...warned, ...open]
  if (!first) return
  terminal.line()
  terminal.line(`More about a requirement:       aoc explain ${first.requirement}`)
  terminal.line(`Only this situation once more:  the same command with --filter ${first.scenario}`)
}

/** Where the scenario stopped for a reason that is common to all of its findings: that reason. */
function rootReason({ message }: Finding): string {
  return message.split(stopped).at(-1) ?? message
}

/** The same requirement broken in the same way is told once, with every scenario where it shows. */
function likeness({ requirement, message, expected, actual }: Finding): string {
  return JSON.stringify([requirement, message, expected, actual?.length])
}

function printFailure(
  terminal: Terminal,
  [finding, ...more]: readonly Finding[],
  { requirements }: RunRecord,
  transcripts: Transcripts,
): void {
  if (!finding) return
  const requirement = requirements.find(({ id }) => id === finding.requirement)
  const [head = '', ...lines] = findingLines(finding, requirement, transcripts)
  terminal.line()
  terminal.line(terminal.style(verdictStyles.fail, `${verdictMarks.fail} ${head}`))
  for (const line of lines) terminal.line(line)
  printAlso(terminal, more)
}

function printWarning(terminal: Terminal, [finding, ...more]: readonly Finding[]): void {
  if (!finding) return
  const { requirement, scenario, keyword, basis, source, message, expected, actual } = finding
  const mark = `${verdictMarks.warn} ${requirement}  (scenario ${scenario})`
  terminal.line()
  terminal.line(terminal.style(verdictStyles.warn, mark))
  terminal.line(`  found      ${printable(message, 600)}`)
  terminal.line(`             ${keyword}, ${basis}, ${source}`)
  if (expected !== undefined) terminal.line(`  expected   ${printable(expected, 300)}`)
  if (actual !== undefined) terminal.line(`  actual     ${printable(actual, 300)}`)
  printAlso(terminal, more)
}

function printAlso(terminal: Terminal, more: readonly Finding[]): void {
  if (more.length === 0) return
  const places = more.map(({ scenario }) => scenario).join(', ')
  terminal.line(wrapped(places, terminal.width, ' '.repeat(13), '  same in    '))
}

function printInconclusive(terminal: Terminal, findings: readonly Finding[], all: boolean): void {
  const [first] = findings
  if (!first) return
  const head = `${verdictMarks.inconclusive} inconclusive: ${printable(rootReason(first), 600)}`
  terminal.line()
  terminal.line(terminal.style(verdictStyles.inconclusive, head))
  if (all || first.message.startsWith(notTried)) {
    return terminal.line(`  ${all ? 'all ' : ''}${findings.length} judgements`)
  }
  const places = findings.map(({ requirement, scenario, message }) => {
    const own = message.split(stopped).slice(0, -1).join(stopped)
    return `${requirement} (${scenario})${own ? `: ${printable(own, 300)}` : ''}`
  })
  for (const place of places.slice(0, listed)) terminal.line(`  ${place}`)
  const rest = places.length - listed
  if (rest > 0) terminal.line(`  and ${rest} more, see results.json`)
}

function grouped(
  findings: readonly Finding[],
  key: (finding: Finding) => string,
): Iterable<readonly Finding[]> {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    groups.set(key(finding), [...(groups.get(key(finding)) ?? []), finding])
  }
  return groups.values()
}

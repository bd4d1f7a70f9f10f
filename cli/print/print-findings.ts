/** Prints what did not pass: what was found with everything that shows it, and each cause once. */

import { printable, type Finding } from '../../harness/engine/index.ts'
import {
  findingLines,
  keptFact,
  told,
  type Problem,
  type RunRecord,
  type Told,
  type Transcripts,
  type Unjudged,
} from '../../reports/index.ts'
import { recordOf } from '../input/unknown.ts'
import { verdictMarks, verdictStyles } from './marks.ts'
import { wrapped, type Terminal } from './terminal.ts'

/** Events of an exchange that are printed; the reports have all. */
const events = 4
/** Entries of a list that are printed. */
const listed = 6
/** Reasons for which something could not be judged, the most checks first. */
const causes = 4
const indent = ' '.repeat(15)

/** Prints failures, warnings, what may follow from them, and what could not be judged, in this order. */
export function printFindings(
  terminal: Terminal,
  record: RunRecord,
  transcripts: Transcripts,
): void {
  const all = told(record)
  const beside = besideTheCause(all)
  for (const each of all.failures) {
    if (!beside.includes(each)) printFailure(terminal, each, record, transcripts)
  }
  printBeside(terminal, beside, record)
  for (const each of all.warnings) printWarning(terminal, each)
  printConsequences(terminal, all)
  if (all.unjudged.length > 0) terminal.line()
  for (const each of all.unjudged.slice(0, causes)) printUnjudged(terminal, each)
  printRest(terminal, all.unjudged.length - causes)
  printNotOffered(terminal, all)
  const first = [...all.failures, ...all.warnings][0]?.finding ?? all.unjudged[0]?.findings[0]
  if (!first) return
  terminal.line()
  terminal.line(`More about a requirement:       aoc explain ${first.requirement}`)
  terminal.line(`Only this situation once more:  the same command with --filter ${first.scenario}`)
  if (startedByUs(record) && record.facts[keptFact] === undefined)
    terminal.line('Its requests, to repeat by hand: the same command with --keep')
}

function startedByUs({ configuration }: RunRecord): boolean {
  return recordOf(configuration['target'])['command'] !== undefined
}

/** What else failed in the scenario of a failure without which much cannot be judged: mostly more of the same. */
function besideTheCause({ failures, unjudged }: Told): readonly Problem[] {
  const cause = failures.find(({ finding }) =>
    unjudged.some(
      ({ until }) => until && 'requirement' in until && until.requirement === finding.requirement,
    ),
  )
  if (!cause) return []
  return failures.filter(
    (each) => each !== cause && each.finding.scenario === cause.finding.scenario,
  )
}

/** In short, with what to do about it. */
function printBeside(terminal: Terminal, beside: readonly Problem[], record: RunRecord): void {
  if (beside.length === 0) return
  terminal.line()
  terminal.line('Found in the same situation, perhaps of the same cause; the report shows how:')
  for (const { finding, also } of beside) {
    const { requirement, message, verdict } = finding
    const where = also.length > 0 ? `${also.length + 1} scenarios` : finding.scenario
    printHead(terminal, verdict, `${requirement} (${where}): ${printable(message, 300)}`)
    const { mend } = record.requirements.find(({ id }) => id === requirement) ?? {}
    if (mend !== undefined) terminal.line(`  to mend      ${mend}`)
  }
}

function printFailure(
  terminal: Terminal,
  { finding, also }: Problem,
  record: RunRecord,
  transcripts: Transcripts,
): void {
  const options = { also: some(also), events }
  const [head = '', ...lines] = findingLines(finding, record, transcripts, options)
  terminal.line()
  printHead(terminal, 'fail', head)
  for (const line of lines) terminal.line(line)
}

function printWarning(terminal: Terminal, { finding, also }: Problem): void {
  const { requirement, scenario, keyword, basis, source, message, expected, actual } = finding
  terminal.line()
  printHead(terminal, 'warn', printable(message, 600))
  terminal.line(`  requirement  ${requirement} (${keyword}, ${basis}, ${source})`)
  const seenIn = [scenario, ...some(also)].join(', ')
  terminal.line(wrapped(seenIn, terminal.width, indent, '  scenario     '))
  if (expected !== undefined) terminal.line(`  expected     ${printable(expected, 300)}`)
  if (actual !== undefined) terminal.line(`  actual       ${printable(actual, 300)}`)
}

/** In short: once the twin works, most of them will be different, or gone. */
function printConsequences(terminal: Terminal, { consequences }: Told): void {
  if (consequences.length === 0) return
  terminal.line()
  terminal.line(
    'Found where the undisturbed situation did not work either, perhaps as a consequence:',
  )
  for (const { finding, also } of consequences.slice(0, listed)) {
    const { requirement, message, verdict } = finding
    const where = also.length > 0 ? `${also.length + 1} scenarios` : finding.scenario
    printHead(terminal, verdict, `${requirement} (${where}): ${printable(message, 300)}`)
  }
  printRest(terminal, consequences.length - listed)
}

function printUnjudged(terminal: Terminal, { until, reason, findings }: Unjudged): void {
  const shown = printable(reason, 400)
  if (!until) {
    printHead(terminal, 'inconclusive', `${checks(findings)} not proven: ${shown}`)
    return terminal.line(wrapped(some(places(findings), 3).join(', '), terminal.width, '    '))
  }
  const what =
    'requirement' in until ? `${until.requirement} works` : `${until.scenario} works: ${shown}`
  printHead(terminal, 'inconclusive', `${checks(findings)} cannot be judged until ${what}`)
}

/** Each requirement once, with the scenario or how many there are. */
function places(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map(({ requirement }) => requirement))].map((id) => {
    const own = findings.filter(({ requirement }) => requirement === id)
    return `${id} (${own.length === 1 ? own[0]?.scenario : `${own.length} scenarios`})`
  })
}

function printNotOffered(terminal: Terminal, { notOffered }: Told): void {
  if (notOffered.size === 0) return
  terminal.line()
  for (const message of new Set(notOffered.values())) {
    const own = [...notOffered].filter(([, each]) => each === message).map(([id]) => id)
    printHead(terminal, 'not-offered', `${printable(message, 300)} (${some(own).join(', ')})`)
  }
}

function printHead(terminal: Terminal, verdict: Finding['verdict'], text: string): void {
  terminal.line(terminal.style(verdictStyles[verdict], `${verdictMarks[verdict]} ${text}`))
}

function printRest(terminal: Terminal, rest: number): void {
  if (rest > 0) terminal.line(`  and ${rest} more, see the report`)
}

function checks({ length }: readonly unknown[]): string {
  return length === 1 ? '1 check' : `${length} checks`
}

function some(all: readonly string[], most = listed): string[] {
  const rest = all.length - most
  return rest > 0 ? [...all.slice(0, most), `and ${rest} more`] : [...all]
}

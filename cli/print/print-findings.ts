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
import { ownName } from './own-name.ts'
import { verdictMarks, verdictStyles } from './marks.ts'
import { wrapped, type Terminal } from './terminal.ts'

/** Events of an exchange that are printed; the reports have all. */
const events = 4
/** Entries of a list that are printed. */
const listed = 6
/** Entries of a list that mostly repeats what was told before. */
const causes = 4
const indent = ' '.repeat(15)

/** Prints failures, warnings, what may follow from them, and what could not be judged, in this order. */
export function printFindings(
  terminal: Terminal,
  record: RunRecord,
  transcripts: Transcripts,
): void {
  const all = told(record)
  const brief = [...new Set([...besideTheCause(all), ...foundLikewise(all)])]
  for (const each of all.failures) {
    if (!brief.includes(each)) printFailure(terminal, each, record, transcripts)
  }
  printBrief(terminal, brief, record)
  printWarnings(terminal, all, record)
  printConsequences(terminal, all)
  if (all.unjudged.length > 0) terminal.line()
  for (const each of all.unjudged.slice(0, causes)) printUnjudged(terminal, each)
  printRest(terminal, all.unjudged.length - causes)
  printNotOffered(terminal, all)
  printNotApplicable(terminal, record)
  const first = [...all.failures, ...all.warnings][0]?.finding ?? all.unjudged[0]?.findings[0]
  if (!first) return
  terminal.line()
  if (all.unjudged.length > 0 && nothingSeen(record))
    return terminal.line('Usual reasons: docs/troubleshooting.md of this package, exit code 3')
  // What other profiles judge as well is explained as this one judges it.
  const { requirement } = first
  const own = requirement.startsWith(`${record.profile}/`) ? '' : ` --profile ${record.profile}`
  terminal.line(`More about a requirement:       ${ownName()} explain ${requirement}${own}`)
  terminal.line(`Only this situation once more:  the same command with --filter ${first.scenario}`)
  if (startedByUs(record) && record.facts[keptFact] === undefined)
    terminal.line('Its requests, to repeat by hand: the same command with --keep')
}

/** Nothing could be judged, so there is nothing to look up or to try again alone. */
function nothingSeen({ findings }: RunRecord): boolean {
  return findings.every(({ verdict }) => verdict === 'inconclusive' || verdict === 'not-applicable')
}

function startedByUs({ configuration }: RunRecord): boolean {
  return recordOf(configuration['target'])['command'] !== undefined
}

/** What was declared takes checks away: each reason once, with how many it takes. */
function printNotApplicable(terminal: Terminal, { findings }: RunRecord): void {
  const reasons = new Map<string, number>()
  for (const { verdict, message } of findings)
    if (verdict === 'not-applicable') reasons.set(message, (reasons.get(message) ?? 0) + 1)
  if (reasons.size === 0) return
  terminal.line()
  for (const [reason, count] of [...reasons].slice(0, listed)) {
    const checks = count === 1 ? '1 check does' : `${count} checks do`
    terminal.line(
      wrapped(
        `${checks} not apply: ${printable(reason, 300)}`,
        terminal.width,
        '  ',
        `${verdictMarks['not-applicable']} `,
      ),
    )
  }
  printRest(terminal, reasons.size - listed)
}

/** What else failed in the scenario of the failure without which most cannot be judged: mostly more of the same. */
function besideTheCause({ failures, unjudged }: Told): readonly Problem[] {
  const [cause] = unjudged.flatMap(({ until }) =>
    until && 'requirement' in until
      ? failures.filter(({ finding }) => finding.requirement === until.requirement)
      : [],
  )
  if (!cause) return []
  return failures.filter(
    (each) => each !== cause && each.finding.scenario === cause.finding.scenario,
  )
}

/** What was observed in the same words as in a failure before it, where something else was expected to cause it. */
function foundLikewise({ failures }: Told): readonly Problem[] {
  const observed = ({ finding: { expected, actual } }: Problem): string =>
    JSON.stringify([expected, actual])
  return failures.filter(
    (each, index) =>
      each.finding.actual !== undefined &&
      failures.slice(0, index).some((before) => observed(before) === observed(each)),
  )
}

/** In short, with what to do about it. */
function printBrief(terminal: Terminal, brief: readonly Problem[], record: RunRecord): void {
  if (brief.length === 0) return
  terminal.line()
  terminal.line('Found in the same way, perhaps with the same cause; the report shows details:')
  for (const [place, each] of brief.entries()) {
    const { requirement } = each.finding
    printShort(terminal, each)
    // What breaks the same requirement is mended in the same way.
    if (brief[place + 1]?.finding.requirement === requirement) continue
    printMend(terminal, requirement, record)
  }
}

function printMend(terminal: Terminal, requirement: string, { requirements }: RunRecord): void {
  const { mend } = requirements.find(({ id }) => id === requirement) ?? {}
  if (mend !== undefined) terminal.line(`  to fix       ${mend}`)
}

/** One line: against which requirement, where, and what was found. */
function printShort(terminal: Terminal, { finding, also }: Problem): void {
  const { requirement, message, verdict, scenario } = finding
  const where = also.length > 0 ? `${also.length + 1} scenarios` : scenario
  printHead(terminal, verdict, `${requirement} (${where}): ${printable(message, 300)}`)
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

/** In short beside failures, which are mended first. */
function printWarnings(terminal: Terminal, { failures, warnings }: Told, record: RunRecord): void {
  if (failures.length === 0) return warnings.forEach((each) => printWarning(terminal, each, record))
  if (warnings.length > 0) terminal.line()
  for (const each of warnings) printShort(terminal, each)
}

function printWarning(terminal: Terminal, { finding, also }: Problem, record: RunRecord): void {
  const { requirement, scenario, keyword, basis, source, message, expected, actual } = finding
  terminal.line()
  printHead(terminal, 'warn', printable(message, 600))
  terminal.line(`  requirement  ${requirement} (${keyword}, ${basis}, ${source})`)
  const seenIn = [scenario, ...some(also)].join(', ')
  terminal.line(wrapped(seenIn, terminal.width, indent, '  scenario     '))
  if (expected !== undefined) terminal.line(`  expected     ${printable(expected, 300)}`)
  if (actual !== undefined) terminal.line(`  found        ${printable(actual, 300)}`)
  printMend(terminal, requirement, record)
}

/** In short: once the twin works, most of them will be different, or gone. */
function printConsequences(terminal: Terminal, { consequences }: Told): void {
  if (consequences.length === 0) return
  terminal.line()
  terminal.line(
    'Found where the undisturbed situation did not work either; perhaps a consequence of that:',
  )
  for (const each of consequences.slice(0, causes)) printShort(terminal, each)
  printRest(terminal, consequences.length - causes)
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

/** Decides the exit code of a run and says why in one sentence. */

import { unproven, type Finding } from '../../harness/engine/index.ts'
import { knownReason, type RunRecord, type UnfinishedRecord } from '../../reports/index.ts'
import { exitCodes, signalCodes, type EndingSignal } from './exit-codes.ts'

/** So many requirements without proof are named. */
const named = 3

/** An implementation that broke a requirement has failed, even where the harness had trouble elsewhere. */
export function decideExit(
  record: UnfinishedRecord,
  {
    signal,
    unreachable,
  }: { readonly signal: EndingSignal | undefined; readonly unreachable: string | undefined },
): RunRecord['exit'] {
  const { findings, failures, strict, partial, baseline, counts, clockJumpMs } = record
  if (signal) return { code: signalCodes[signal], reason: `interrupted by ${signal}` }
  if (clockJumpMs !== undefined) {
    const reason = `the clock of this machine jumped by ${clockJumpMs} ms during the run`
    return { code: exitCodes.inconclusive, reason }
  }
  const unknown = findings.filter((each) => knownReason(record, each) === undefined)
  const broken = requirementsOf(unknown.filter((each) => each.verdict === 'fail')).length
  if (broken > 0) {
    return { code: exitCodes.nonConformant, reason: `${count(broken, 'requirement')} broken` }
  }
  if (failures.length > 0) {
    return {
      code: exitCodes.harnessError,
      reason: `the harness failed ${count(failures.length, 'time')}`,
    }
  }
  if (unreachable !== undefined) return { code: exitCodes.inconclusive, reason: unreachable }
  const open = requirementsOf(unproven(findings, strict).filter((each) => unknown.includes(each)))
  if (open.length > 0 || (counts.pass === 0 && findings.length === unknown.length)) {
    const proof = open.length > 0 ? withoutProof(open) : 'nothing passed'
    return { code: exitCodes.inconclusive, reason: whyNothing(record) ?? proof }
  }
  if (baseline && baseline.problems.length > 0) {
    const [first = '', ...more] = baseline.problems
    const rest = more.length > 0 ? `, and ${more.length} more` : ''
    return { code: exitCodes.baselineOutOfDate, reason: `${first}${rest}` }
  }
  const scope = partial ? ', of a part of the suite' : ''
  if (baseline && baseline.known.length > 0) {
    const known = count(baseline.known.length, 'known finding')
    return { code: exitCodes.conformant, reason: `${known} and no other${scope}` }
  }
  return {
    code: exitCodes.conformant,
    reason: `${count(requirementsOf(findings).length, 'requirement')} judged${scope}`,
  }
}

/**
 * Where nothing passed, the reason why the first scenario stopped is the reason for everything; where none was even
 * recorded, as in shards that never started, that of the first finding.
 */
function whyNothing({ counts, scenarios, findings }: UnfinishedRecord): string | undefined {
  if (counts.pass > 0) return undefined
  const stopped = scenarios.find((each) => each.outcome === 'unreached')
  if (stopped) return stopped.reason
  const recorded = scenarios.some((each) => each.transcript !== undefined)
  return recorded ? undefined : findings[0]?.message
}

/** How a run ended that nothing interrupted. */
export function exitOf(record: UnfinishedRecord): RunRecord['exit'] {
  return decideExit(record, { signal: undefined, unreachable: undefined })
}

function withoutProof(requirements: readonly string[]): string {
  const rest = requirements.length - named
  const names = requirements.slice(0, named).join(', ')
  const more = rest > 0 ? ` and ${rest} more` : ''
  return `${count(requirements.length, 'binding requirement')} without proof: ${names}${more}`
}

function requirementsOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map((each) => each.requirement))]
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** Decides the exit code of a run and says why in one sentence. */

import { isBinding } from '../harness/index.ts'
import type { RunRecord, UnfinishedRecord } from '../reports/index.ts'
import { exitCodes, signalCodes, type EndingSignal } from './exit-codes.ts'

/** An implementation that broke a requirement has failed, even where the harness had trouble elsewhere. */
export function decideExit(
  record: UnfinishedRecord,
  {
    signal,
    unreachable,
  }: { readonly signal: EndingSignal | undefined; readonly unreachable: string | undefined },
): RunRecord['exit'] {
  const { findings, failures, strict, verdict, partial, counts, scenarios } = record
  if (signal) return { code: signalCodes[signal], reason: `interrupted by ${signal}` }
  const broken = new Set(
    findings.filter((each) => each.verdict === 'fail').map((each) => each.requirement),
  )
  if (broken.size > 0) {
    return { code: exitCodes.nonConformant, reason: `${count(broken.size, 'requirement')} broken` }
  }
  if (failures.length > 0) {
    return {
      code: exitCodes.harnessError,
      reason: `the harness failed ${count(failures.length, 'time')}`,
    }
  }
  if (unreachable !== undefined) return { code: exitCodes.inconclusive, reason: unreachable }
  if (verdict === 'inconclusive') {
    const unproven = findings.filter(
      (each) => each.verdict === 'inconclusive' && isBinding(each, strict),
    )
    const open = new Set(unproven.map((each) => each.requirement)).size
    const proof =
      open > 0 ? `${count(open, 'binding requirement')} without proof` : 'nothing passed'
    // Where nothing passed, the reason why the first scenario stopped is the reason for everything.
    const stopped =
      counts.pass > 0 ? undefined : scenarios.find((each) => each.outcome === 'unreached')
    return { code: exitCodes.inconclusive, reason: stopped?.reason ?? proof }
  }
  const judged = new Set(
    findings.filter((each) => each.verdict !== 'not-applicable').map((each) => each.requirement),
  ).size
  const scope = partial ? ', of a part of the suite' : ''
  return { code: exitCodes.conformant, reason: `${count(judged, 'requirement')} judged${scope}` }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

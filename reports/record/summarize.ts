/** Sums findings up: counts by verdict, and one verdict per requirement. */

import { linksOf, runVerdict, type Finding, type Verdict } from '../../harness/engine/index.ts'
import type { Catalogue } from './catalogue.ts'
import type { RequirementRecord, RunRecord } from './run-record.ts'

/** From worst to best. What is unproven weighs more than a warning, because it might hide a failure. */
const bySeverity: readonly Verdict[] = [
  'fail',
  'inconclusive',
  'warn',
  'pass',
  'not-offered',
  'not-applicable',
]

/** The worst of several verdicts; `undefined` of none. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  return bySeverity.find((verdict) => verdicts.includes(verdict))
}

/** The verdict of a run. One during which the clock jumped proves nothing: tokens may have expired by it. */
export function verdictOf(
  findings: readonly Finding[],
  { strict, clockJumpMs }: Pick<RunRecord, 'strict' | 'clockJumpMs'>,
): RunRecord['verdict'] {
  return clockJumpMs === undefined ? runVerdict(findings, strict) : 'inconclusive'
}

/** How many findings have which verdict. */
export function countVerdicts(findings: readonly Finding[]): RunRecord['counts'] {
  const counts = {
    pass: 0,
    fail: 0,
    warn: 0,
    inconclusive: 0,
    'not-offered': 0,
    'not-applicable': 0,
  }
  for (const { verdict } of findings) counts[verdict] += 1
  return counts
}

/** One row per requirement of the catalogue, excluded ones included. */
export function summarizeRequirements(
  { requirements, specification }: Catalogue,
  findings: readonly Finding[],
): RequirementRecord[] {
  return requirements.map(
    ({ id, keyword, basis, source, since, appliesTo, text, mend, excluded }) => {
      const own = findings.filter((finding) => finding.requirement === id)
      const judged = worstVerdict(own.map((finding) => finding.verdict))
      return {
        id,
        keyword,
        basis,
        source,
        links: linksOf(source, specification),
        ...(since === undefined ? {} : { since }),
        ...(appliesTo === undefined ? {} : { appliesTo }),
        text,
        ...(mend === undefined ? {} : { mend }),
        verdict: excluded === undefined ? (judged ?? 'not-judged') : 'excluded',
        ...(excluded === undefined ? {} : { excluded }),
        scenarios: [...new Set(own.map((finding) => finding.scenario))],
      }
    },
  )
}

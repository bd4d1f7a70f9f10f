/** Sums findings up: counts by verdict, and one verdict per requirement. */

import type { Finding, Requirement, Verdict } from '../harness/index.ts'
import type { RequirementRecord, RunRecord } from './run-record.ts'

/** From worst to best. What is unproven weighs more than a warning, because it might hide a failure. */
const bySeverity: readonly Verdict[] = ['fail', 'inconclusive', 'warn', 'pass', 'not-applicable']

/** The worst of several verdicts; `undefined` of none. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  return bySeverity.find((verdict) => verdicts.includes(verdict))
}

export function countVerdicts(findings: readonly Finding[]): RunRecord['counts'] {
  const counts = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0 }
  for (const { verdict } of findings) counts[verdict] += 1
  return counts
}

/** One row per requirement of the catalogue, excluded ones included. */
export function summarizeRequirements(
  requirements: readonly Requirement[],
  findings: readonly Finding[],
): RequirementRecord[] {
  return requirements.map(({ id, keyword, basis, source, text, excluded }) => {
    const own = findings.filter((finding) => finding.requirement === id)
    const judged = worstVerdict(own.map((finding) => finding.verdict))
    return {
      id,
      keyword,
      basis,
      source,
      text,
      verdict: excluded === undefined ? (judged ?? 'not-judged') : 'excluded',
      ...(excluded === undefined ? {} : { excluded }),
      scenarios: [...new Set(own.map((finding) => finding.scenario))],
    }
  })
}

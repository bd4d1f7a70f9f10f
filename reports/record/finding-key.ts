/** Tells the findings of a run apart, so that two runs, or two judgements of one run, can be compared. */

import type { Finding } from '../../harness/engine/index.ts'

/** By requirement, scenario and title; a scenario that judges the same thing again has a number, in its own order. */
export function findingsByKey(findings: readonly Finding[]): Map<string, Finding> {
  const times = new Map<string, number>()
  return new Map(
    findings.map((finding) => {
      const same = `${finding.requirement} in ${finding.scenario}: ${finding.title}`
      const nth = (times.get(same) ?? 0) + 1
      times.set(same, nth)
      return [nth === 1 ? same : `${same} (${nth})`, finding]
    }),
  )
}

/** Finds checks whose verdict differs between runs of the same implementation. */

import type { Finding, Verdict } from '../../harness/engine/index.ts'
import { findingsByKey } from '../../reports/index.ts'

export interface FlakyCheck {
  readonly requirement: string
  readonly scenario: string
  readonly title: string
  /** Numbers of the repetitions that ended with each verdict, from 1. */
  readonly verdicts: Readonly<Partial<Record<Verdict | 'missing', readonly number[]>>>
}

/** Compares check by check. */
export function findFlaky(runs: readonly (readonly Finding[])[]): FlakyCheck[] {
  const keyed = runs.map(findingsByKey)
  const checks = new Map(keyed.toReversed().flatMap((run) => [...run]))
  return [...checks].flatMap(([key, { requirement, scenario, title }]) => {
    const verdicts: Partial<Record<Verdict | 'missing', number[]>> = {}
    for (const [index, run] of keyed.entries()) {
      const verdict = run.get(key)?.verdict ?? 'missing'
      verdicts[verdict] = [...(verdicts[verdict] ?? []), index + 1]
    }
    return Object.keys(verdicts).length > 1 ? [{ requirement, scenario, title, verdicts }] : []
  })
}

/** What a defect is expected to do to the verdicts, and what was measured. */

import type { Finding } from '../../harness/index.ts'

/** What the vendor of such a tool would have to configure. */
export interface Overlay {
  readonly redirectMatching?: 'exact' | 'ignore-query'
}

export interface Expectation {
  /** Requirements of which at least one check must fail or warn. */
  readonly turns: readonly string[]
  /** Further requirements of which a check may stay without proof, because the defect is in the way. */
  readonly unproven?: readonly string[]
  readonly configuration?: Overlay
}

/** One check: a requirement as it is judged in one scenario. */
export interface CheckName {
  readonly requirement: string
  readonly scenario: string
}

/** The checks whose verdict is not that of the clean tool. */
export interface Measured {
  readonly turned: readonly CheckName[]
  readonly unproven: readonly CheckName[]
}

export function measure(findings: readonly Finding[]): Measured {
  const named = findings.map(({ requirement, scenario, verdict }) => ({
    check: { requirement, scenario },
    verdict,
  }))
  const having = (...verdicts: readonly string[]): CheckName[] =>
    named.filter(({ verdict }) => verdicts.includes(verdict)).map(({ check }) => check)
  return {
    turned: having('fail', 'warn'),
    unproven: having('inconclusive', 'not-applicable'),
  }
}

/** Each name once, in the order of the alphabet. */
export function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en'))
}

/** Measured in the terms of an {@link Expectation}: a requirement that turned is not unproven, too. */
export function summarise({ turned, unproven }: Measured) {
  const turns = sorted(turned.map(({ requirement }) => requirement))
  const left = sorted(unproven.map(({ requirement }) => requirement))
  return { turns, unproven: left.filter((requirement) => !turns.includes(requirement)) }
}

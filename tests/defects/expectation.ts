/** What a defect is expected to do to the verdicts, and what was measured. */

import type { AnyProfile, Finding } from '../../harness/index.ts'

export interface Expectation {
  /** Requirements of which at least one check must fail or warn. */
  readonly turns: readonly string[]
  /** Further requirements of which a check may stay without proof, because the defect is in the way. */
  readonly unproven?: readonly string[]
  /** What the vendor of such an implementation would configure otherwise. */
  readonly configuration?: Readonly<Record<string, unknown>>
}

/** One check: a requirement as it is judged in one scenario. */
export interface CheckName {
  readonly requirement: string
  readonly scenario: string
}

/** `scenario: requirement`, without the part of the requirement's id that the whole profile shares. */
export function nameOf({ requirement, scenario }: CheckName): string {
  return `${scenario}: ${requirement.replace(/^.*\//, '')}`
}

/** The names of checks, in the order of the alphabet. */
export function namesOf(checks: readonly CheckName[]): string[] {
  return checks.map(nameOf).sort((a, b) => a.localeCompare(b, 'en'))
}

/** The checks whose verdict is not that of the clean implementation. */
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

/** Measured in the terms of an {@link Expectation}: a requirement that turned is not unproven, too. */
export function summarise({ turned, unproven }: Measured) {
  return described({
    turns: turned.map(({ requirement }) => requirement),
    unproven: unproven.map(({ requirement }) => requirement),
  })
}

/** An expectation in the form of {@link summarise}, each name once and in the order of the alphabet. */
export function described({ turns, unproven = [] }: Expectation) {
  return {
    turns: sorted(turns),
    unproven: sorted(unproven.filter((requirement) => !turns.includes(requirement))),
  }
}

/**
 * Whether nothing but proof is missing: whatever fails or warns should, whatever should and does not is without proof,
 * and so is more than expected.
 */
export function lacksProof(
  found: Measured,
  expectation: Expectation,
  killed: readonly string[] = namesOf(found.turned),
): boolean {
  const [turned, unproven] = [namesOf(found.turned), namesOf(found.unproven)]
  const { turns, unproven: requirements } = summarise(found)
  const expected = described(expectation)
  const decided = [...turns, ...requirements]
  return (
    turned.every((name) => killed.includes(name)) &&
    killed.every((name) => turned.includes(name) || unproven.includes(name)) &&
    turns.every((requirement) => expected.turns.includes(requirement)) &&
    [...expected.turns, ...expected.unproven].every((each) => decided.includes(each)) &&
    (turned.length < killed.length || requirements.length > expected.unproven.length)
  )
}

/** Every check of a profile. */
export function checksOf({ scenarios }: AnyProfile): CheckName[] {
  return scenarios.flatMap(({ id, checks }) =>
    checks.map(({ requirement }) => ({ requirement, scenario: id })),
  )
}

/** Where a defect ends nearly every flow, what is left is the shorter list. */
export function judgedBut(profile: AnyProfile, proven: readonly string[]): string[] {
  return checksOf(profile)
    .map(({ requirement }) => requirement)
    .filter((requirement) => !proven.includes(requirement))
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en'))
}

/** What a variation is expected to do to the verdicts, and what was measured. */

import type { AnyProfile, Finding } from '../../harness/engine/index.ts'
import { wholeRuns } from './plan.ts'
import type { Expectation } from './role.ts'

/** One check: a requirement as it is judged in one scenario. */
export interface CheckName {
  readonly requirement: string
  readonly scenario: string
}

/** The id of a requirement without what the profile's own requirements have in common: as short as is unique. */
export function shortName({ id }: Pick<AnyProfile, 'id'>, requirement: string): string {
  return requirement.startsWith(`${id}/`) ? requirement.slice(id.length + 1) : requirement
}

/** The names of checks, `scenario: requirement`, in the order of the alphabet. */
export function namesOf(profile: Pick<AnyProfile, 'id'>, checks: readonly CheckName[]): string[] {
  return checks
    .map(({ scenario, requirement }) => `${scenario}: ${shortName(profile, requirement)}`)
    .sort((a, b) => a.localeCompare(b, 'en'))
}

/** The scenario of a check's name. */
export function scenarioOf(name: string): string {
  return name.replace(/: .*$/, '')
}

/** The checks whose verdict is not that of the clean implementation. */
export interface Measured {
  readonly turned: readonly CheckName[]
  readonly unproven: readonly CheckName[]
}

export function measure(findings: readonly Finding[]): Measured {
  const having = (...verdicts: readonly string[]): CheckName[] =>
    findings
      .filter(({ verdict }) => verdicts.includes(verdict))
      .map(({ requirement, scenario }) => ({ requirement, scenario }))
  return {
    turned: having('fail', 'warn'),
    unproven: having('inconclusive', 'not-offered', 'not-applicable'),
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

/** What differs between what a run was to show and what it showed; all lists empty: nothing. */
export interface Differences {
  /** Checks that should turn and do not. */
  readonly missing: readonly string[]
  /** Checks that turn and should not. */
  readonly extra: readonly string[]
  /** Requirements that are without proof and should not be. */
  readonly unproven: readonly string[]
  /** Requirements that should be without proof, and are proven. */
  readonly proven: readonly string[]
}

/** Everything was driven: exactly what is declared, in exactly the checks that are recorded where they are known. */
export function compareWhole(
  profile: Pick<AnyProfile, 'id'>,
  found: Measured,
  expectation: Expectation,
  killed: readonly string[] | undefined,
): Differences {
  const { varies = [] } = expectation
  const [{ turns, unproven }, expected] = [summarise(found), described(expectation)]
  const [turned, due] = killed ? [namesOf(profile, found.turned), killed] : [turns, expected.turns]
  const steady = killed ? namesOf(profile, steadyIn(found.turned, varies)) : without(turns, varies)
  return {
    missing: without(due, turned),
    extra: without(steady, due),
    unproven: without(unproven, [...expected.unproven, ...varies]),
    proven: without(expected.unproven, [...unproven, ...varies]),
  }
}

/**
 * A part was driven: of the checks of these scenarios exactly those turn that are recorded, and what stays without
 * proof is declared. What is judged of the whole run may lack proof, since most of the run is not there.
 */
export function comparePart(
  profile: AnyProfile,
  found: Measured,
  { turns, unproven = [], varies = [] }: Expectation,
  killed: readonly string[],
  scenarios: readonly string[],
): Differences {
  const turned = namesOf(profile, found.turned)
  const due = killed.filter((name) => scenarios.includes(scenarioOf(name)))
  const ofWhole = wholeRuns(profile)
  const lacking = found.unproven
    .filter(({ scenario }) => !ofWhole.includes(scenario))
    .map(({ requirement }) => requirement)
  return {
    missing: without(due, turned),
    extra: without(namesOf(profile, steadyIn(found.turned, varies)), due),
    unproven: without(sorted(lacking), [...turns, ...unproven, ...varies]),
    proven: [],
  }
}

/** Those of other requirements. */
function steadyIn(checks: readonly CheckName[], varies: readonly string[]): readonly CheckName[] {
  return checks.filter(({ requirement }) => !varies.includes(requirement))
}

/** A part was driven, and what turns in it is not recorded yet: it must be declared. */
export function compareDeclared(
  profile: AnyProfile,
  found: Measured,
  { turns, unproven = [], varies = [] }: Expectation,
): Differences {
  const declared = found.turned.filter(({ requirement }) => turns.includes(requirement))
  const names = namesOf(profile, declared)
  const scenarios = declared.map(({ scenario }) => scenario)
  return comparePart(profile, found, { turns, unproven, varies }, names, scenarios)
}

/** Whether nothing differs. */
export function agree(differences: Differences): boolean {
  return Object.values(differences).every((names: readonly string[]) => names.length === 0)
}

/**
 * Whether nothing but proof is missing: whatever fails or warns should, and whatever should and does not is without
 * proof.
 */
export function lacksProof(
  profile: Pick<AnyProfile, 'id'>,
  { unproven }: Measured,
  { missing, extra, proven, unproven: more }: Differences,
): boolean {
  const undecided = namesOf(profile, unproven)
  return (
    extra.length === 0 &&
    proven.length === 0 &&
    missing.every((name) => undecided.includes(name)) &&
    missing.length + more.length > 0
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

/** Each once, in the order of the alphabet. */
export function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en'))
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name))
}

/** Which scenarios a variation of a reference implementation is driven through. */

import { createHash } from 'node:crypto'
import { findScenario, type AnyProfile } from '../../harness/engine/index.ts'
import type { Role } from './role.ts'

/** How many scenarios are driven although nothing is known of them, for each variation. */
const rotating = 1

/**
 * The gate, the given scenarios, one other that the seed chooses, and, where nothing is given but those that judge the
 * whole run, what these rest on; each with its controls, in the order of the profile.
 */
export function focusOn(
  { profile, settings }: Pick<Role, 'profile' | 'settings'>,
  scenarios: readonly string[],
  seed: string,
): readonly string[] {
  const ofWhole = new Set(wholeRuns(profile))
  const onlyWhole = scenarios.length > 0 && scenarios.every((id) => ofWhole.has(id))
  const known = [profile.gate.scenario, ...scenarios, ...(onlyWhole ? settings.restsOn : [])]
  const others = profile.scenarios
    .map(({ id }) => id)
    .filter((id) => !known.includes(id) && !ofWhole.has(id))
    .sort((a, b) => rank(seed, a).localeCompare(rank(seed, b)))
  return inOrder(profile, [...known, ...others.slice(0, rotating)])
}

/** Each with its controls, in the order of the profile. */
function inOrder(profile: AnyProfile, scenarios: readonly string[]): readonly string[] {
  const driven = new Set(scenarios.flatMap((id) => withControls(profile, id)))
  return profile.scenarios.map(({ id }) => id).filter((id) => driven.has(id))
}

/**
 * The gate and the given scenarios that the profile has, each with its controls; nothing where it has none of them.
 *
 * @throws RangeError for a scenario that judges the whole run: that rests on all others
 */
export function driveOnly(profile: AnyProfile, scenarios: readonly string[]): readonly string[] {
  const its = scenarios.filter((id) => profile.scenarios.some((each) => each.id === id))
  const whole = its.find((id) => wholeRuns(profile).includes(id))
  if (whole) throw new RangeError(`${whole} judges what all other scenarios recorded: use --full`)
  return its.length === 0 ? [] : inOrder(profile, [profile.gate.scenario, ...its])
}

/** The scenarios that judge what all others recorded. */
export function wholeRuns({ scenarios }: AnyProfile): readonly string[] {
  return scenarios.filter(({ after }) => after === 'all').map(({ id }) => id)
}

/** A control may have a control. */
function withControls(profile: AnyProfile, id: string): string[] {
  const { control } = findScenario(profile, id)
  return control === undefined ? [id] : [id, ...withControls(profile, control)]
}

function rank(seed: string, id: string): string {
  return createHash('sha256').update(`${seed} ${id}`).digest('hex')
}

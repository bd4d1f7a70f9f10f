/** Gives the scenarios of this profile their types. */

import type { Check, Scenario } from '../../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { Fixtures } from '../test-bed.ts'

export { challenged, retried } from '../view.ts'

export type ServerScenario = Scenario<Fixtures, Declared>
export type Judge = Check<Declared>['judge']

export function scenario(definition: ServerScenario): ServerScenario {
  return definition
}

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** The gate, and the undisturbed twin of everything else. */
export const control = 'challenged-then-served'

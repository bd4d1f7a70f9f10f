/** Gives the scenarios of this profile their types. */

import type { Scenario } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { Fixtures } from '../../test-bed.ts'

export type PlannerScenario = Scenario<Fixtures, Declared>

export function scenario(definition: PlannerScenario): PlannerScenario {
  return definition
}

/** The gate, and the undisturbed twin of nearly everything else. */
export const control = 'authorize-and-complete'

/** Gives the scenarios of this profile their types. */

import type { Scenario } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { ManagerFixtures } from '../fixtures.ts'

export type ManagerScenario = Scenario<ManagerFixtures, Declared>

export function scenario(definition: ManagerScenario): ManagerScenario {
  return definition
}

/** The gate, and the undisturbed twin of nearly everything else. */
export const control = 'authorize-and-complete'

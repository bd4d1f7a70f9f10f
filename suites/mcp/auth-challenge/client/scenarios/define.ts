/** Gives the scenarios of this profile their types. */

import type { Scenario } from '../../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { Fixtures } from '../test-bed.ts'

export type ClientScenario = Scenario<Fixtures, Declared>

export function scenario(definition: ClientScenario): ClientScenario {
  return definition
}

/** The gate, and the undisturbed twin of nearly everything else. */
export const control = 'array'

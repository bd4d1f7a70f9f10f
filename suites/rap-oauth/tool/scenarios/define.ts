/** Gives the scenarios of this profile their types. */

import type { Scenario } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { Fixtures } from '../test-bed.ts'

export type ToolScenario = Scenario<Fixtures, Declared>

export function scenario(definition: ToolScenario): ToolScenario {
  return definition
}

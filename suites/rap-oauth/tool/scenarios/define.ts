/** Gives the scenarios of this profile their types. */

import type { Scenario } from '../../../../harness/index.ts'
import type { Declared } from '../configuration.ts'
import type { World } from '../world.ts'

export type ToolScenario = Scenario<World, Declared>

export function scenario(definition: ToolScenario): ToolScenario {
  return definition
}

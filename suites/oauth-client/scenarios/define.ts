/** Gives the scenarios of OAuth clients their types. */

import type { Scenario } from '../../../harness/engine/index.ts'
import type { ClientFixtures } from '../handoff.ts'
import type { ClientDeclared } from '../declarations.ts'

export type ClientScenario = Scenario<ClientFixtures, ClientDeclared>

export function scenario(definition: ClientScenario): ClientScenario {
  return definition
}

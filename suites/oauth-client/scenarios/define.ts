/** Gives the scenarios of OAuth clients their types. */

import type { Scenario } from '../../../harness/engine/index.ts'
import type { ClientDeclared, ClientFixtures } from '../handoff.ts'

export type ClientScenario = Scenario<ClientFixtures, ClientDeclared>

export function scenario(definition: ClientScenario): ClientScenario {
  return definition
}

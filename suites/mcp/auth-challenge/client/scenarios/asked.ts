/** What of the shared scenarios this profile asks. */

import type { Check } from '../../../../../harness/engine/index.ts'
import type { ClientScenario as SharedScenario } from '../../../../oauth-client/scenarios/index.ts'
import type { ClientDeclared } from '../../../../oauth-client/declarations.ts'
import { sharedRows } from '../requirements/shared.ts'
import type { ClientScenario } from './define.ts'

const ids = sharedRows.map(({ id }) => id)

/** The checks of rows that stand in the catalogue. */
export function asked(checks: readonly Check<ClientDeclared>[]): readonly Check<ClientDeclared>[] {
  return checks.filter(({ requirement }) => ids.includes(requirement))
}

/** The scenarios with such checks. */
export function askedScenarios(scenarios: readonly SharedScenario[]): readonly ClientScenario[] {
  return scenarios
    .map((each) => ({ ...each, checks: asked(each.checks) }))
    .filter(({ checks }) => checks.length > 0)
}

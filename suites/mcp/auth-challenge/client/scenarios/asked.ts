/** What of the shared scenarios this profile asks. */

import type { ClientScenario as SharedScenario } from '../../../../oauth-client/scenarios/index.ts'
import { sharedRows } from '../requirements/shared.ts'
import type { ClientScenario } from './define.ts'
import { unlessWithoutState, type SharedCheck } from './without-state.ts'

const ids = sharedRows.map(({ id }) => id)

/** The checks of rows that stand in the catalogue. */
export function asked(checks: readonly SharedCheck[]): readonly SharedCheck[] {
  return checks
    .filter(({ requirement }) => ids.includes(requirement))
    .map((each) => unlessWithoutState(each))
}

/** The scenarios with such checks. */
export function askedScenarios(scenarios: readonly SharedScenario[]): readonly ClientScenario[] {
  return scenarios
    .map((each) => ({ ...each, checks: asked(each.checks) }))
    .filter(({ checks }) => checks.length > 0)
}

/** Every scenario of the profile. */

import { authorizeAndComplete } from './authorize-and-complete.ts'
import type { PlannerScenario } from './define.ts'
import { apiFails } from './failing-api.ts'
import { laterRunScenarios } from './later-runs.ts'
import { resumingScenarios } from './resuming.ts'
import { severalScenarios } from './several.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly PlannerScenario[] = [
  authorizeAndComplete,
  ...resumingScenarios,
  ...severalScenarios,
  ...laterRunScenarios,
  apiFails,
  wholeRun,
]

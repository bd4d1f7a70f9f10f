/** Every scenario of the profile. */

import { approve, callbackScenarios } from './approve.ts'
import type { ClientScenario } from './define.ts'
import { noOptions } from './no-options.ts'
import { fixedPort, optionScenarios } from './options.ts'
import { unsafeUrlScenarios } from './unsafe-urls.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ClientScenario[] = [
  approve,
  ...callbackScenarios,
  ...optionScenarios,
  fixedPort,
  noOptions,
  ...unsafeUrlScenarios,
  wholeRun,
]

/** Every scenario of the profile. */

import { approve, callbackScenarios } from './approve.ts'
import { laterRequestScenarios } from './asked-again.ts'
import type { ClientScenario } from './define.ts'
import { noOptions } from './no-options.ts'
import { fixedPort, optionScenarios } from './options.ts'
import { strayScenarios } from './strays.ts'
import { twoServers } from './two-servers.ts'
import { unsafeUrlScenarios } from './unsafe-urls.ts'
import { urlScenarios } from './urls.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ClientScenario[] = [
  approve,
  ...callbackScenarios,
  ...laterRequestScenarios,
  ...urlScenarios,
  ...strayScenarios,
  twoServers,
  ...optionScenarios,
  fixedPort,
  noOptions,
  ...unsafeUrlScenarios,
  wholeRun,
]

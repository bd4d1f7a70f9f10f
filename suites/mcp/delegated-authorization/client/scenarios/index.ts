/** Every scenario of the profile, the one that waits long first so that its waiting overlaps with the rest. */

import { approve, callbackScenarios } from './approve.ts'
import { laterRequestScenarios } from './asked-again.ts'
import type { ClientScenario } from './define.ts'
import { noOptions } from './no-options.ts'
import {
  fixedPort,
  firstIfSupportedScenarios,
  optionScenarios,
  ownSecond,
  soleOptionScenarios,
} from './options.ts'
import { strayScenarios } from './strays.ts'
import { thinkingUser } from './thinking-user.ts'
import { bothAsk, strayOfAnotherServer, twoServers } from './two-servers.ts'
import { unsafeUrlScenarios } from './unsafe-urls.ts'
import { urlScenarios } from './urls.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ClientScenario[] = [
  approve,
  thinkingUser,
  ...callbackScenarios,
  ...laterRequestScenarios,
  ...urlScenarios,
  ...strayScenarios,
  twoServers,
  strayOfAnotherServer,
  bothAsk,
  ...optionScenarios,
  ...soleOptionScenarios,
  ...firstIfSupportedScenarios,
  ownSecond,
  fixedPort,
  noOptions,
  ...unsafeUrlScenarios,
  wholeRun,
]

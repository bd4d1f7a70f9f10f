/** Every scenario of the profile, those that need an instance of their own first so that their start overlaps with the rest. */

import { authorizeAndComplete } from './authorize-and-complete.ts'
import { callbackScenarios } from './callbacks.ts'
import { clockScenarios } from './clocks.ts'
import type { ManagerScenario } from './define.ts'
import { noLife } from './exchanges.ts'
import {
  authorizationRequests,
  exchangeErrorScenarios,
  forgedCallbackScenarios,
  impostorScenarios,
  issuerScenarios,
  replayAfterRestart,
  reusedCallbackScenarios,
  stateAlteredAfterDenial,
  tokenScenarios,
  unusableTokenScenarios,
} from './oauth-client.ts'
import { requestScenarios } from './requests.ts'
import { severalScenarios } from './several.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ManagerScenario[] = [
  authorizeAndComplete,
  ...clockScenarios,
  ...requestScenarios,
  ...severalScenarios,
  ...tokenScenarios,
  ...replayAfterRestart,
  ...callbackScenarios,
  noLife,
  ...exchangeErrorScenarios,
  ...unusableTokenScenarios,
  ...forgedCallbackScenarios,
  ...reusedCallbackScenarios,
  ...stateAlteredAfterDenial,
  ...impostorScenarios,
  ...issuerScenarios,
  ...authorizationRequests,
  wholeRun,
]

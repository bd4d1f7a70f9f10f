/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import {
  accessTokenScenarios,
  expiredAfterUse,
  flawedTokenScenarios,
  ownSessionScenarios,
} from './access-tokens.ts'
import { approve } from './approve.ts'
import { noCapability } from './capability.ts'
import type { ServerScenario } from './define.ts'
import { forgedAtOptionScenarios } from './forged-at-option.ts'
import {
  authorizationErrorScenarios,
  authorizationRequests,
  exchangeErrorScenarios,
  forgedCallbackScenarios,
  impostorScenarios,
  issuerScenarios,
  namesakeScenarios,
  renewedFlowScenarios,
  stateAlteredAfterDenial,
  refreshingScenarios,
  resourceErrorScenarios,
  reusedCallbackScenarios,
  tokenScenarios,
  unusableTokenScenarios,
} from './oauth-client.ts'
import { redirectScenarios } from './redirects.ts'
import { refusalScenarios } from './refusals.ts'
import { twoCallsAtOnce } from './two-calls-at-once.ts'
import { twoSessions } from './two-sessions.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ServerScenario[] = [
  approve,
  ...refreshingScenarios,
  ...tokenScenarios,
  expiredAfterUse,
  ...refusalScenarios,
  noCapability,
  twoSessions,
  twoCallsAtOnce,
  ...accessTokenScenarios,
  ...flawedTokenScenarios,
  ...ownSessionScenarios,
  ...redirectScenarios,
  ...exchangeErrorScenarios,
  ...unusableTokenScenarios,
  ...resourceErrorScenarios,
  ...forgedCallbackScenarios,
  ...forgedAtOptionScenarios,
  ...stateAlteredAfterDenial,
  ...renewedFlowScenarios,
  ...namesakeScenarios,
  ...reusedCallbackScenarios,
  ...impostorScenarios,
  ...issuerScenarios,
  ...authorizationErrorScenarios,
  ...authorizationRequests,
  wholeRun,
]

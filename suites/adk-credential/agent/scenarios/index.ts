/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import { alteredAnswerScenarios } from './altered-answers.ts'
import { consentAndComplete } from './consent-and-complete.ts'
import { credentialKeyScenarios } from './credential-keys.ts'
import { callbackOfAnother, callbackOfAnotherRequest } from './callbacks-of-others.ts'
import type { AgentScenario } from './define.ts'
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
  replayAfterRestart,
  resourceErrorScenarios,
  reusedCallbackScenarios,
  tokenScenarios,
  unusableTokenScenarios,
} from './oauth-client.ts'
import { flowOfAnotherUser } from './flow-of-another-user.ts'
import { laterFlowScenarios } from './later-flow.ts'
import { lawfulCallbacks } from './lawful-callbacks.ts'
import { malformedAnswers } from './malformed-answers.ts'
import { outcomeScenarios } from './outcomes.ts'
import { pausingScenarios } from './pausing.ts'
import { restartScenarios } from './restart-while-pending.ts'
import { severalScenarios } from './several.ts'
import { twoArguments, twoPauses, twoSessions } from './two-pauses.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly AgentScenario[] = [
  consentAndComplete,
  ...refreshingScenarios,
  ...tokenScenarios,
  ...replayAfterRestart,
  ...restartScenarios,
  ...laterFlowScenarios,
  ...pausingScenarios,
  ...alteredAnswerScenarios,
  callbackOfAnother,
  callbackOfAnotherRequest,
  malformedAnswers,
  ...outcomeScenarios,
  ...severalScenarios,
  ...credentialKeyScenarios,
  twoPauses,
  twoSessions,
  twoArguments,
  flowOfAnotherUser,
  ...lawfulCallbacks,
  ...exchangeErrorScenarios,
  ...unusableTokenScenarios,
  ...resourceErrorScenarios,
  ...forgedCallbackScenarios,
  ...reusedCallbackScenarios,
  ...impostorScenarios,
  ...issuerScenarios,
  ...stateAlteredAfterDenial,
  ...renewedFlowScenarios,
  ...namesakeScenarios,
  ...authorizationErrorScenarios,
  ...authorizationRequests,
  wholeRun,
]

/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import { acknowledgementScenarios } from './acknowledgements.ts'
import {
  authorizeAndComplete,
  talkWhilePending,
  talkWhileRunning,
} from './authorize-and-complete.ts'
import { authorizedTwice } from './authorized-twice.ts'
import { cancellationScenarios } from './cancellation.ts'
import {
  argumentsOfEveryKind,
  completeWithoutOAuth,
  sameCallAgain,
} from './complete-without-oauth.ts'
import { concurrencyScenarios } from './concurrency.ts'
import type { RuntimeScenario } from './define.ts'
import { forgedAuthorizationScenarios } from './forged-authorizations.ts'
import { forgedResultScenarios, malformedBodyScenarios } from './forged-callbacks.ts'
import { leavingScenarios } from './leaving.ts'
import { modelFacingScenarios } from './model-facing-results.ts'
import { nearlyRightScenarios } from './nearly-right-results.ts'
import { oauthFormScenarios } from './oauth-forms.ts'
import { overtakenScenarios } from './overtaken.ts'
import { pendingForLong } from './pending-for-long.ts'
import { refusedToolsetScenarios } from './refused-toolsets.ts'
import { repetitionScenarios } from './repetitions.ts'
import { restartScenarios } from './restarts.ts'
import { resultFormScenarios } from './result-forms.ts'
import { resultScenarios } from './results.ts'
import { timedOutAfterRestart } from './timeout-after-restart.ts'
import { timedOut } from './timeout.ts'
import { toolsetScenarios } from './fresh-toolsets.ts'
import { urlScenarios } from './urls.ts'
import { userScenarios } from './users.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly RuntimeScenario[] = [
  authorizeAndComplete,
  timedOut,
  timedOutAfterRestart,
  pendingForLong,
  ...restartScenarios,
  ...cancellationScenarios,
  ...leavingScenarios,
  completeWithoutOAuth,
  argumentsOfEveryKind,
  sameCallAgain,
  talkWhileRunning,
  talkWhilePending,
  authorizedTwice,
  ...concurrencyScenarios,
  ...userScenarios,
  ...toolsetScenarios,
  ...refusedToolsetScenarios,
  ...resultFormScenarios,
  ...oauthFormScenarios,
  ...resultScenarios,
  ...modelFacingScenarios,
  ...repetitionScenarios,
  ...acknowledgementScenarios,
  ...overtakenScenarios,
  ...forgedResultScenarios,
  ...nearlyRightScenarios,
  ...malformedBodyScenarios,
  ...forgedAuthorizationScenarios,
  ...urlScenarios,
  wholeRun,
]

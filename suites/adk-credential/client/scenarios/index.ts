/** Every scenario of the profile, those that wait first so that their waiting overlaps with the rest. */

import {
  agentError,
  callbacksAtOnce,
  denied,
  deniedBefore,
  doubleCallback,
  doubleDenial,
  failedAtProvider,
  foreignDenial,
  foreignState,
  foreignStatesAlike,
  missingState,
  missingStateDenial,
  talkWhilePending,
} from './callbacks.ts'
import { consentAndComplete } from './consent-and-complete.ts'
import type { ClientScenario } from './define.ts'
import { markupScenarios } from './markup.ts'
import {
  presetRedirect,
  presetRedirectWithQuery,
  requestForms,
  requestInAnswer,
  twoRequests,
} from './requests.ts'
import { twoUsers, usersOfOtherCase } from './two-users.ts'
import { unsafeUris } from './unsafe-uris.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ClientScenario[] = [
  consentAndComplete,
  ...unsafeUris,
  talkWhilePending,
  foreignState,
  ...foreignStatesAlike,
  foreignDenial,
  missingState,
  missingStateDenial,
  doubleCallback,
  doubleDenial,
  callbacksAtOnce,
  agentError,
  presetRedirect,
  presetRedirectWithQuery,
  twoRequests,
  requestInAnswer,
  twoUsers,
  usersOfOtherCase,
  denied,
  deniedBefore,
  failedAtProvider,
  ...markupScenarios,
  ...requestForms,
  wholeRun,
]

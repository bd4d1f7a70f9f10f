/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import { accept, secondServer } from './accept.ts'
import { askedAgainScenarios } from './asked-again.ts'
import { askedTwiceScenarios } from './asked-twice.ts'
import { bothAsk } from './both-servers-ask.ts'
import type { ClientScenario } from './define.ts'
import { hostBehindUser } from './host-behind-user.ts'
import { longUrl } from './long-url.ts'
import { modeLeftOutScenarios, undeclaredMode } from './modes.ts'
import { modernScenarios } from './modern.ts'
import { modernTwoCalls } from './modern-two-calls.ts'
import { refusalScenarios } from './refusals.ts'
import {
  completeNever,
  errorCompleteUnknown,
  errorDeclined,
  errorForEver,
  errorPath,
} from './required-error.ts'
import { errorRetried } from './required-error-retried.ts'
import { errorRequiresTwo } from './required-error-two.ts'
import { twoAtOnceScenarios } from './two-at-once.ts'
import {
  completeEarly,
  completeTwice,
  completeUnknown,
  inputEnds,
  thinkingUser,
} from './unanswered.ts'
import { unsafeUrlScenarios } from './unsafe-urls.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ClientScenario[] = [
  accept,
  thinkingUser,
  inputEnds,
  errorCompleteUnknown,
  errorPath,
  errorDeclined,
  errorForEver,
  errorRequiresTwo,
  errorRetried,
  completeNever,
  completeTwice,
  completeUnknown,
  completeEarly,
  ...modernScenarios,
  modernTwoCalls,
  ...refusalScenarios,
  ...twoAtOnceScenarios,
  ...askedTwiceScenarios,
  ...unsafeUrlScenarios,
  hostBehindUser,
  longUrl,
  ...modeLeftOutScenarios,
  undeclaredMode,
  secondServer,
  bothAsk,
  ...askedAgainScenarios,
  wholeRun,
]

/** Every scenario of the profile. */

import {
  challengedAfterUse,
  challengedForScope,
  challengedWhenExpired,
} from './challenged-again.ts'
import { challengedThenServed } from './challenged-then-served.ts'
import type { ServerScenario } from './define.ts'
import {
  alteredAfterUse,
  flawedAfterUse,
  flawedTokenScenarios,
  similarAudiences,
  uncheckedTokens,
} from './flawed-tokens.ts'
import { forgedHostScenarios } from './forged-host.ts'
import { impostorScenarios } from './impostors.ts'
import { lowerCaseScheme } from './lower-case-scheme.ts'
import { modern, modernFlawedTokens } from './modern.ts'
import { expiredAfterUse } from './expired-after-use.ts'
import { otherCaller } from './other-caller.ts'
import { claimedUser, tokenInUrl, wordForToken } from './no-token.ts'
import { smallScope, smallScopeLater } from './small-scope.ts'
import { sessionBegunWithToken, tokenLeftOut } from './token-left-out.ts'
import { twoUsers, usersAtOnce, usersOfOtherCase } from './two-users.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ServerScenario[] = [
  challengedThenServed,
  expiredAfterUse,
  ...flawedTokenScenarios,
  similarAudiences,
  alteredAfterUse,
  flawedAfterUse,
  ...uncheckedTokens,
  ...impostorScenarios,
  tokenLeftOut,
  sessionBegunWithToken,
  lowerCaseScheme,
  smallScope,
  smallScopeLater,
  claimedUser,
  wordForToken,
  tokenInUrl,
  twoUsers,
  usersAtOnce,
  usersOfOtherCase,
  challengedWhenExpired,
  challengedForScope,
  challengedAfterUse,
  ...forgedHostScenarios,
  otherCaller,
  modern,
  modernFlawedTokens,
  wholeRun,
]

/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import {
  answeredByAnother,
  answeredByAnotherClient,
  answeredInSession,
} from './answered-by-another.ts'
import { connectAndComplete } from './connect-and-complete.ts'
import type { ServerScenario } from './define.ts'
import { linkPages, loginPages } from './login-pages.ts'
import { missingInput } from './missing-input.ts'
import { modernScenarios } from './modern.ts'
import { noUrlScenarios } from './no-url.ts'
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
  pages,
  pagesOfLastAnswers,
  refreshingScenarios,
  replayAfterRestart,
  resourceErrorScenarios,
  reusedCallbackScenarios,
  tokenScenarios,
  unusableTokenScenarios,
} from './oauth-client.ts'
import { refusalScenarios, refusedLinkScenarios } from './refusals.ts'
import { requestStateScenarios } from './request-state.ts'
import { strangerScenarios } from './strangers.ts'
import { standardOutput } from './standard-output.ts'
import {
  accessTokenScenarios,
  expiredAfterUse,
  flawedTokenScenarios,
  ownSessionScenarios,
} from './access-tokens.ts'
import { laterSession, twoSessions } from './two-sessions.ts'
import { unfinishedScenarios } from './unfinished.ts'
import { wholeRun } from './whole-run.ts'

/** Scenarios that wait for a time to run out, restart something, or watch twice. */
const slow = [
  ...refreshingScenarios,
  ...issuerScenarios,
  stateAlteredAfterDenial,
  ...renewedFlowScenarios,
  ...namesakeScenarios,
  ...tokenScenarios,
  replayAfterRestart,
  expiredAfterUse,
  ...requestStateScenarios,
  ...exchangeErrorScenarios.filter(neverAnswered),
  ...resourceErrorScenarios.filter(neverAnswered),
]

export const scenarios: readonly ServerScenario[] = [
  connectAndComplete,
  ...slow,
  ...refusalScenarios,
  ...refusedLinkScenarios,
  answeredByAnother,
  answeredByAnotherClient,
  answeredInSession,
  ...strangerScenarios,
  ...unfinishedScenarios,
  ...noUrlScenarios,
  ...accessTokenScenarios,
  ...flawedTokenScenarios,
  ...ownSessionScenarios,
  twoSessions,
  laterSession,
  ...modernScenarios,
  missingInput,
  ...exchangeErrorScenarios.filter((each) => !neverAnswered(each)),
  ...unusableTokenScenarios,
  ...resourceErrorScenarios.filter((each) => !neverAnswered(each)),
  ...forgedCallbackScenarios,
  ...reusedCallbackScenarios,
  ...impostorScenarios,
  ...authorizationErrorScenarios,
  authorizationRequests,
  pages,
  pagesOfLastAnswers,
  loginPages,
  linkPages,
  standardOutput,
  wholeRun,
]

/** Whether the implementation has to give up by itself. */
function neverAnswered({ id }: ServerScenario): boolean {
  return id.endsWith('-never-answered')
}

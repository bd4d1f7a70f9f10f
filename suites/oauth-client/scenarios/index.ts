/** Every scenario of an OAuth client, for the profiles that bind them to their handoff. */

export { authorizationErrorScenarios } from './authorization-errors.ts'
export { authorizationRequests } from './authorization-requests.ts'
export { challengesDiffer } from './challenges.ts'
export { tokensInHeaders } from './token-headers.ts'
export type { ClientScenario } from './define.ts'
export { eachAsked, forgeFirst, unlessUnreached } from './drives.ts'
export { exchangeErrorScenarios } from './exchange-errors.ts'
export { loadsNothingForeign } from './foreign-resources.ts'
export { badStates, forgedCallbackScenarios, forgedStateScenarios } from './forged-callbacks.ts'
export { forgeryReached, forgeryWindow } from './forgery.ts'
export { impostorAtApi, impostorAtRefresh, impostorScenarios } from './impostors.ts'
export { issuerScenarios, wrongIssuerReached } from './issuer.ts'
export { isOwnAnswer, isOwnPage, leakChecks, unscanned, type Place } from './leaks.ts'
export { othersDataKept, subjectsOf } from './others-data.ts'
export { namesakeScenarios } from './namesakes.ts'
export { flowPerCall, needsOwnInstance } from './needs.ts'
export { renewedFlowScenarios, stateAlteredAfterDenial } from './later-flows.ts'
export {
  address,
  escapes,
  isProbe,
  loginAnswers,
  markup,
  pages,
  pagesOfLastAnswers,
} from './pages.ts'
export { refreshingScenarios } from './refreshing.ts'
export { replayAfterRestart } from './restarts.ts'
export { reusedCallbackScenarios } from './reused-callbacks.ts'
export { resourceErrorScenarios } from './resource-errors.ts'
export { forgeryJudgesOf } from './forgery.ts'
export { asksForNoMore } from './scopes.ts'
export { arrivedStates, statesDiffer, statesDifferInRun, type StateUse } from './states.ts'
export { storedTokenJudgesOf } from './stored-token-judges.ts'
export { tokenScenarios } from './tokens.ts'
export { undisturbedChecks } from './undisturbed.ts'
export { unusableTokenScenarios } from './unusable-tokens.ts'

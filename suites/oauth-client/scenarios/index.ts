/** Every scenario of an OAuth client, for the profiles that bind them to their handoff. */

export { authorizationErrorScenarios } from './authorization-errors.ts'
export { authorizationRequests } from './authorization-requests.ts'
export { challengesDiffer } from './challenges.ts'
export { exchangeErrorScenarios } from './exchange-errors.ts'
export { forgedCallbackScenarios } from './forged-callbacks.ts'
export { issuerScenarios } from './issuer.ts'
export { isOwnAnswer, leakChecks, type Place } from './leaks.ts'
export { refreshingScenarios } from './refreshing.ts'
export { replayAfterRestart } from './restarts.ts'
export { resourceErrorScenarios } from './resource-errors.ts'
export { tokenScenarios } from './tokens.ts'
export { undisturbedChecks } from './undisturbed.ts'

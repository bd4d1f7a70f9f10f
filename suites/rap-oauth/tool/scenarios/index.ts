/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import { acknowledgementScenarios } from './acknowledgement.ts'
import { authorizeAndComplete } from './authorize-and-complete.ts'
import { badInvocationScenarios } from './bad-invocations.ts'
import { callbackDeliveryScenarios } from './callback-delivery.ts'
import { callbackIdentity } from './callback-identity.ts'
import { callerScenarios } from './callers.ts'
import { cancellationScenarios } from './cancellation.ts'
import { concurrencyScenarios } from './concurrency.ts'
import type { ToolScenario } from './define.ts'
import { deniedConsent } from './denied-consent.ts'
import { failingApi } from './failing-api.ts'
import { identifierScenarios } from './identifiers.ts'
import { insecureEndpoint } from './insecure-endpoint.ts'
import { manifest } from './manifest.ts'
import {
  authorizationErrorScenarios,
  authorizationRequests,
  exchangeErrorScenarios,
  forgedCallbackScenarios,
  impostorAtApi,
  impostorAtRefresh,
  impostorScenarios,
  issuerScenarios,
  renewedFlowScenarios,
  stateAlteredAfterDenial,
  pages,
  refreshingScenarios,
  replayAfterRestart,
  resourceErrorScenarios,
  reusedCallbackScenarios,
  tokenScenarios,
  unusableTokenScenarios,
} from './oauth-client.ts'
import { providerOutageScenarios } from './provider-outages.ts'
import { restartWhilePending } from './restart-while-pending.ts'
import { sharedFlowScenarios } from './shared-flows.ts'
import { timeoutScenarios } from './timeouts.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ToolScenario[] = [
  authorizeAndComplete,
  ...refreshingScenarios,
  ...tokenScenarios,
  ...renewedFlowScenarios,
  ...timeoutScenarios,
  restartWhilePending,
  ...callbackDeliveryScenarios,
  replayAfterRestart,
  impostorAtRefresh,
  ...callerScenarios,
  ...resourceErrorScenarios,
  ...exchangeErrorScenarios,
  ...unusableTokenScenarios,
  failingApi,
  ...acknowledgementScenarios,
  ...providerOutageScenarios,
  ...forgedCallbackScenarios,
  ...reusedCallbackScenarios,
  insecureEndpoint,
  ...impostorScenarios,
  impostorAtApi,
  ...issuerScenarios,
  stateAlteredAfterDenial,
  callbackIdentity,
  ...concurrencyScenarios,
  ...sharedFlowScenarios,
  authorizationRequests,
  ...cancellationScenarios,
  deniedConsent,
  ...authorizationErrorScenarios,
  ...identifierScenarios,
  ...badInvocationScenarios,
  pages,
  manifest,
  wholeRun,
]

/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import { acknowledgementScenarios } from './acknowledgement.ts'
import { authorizationErrorScenarios } from './authorization-errors.ts'
import { authorizationRequests } from './authorization-requests.ts'
import { authorizeAndComplete } from './authorize-and-complete.ts'
import { badInvocationScenarios } from './bad-invocations.ts'
import { callbackDeliveryScenarios } from './callback-delivery.ts'
import { callbackIdentity } from './callback-identity.ts'
import { concurrencyScenarios } from './concurrency.ts'
import type { ToolScenario } from './define.ts'
import { exchangeScenarios } from './exchange-errors.ts'
import { forgedCallbackScenarios } from './forged-callbacks.ts'
import { identifierScenarios } from './identifiers.ts'
import { issuerScenarios } from './issuer.ts'
import { manifest } from './manifest.ts'
import { pages } from './pages.ts'
import { providerOutageScenarios } from './provider-outages.ts'
import { refreshingScenarios } from './refreshing.ts'
import { resourceErrorScenarios } from './resource-errors.ts'
import { restartScenarios } from './restarts.ts'
import { sharedFlowScenarios } from './shared-flows.ts'
import { timeoutScenarios } from './timeouts.ts'
import { tokenScenarios } from './tokens.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ToolScenario[] = [
  authorizeAndComplete,
  ...timeoutScenarios,
  ...callbackDeliveryScenarios,
  ...refreshingScenarios,
  ...restartScenarios,
  ...tokenScenarios,
  ...exchangeScenarios,
  ...resourceErrorScenarios,
  ...acknowledgementScenarios,
  ...providerOutageScenarios,
  ...forgedCallbackScenarios,
  ...issuerScenarios,
  callbackIdentity,
  ...concurrencyScenarios,
  ...sharedFlowScenarios,
  authorizationRequests,
  ...authorizationErrorScenarios,
  ...identifierScenarios,
  ...badInvocationScenarios,
  pages,
  manifest,
  wholeRun,
]

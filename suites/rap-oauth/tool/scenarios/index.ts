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
import { resourceErrorScenarios } from './resource-errors.ts'
import { timeoutScenarios } from './timeouts.ts'
import { tokenScenarios } from './tokens.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ToolScenario[] = [
  authorizeAndComplete,
  ...timeoutScenarios,
  ...tokenScenarios,
  ...exchangeScenarios,
  ...resourceErrorScenarios,
  ...acknowledgementScenarios,
  ...forgedCallbackScenarios,
  ...callbackDeliveryScenarios,
  ...issuerScenarios,
  callbackIdentity,
  ...concurrencyScenarios,
  authorizationRequests,
  ...authorizationErrorScenarios,
  ...identifierScenarios,
  ...badInvocationScenarios,
  pages,
  manifest,
  wholeRun,
]

/** Every scenario of the profile, those that wait long first so that their waiting overlaps with the rest. */

import { array } from './array.ts'
import type { ClientScenario } from './define.ts'
import { formScenarios } from './forms.ts'
import { issuerChanges } from './issuer-changes.ts'
import { laterScenarios } from './later.ts'
import {
  brokenMetadataScenarios,
  changedResource,
  foreignScheme,
  noFlowScenarios,
} from './no-flow.ts'
import { serverMetadataScenarios } from './server-metadata.ts'
import { oauthClientScenarios } from './oauth-client.ts'
import { responseIssuerScenarios } from './response-issuers.ts'
import { movedServer, oneHost, twoServers } from './two-servers.ts'
import { wholeRun } from './whole-run.ts'

export const scenarios: readonly ClientScenario[] = [
  array,
  ...laterScenarios,
  issuerChanges,
  ...noFlowScenarios,
  ...serverMetadataScenarios,
  changedResource,
  ...brokenMetadataScenarios,
  foreignScheme,
  ...formScenarios,
  ...responseIssuerScenarios,
  twoServers,
  oneHost,
  movedServer,
  ...oauthClientScenarios,
  wholeRun,
]

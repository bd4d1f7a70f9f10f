/** What every OAuth client is asked, asked of an MCP server. */

import * as client from '../../../../oauth-client/scenarios/index.ts'
import { needsAuthorization } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import type { ServerScenario } from './define.ts'

/** Who nobody can tell apart has no tokens that a later call could use. */
function ofKnownUsers(scenarios: readonly client.ClientScenario[]): readonly ServerScenario[] {
  return scenarios.map((each) => ({
    ...each,
    notApplicable: (declared: Declared) =>
      needsAuthorization(declared) ?? each.notApplicable?.(declared),
  }))
}

export const authorizationRequests = client.authorizationRequests(handoff)
export const authorizationErrorScenarios = client.authorizationErrorScenarios(handoff)
export const exchangeErrorScenarios = client.exchangeErrorScenarios(handoff)
export const forgedCallbackScenarios = client.forgedCallbackScenarios(handoff)
export const reusedCallbackScenarios = client.reusedCallbackScenarios(handoff)
export const impostorScenarios = client.impostorScenarios(handoff)
export const issuerScenarios = client.issuerScenarios(handoff)
export const resourceErrorScenarios = client.resourceErrorScenarios(handoff)
export const replayAfterRestart = client.replayAfterRestart(handoff)
export const unusableTokenScenarios = client.unusableTokenScenarios(handoff)
export const pages = client.pages(handoff)
export const refreshingScenarios = ofKnownUsers(client.refreshingScenarios(handoff))
export const tokenScenarios = ofKnownUsers(client.tokenScenarios(handoff))

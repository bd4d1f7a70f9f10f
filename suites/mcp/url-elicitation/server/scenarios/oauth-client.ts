/** What every OAuth client is asked, asked of an MCP server. */

import * as client from '../../../../oauth-client/scenarios/index.ts'
import { needsAuthorization, ofOauthClients } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import type { Fixtures } from '../test-bed.ts'
import type { ServerScenario } from './define.ts'
import { alsoOnlyWhenNeeded } from './only-when-needed.ts'

/** Who nobody can tell apart has no tokens that a later call could use. */
function ofKnownUsers(scenarios: readonly client.ClientScenario[]): readonly ServerScenario[] {
  return of(scenarios).map((each) => ({
    ...each,
    notApplicable: (declared: Declared) =>
      each.notApplicable?.(declared) ?? needsAuthorization(declared),
  }))
}

function of(scenarios: readonly client.ClientScenario[]): readonly ServerScenario[] {
  return scenarios.map((each) => ofOauthClients<Fixtures>(each))
}

export const authorizationRequests = ofOauthClients<Fixtures>(client.authorizationRequests(handoff))
export const authorizationErrorScenarios = of(client.authorizationErrorScenarios(handoff))
export const exchangeErrorScenarios = of(client.exchangeErrorScenarios(handoff))
export const forgedCallbackScenarios = of(client.forgedCallbackScenarios(handoff))
export const reusedCallbackScenarios = of(client.reusedCallbackScenarios(handoff))
export const impostorScenarios = of(client.impostorScenarios(handoff))
export const issuerScenarios = of(client.issuerScenarios(handoff))
export const resourceErrorScenarios = of(client.resourceErrorScenarios(handoff))
export const replayAfterRestart = ofOauthClients<Fixtures>(client.replayAfterRestart(handoff))
export const unusableTokenScenarios = of(client.unusableTokenScenarios(handoff))
export const pages = ofOauthClients<Fixtures>(client.pages(handoff))
export const pagesOfLastAnswers = ofOauthClients<Fixtures>(client.pagesOfLastAnswers(handoff))
export const refreshingScenarios = ofKnownUsers(client.refreshingScenarios(handoff))
export const namesakeScenarios = ofKnownUsers(client.namesakeScenarios(handoff))
export const tokenScenarios = ofKnownUsers(client.tokenScenarios(handoff)).map((each) =>
  each.id.startsWith('stored-token-resource-') ? alsoOnlyWhenNeeded(each) : each,
)
export const stateAlteredAfterDenial = ofOauthClients<Fixtures>(
  client.stateAlteredAfterDenial(handoff),
)
export const renewedFlowScenarios = ofKnownUsers(client.renewedFlowScenarios(handoff))

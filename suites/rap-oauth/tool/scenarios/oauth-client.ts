/** What every OAuth client is asked, asked of a RAP tool. */

import * as client from '../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'

export const authorizationRequests = client.authorizationRequests(handoff)
export const authorizationErrorScenarios = client.authorizationErrorScenarios(handoff)
export const exchangeErrorScenarios = client.exchangeErrorScenarios(handoff)
export const forgedCallbackScenarios = client.forgedCallbackScenarios(handoff)
export const impostorAtRefresh = client.impostorAtRefresh(handoff)
export const impostorScenarios = client.impostorScenarios(handoff)
export const impostorAtApi = client.impostorAtApi(handoff)
export const issuerScenarios = client.issuerScenarios(handoff)
export const stateAlteredAfterDenial = client.stateAlteredAfterDenial(handoff)
export const renewedFlowScenarios = client.renewedFlowScenarios(handoff)
export const pages = client.pages(handoff)
export const refreshingScenarios = client.refreshingScenarios(handoff)
export const replayAfterRestart = client.replayAfterRestart(handoff)
export const resourceErrorScenarios = client.resourceErrorScenarios(handoff)
export const reusedCallbackScenarios = client.reusedCallbackScenarios(handoff)
export const unusableTokenScenarios = client.unusableTokenScenarios(handoff)
export const tokenScenarios = client.tokenScenarios(handoff)

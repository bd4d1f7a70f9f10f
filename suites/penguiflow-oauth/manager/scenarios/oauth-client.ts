/** What every OAuth client is asked, asked of a manager whose user is sent away by a pause. */

import type { Check } from '../../../../harness/engine/index.ts'
import * as client from '../../../oauth-client/scenarios/index.ts'
import { needsDurability, needsErrors } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import { isAsked } from '../requirements/oauth-client.ts'
import type { ManagerScenario } from './define.ts'
import { exchangeChecks, replayChecks } from './exchanges.ts'

type Condition = (declared: Declared) => string | undefined

/** What a scenario needs here that it does not need elsewhere. */
const conditions: Readonly<Record<string, Condition>> = {
  'restart-between-calls': needsDurability,
  'callback-replayed-after-restart': needsDurability,
  'denied-state-with-code': needsErrors,
  'state-altered-after-denial': needsErrors,
  'callback-without-code-and-error': needsErrors,
}

/**
 * A run goes on when its host says so, so an error that was believed ends nothing: what became of the flow is seen in
 * the other forgeries. The endpoints are configured, so that no metadata promises anything. What the API refuses, the
 * planner hears.
 */
const isElsewhere = (id: string): boolean =>
  id.startsWith('error-with-') ||
  ['issuer-missing', 'issuer-wrong-in-error', 'grant-revoked'].includes(id)

function ofManagers(
  scenarios: readonly client.ClientScenario[],
  more: Readonly<Record<string, readonly Check<Declared>[]>> = {},
): readonly ManagerScenario[] {
  return scenarios
    .filter(({ id }) => !isElsewhere(id))
    .map((each) => {
      const own = conditions[each.id]
      const asked = each.checks.filter(({ requirement }) => isAsked(requirement))
      return {
        ...each,
        ...(own ? { notApplicable: own } : {}),
        checks: [...asked, ...(more[each.id] ?? [])],
      }
    })
    .filter(({ checks }) => checks.length > 0)
}

export const authorizationRequests = ofManagers([client.authorizationRequests(handoff)])
export const exchangeErrorScenarios = ofManagers(
  client.exchangeErrorScenarios(handoff),
  exchangeChecks,
)
export const forgedCallbackScenarios = ofManagers(client.forgedCallbackScenarios(handoff))
export const reusedCallbackScenarios = ofManagers(
  client.reusedCallbackScenarios(handoff),
  replayChecks,
)
export const impostorScenarios = ofManagers(client.impostorScenarios(handoff))
export const issuerScenarios = ofManagers(client.issuerScenarios(handoff))
export const replayAfterRestart = ofManagers([client.replayAfterRestart(handoff)])
export const stateAlteredAfterDenial = ofManagers([client.stateAlteredAfterDenial(handoff)])
export const tokenScenarios = ofManagers(client.tokenScenarios(handoff))
export const unusableTokenScenarios = ofManagers(
  client.unusableTokenScenarios(handoff),
  exchangeChecks,
)

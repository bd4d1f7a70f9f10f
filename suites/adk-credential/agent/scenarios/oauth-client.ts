/** What every OAuth client is asked, asked of an agent whose redirect lands at the client application. */

import * as client from '../../../oauth-client/scenarios/index.ts'
import { needsDurability, needsUserCredentials } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import type { AgentScenario } from './define.ts'

/** Checks of what is not an agent's: see `requirements/oauth-client.ts`. */
const notOfAgents = ['oauth-client/forged-callback-keeps-call', 'oauth-client/stable-redirect-uri']

type Condition = (declared: Declared) => string | undefined

function ofAgents(
  scenarios: readonly client.ClientScenario[],
  conditions: Readonly<Record<string, Condition>> = {},
): readonly AgentScenario[] {
  return scenarios.map((each) => {
    const own = conditions[each.id]
    return {
      ...each,
      ...(own || each.notApplicable
        ? { notApplicable: (declared) => own?.(declared) ?? each.notApplicable?.(declared) }
        : {}),
      checks: each.checks.filter(({ requirement }) => !notOfAgents.includes(requirement)),
    }
  })
}

/** The endpoints stand in the AuthConfig: an agent has no reason to read what the metadata promises. */
const ofMetadata = ['issuer-missing']

export const authorizationRequests = ofAgents([client.authorizationRequests(handoff)])
export const authorizationErrorScenarios = ofAgents(client.authorizationErrorScenarios(handoff))
export const exchangeErrorScenarios = ofAgents(client.exchangeErrorScenarios(handoff))
export const forgedCallbackScenarios = ofAgents(client.forgedCallbackScenarios(handoff))
export const reusedCallbackScenarios = ofAgents(client.reusedCallbackScenarios(handoff))
export const resourceErrorScenarios = ofAgents(client.resourceErrorScenarios(handoff))
export const issuerScenarios = ofAgents(
  client.issuerScenarios(handoff).filter(({ id }) => !ofMetadata.includes(id)),
)
export const replayAfterRestart = ofAgents([client.replayAfterRestart(handoff)], {
  'callback-replayed-after-restart': needsDurability,
})
export const refreshingScenarios = ofAgents(client.refreshingScenarios(handoff), {
  'refresh-then-restart': needsDurability,
  'refresh-at-once': needsUserCredentials,
})
export const tokenScenarios = ofAgents(client.tokenScenarios(handoff), {
  'restart-between-calls': needsDurability,
})

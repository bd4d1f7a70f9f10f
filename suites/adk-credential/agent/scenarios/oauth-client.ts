/** What every OAuth client is asked, asked of an agent whose redirect lands at the client application. */

import { cite, inconclusive, isAfter, pass, violation } from '../../../../harness/engine/index.ts'
import * as client from '../../../oauth-client/scenarios/index.ts'
import { served, tokenAccesses } from '../../../oauth-client/view.ts'
import { check } from '../checks.ts'
import { needsDenials, needsDurability, needsUserCredentials } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import { callOf } from '../view.ts'
import { answersWithoutCredential, unlessRefused } from '../refused-answers.ts'
import type { AgentScenario } from './define.ts'

/** Checks of what is not an agent's: see `requirements/oauth-client.ts`. */
const notOfAgents = ['oauth-client/forged-callback-keeps-call', 'oauth-client/stable-redirect-uri']

type Condition = (declared: Declared) => string | undefined

function ofAgents(
  scenarios: readonly client.ClientScenario[],
  conditions: Readonly<Record<string, Condition>> = {},
  own: Readonly<Record<string, AgentScenario['checks']>> = {},
): readonly AgentScenario[] {
  return scenarios.map((each) => {
    const condition = conditions[each.id]
    return {
      ...each,
      ...(condition || each.notApplicable
        ? { notApplicable: (declared) => condition?.(declared) ?? each.notApplicable?.(declared) }
        : {}),
      checks: [
        ...each.checks.filter(({ requirement }) => !notOfAgents.includes(requirement)),
        ...(own[each.id] ?? []),
      ],
    }
  })
}

/** What a failure of the flow leads to: see `refused-answers.ts`. */
const ofFailures = [
  'oauth-client/never-permanently-pending',
  'oauth-client/report-authorization-error',
  'oauth-client/report-exchange-error',
  'oauth-client/report-invalid-code',
]

function failing(scenarios: readonly AgentScenario[]): readonly AgentScenario[] {
  return scenarios.map((each) => ({
    needs: answersWithoutCredential,
    ...each,
    checks: each.checks.map((check) =>
      ofFailures.includes(check.requirement) ? unlessRefused(check) : check,
    ),
  }))
}

/** The endpoints stand in the AuthConfig: an agent has no reason to read what the metadata promises. */
const ofMetadata = ['issuer-missing']

/** More often than any tool asks for what it needs. */
const mostRefusals = 10

const refusedTokenOnce = check(
  'adk-credential/agent/refused-token-not-repeated',
  'does not present the refused token again and again',
  (t) => {
    const second = callOf(t, 'call-2')
    const refused = tokenAccesses(callOf(t)).filter(
      (access) => !served(access) && isAfter(access, second.request),
    )
    const [first] = refused
    if (!first) return inconclusive('the API was not asked with the revoked token')
    const evidence = cite(second.request, first, refused.at(-1))
    if (refused.length <= mostRefusals) return pass(`${refused.length} requests`, evidence)
    return violation(
      'a token that the API refuses is presented again and again',
      { expected: `at most ${mostRefusals} requests`, actual: `${refused.length}` },
      evidence,
    )
  },
)

export const authorizationRequests = ofAgents([client.authorizationRequests(handoff)])
export const authorizationErrorScenarios = failing(
  ofAgents(client.authorizationErrorScenarios(handoff)),
)
export const exchangeErrorScenarios = failing(ofAgents(client.exchangeErrorScenarios(handoff)))
export const forgedCallbackScenarios = ofAgents(client.forgedCallbackScenarios(handoff))
export const reusedCallbackScenarios = ofAgents(client.reusedCallbackScenarios(handoff), {
  'denied-state-with-code': needsDenials,
})
export const resourceErrorScenarios = ofAgents(client.resourceErrorScenarios(handoff))
export const impostorScenarios = ofAgents([
  ...client.impostorScenarios(handoff),
  client.impostorAtApi(handoff),
  client.impostorAtRefresh(handoff),
])
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
export const stateAlteredAfterDenial = ofAgents([client.stateAlteredAfterDenial(handoff)], {
  'state-altered-after-denial': needsDenials,
})
export const renewedFlowScenarios = failing(ofAgents(client.renewedFlowScenarios(handoff)))
export const namesakeScenarios = ofAgents(client.namesakeScenarios(handoff))
export const tokenScenarios = ofAgents(
  client.tokenScenarios(handoff),
  { 'restart-between-calls': needsDurability },
  { 'grant-revoked': [refusedTokenOnce] },
)
export const unusableTokenScenarios = failing(ofAgents(client.unusableTokenScenarios(handoff)))

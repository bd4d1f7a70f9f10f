/** What every OAuth client is asked, asked of a server whose redirect lands at its client. */

import type { Check } from '../../../../../harness/engine/index.ts'
import * as client from '../../../../oauth-client/scenarios/index.ts'
import { needsAuthorization } from '../../../server/needs-authorization.ts'
import type { Declared } from '../configuration.ts'
import { handoff } from '../handoff.ts'
import type { ServerScenario } from './define.ts'
import { awaitingEnds, endsRefused } from './refused-callbacks.ts'

/** Checks of what is not a server's here: see `requirements/oauth-client.ts`. */
const notOfServers = [
  'oauth-client/handle-callback',
  'oauth-client/redirect-to-own-endpoint',
  'oauth-client/forged-callback-keeps-call',
]

export function ofServers<D>(checks: readonly Check<D>[]): readonly Check<D>[] {
  return checks.filter(({ requirement }) => !notOfServers.includes(requirement))
}

function bound(scenarios: readonly client.ClientScenario[]): readonly ServerScenario[] {
  return scenarios.map((each) => ({ ...each, checks: ofServers(each.checks) }))
}

/** A callback answers one request, once: nothing can be delivered a second time. */
const delivered = (scenarios: readonly client.ClientScenario[]) =>
  scenarios.filter(
    ({ id }) =>
      !['callback-replayed', 'state-of-failed-exchange', 'two-callbacks-at-once'].includes(id),
  )

function ending(each: ServerScenario, ends: Check<Declared>): ServerScenario {
  return { ...each, checks: [...each.checks, ends] }
}

/** Where the call that was answered so is not waited for. */
const endsWithOtherIssuer: Readonly<Record<string, Check<Declared>>> = {
  'issuer-wrong': endsRefused((_, t) => client.wrongIssuerReached(t)),
  'issuer-wrong-in-error': endsRefused((_, t) => client.forgeryReached(t), 'call-3'),
}

/** Who nobody can tell apart has no tokens that a later call could use. */
function ofKnownUsers(scenarios: readonly client.ClientScenario[]): readonly ServerScenario[] {
  return bound(scenarios).map((each) => ({
    ...each,
    notApplicable: (declared: Declared) =>
      needsAuthorization(declared) ?? each.notApplicable?.(declared),
  }))
}

export const authorizationRequests = bound([client.authorizationRequests(handoff)])
export const authorizationErrorScenarios = bound(client.authorizationErrorScenarios(handoff))
export const exchangeErrorScenarios = bound(client.exchangeErrorScenarios(handoff))
export const stateAlteredAfterDenial = bound([client.stateAlteredAfterDenial(handoff)])
export const renewedFlowScenarios = ofKnownUsers(client.renewedFlowScenarios(handoff))
export const forgedCallbackScenarios = bound(client.forgedCallbackScenarios(handoff)).map((each) =>
  ending(
    each,
    endsRefused((_, t) => client.forgeryReached(t)),
  ),
)
export const reusedCallbackScenarios = bound(delivered(client.reusedCallbackScenarios(handoff)))
export const impostorScenarios = bound(client.impostorScenarios(handoff))
export const issuerScenarios = bound(client.issuerScenarios(handoff)).map((each) => {
  const ends = endsWithOtherIssuer[each.id]
  return ends ? awaitingEnds(ending(each, ends)) : each
})
export const resourceErrorScenarios = bound(client.resourceErrorScenarios(handoff))
export const refreshingScenarios = ofKnownUsers(client.refreshingScenarios(handoff))
export const namesakeScenarios = ofKnownUsers(client.namesakeScenarios(handoff))
export const tokenScenarios = ofKnownUsers(client.tokenScenarios(handoff))
export const unusableTokenScenarios = bound(client.unusableTokenScenarios(handoff))

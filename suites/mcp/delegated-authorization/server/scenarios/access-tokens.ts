/** What is asked of the tokens that callers bring, and of requests in sessions. */

import { accessTokenScenarios as accessOf } from '../../../server/access-tokens.ts'
import { expiredAfterUse as expiryOf } from '../../../server/expired-after-use.ts'
import { ownSessionScenarios as sessionsOf } from '../../../server/own-session.ts'
import { flawedTokenScenarios as flawsOf } from '../../../server/refused-tokens.ts'
import type { TokenDemand, TokenRows } from '../../../server/token-demand.ts'
import type { Declared } from '../configuration.ts'
import type { Call } from '../session.ts'
import { callOf, callsOf } from '../view.ts'
import { control, type ServerScenario } from './define.ts'

export const rows: TokenRows = {
  demanded: 'mcp-delegated-authorization/server/demand-tokens',
  valid: 'mcp-delegated-authorization/server/validate-tokens',
  notBySession: 'mcp-delegated-authorization/server/not-by-session-alone',
}

const demand: TokenDemand<Call, Declared> = {
  rows,
  control,
  callOf,
  callsOf,
  awaitAsking: (call) => call.asked(),
  async decline(call, within) {
    await call.answer({ result: {} })
    await call.settle(within)
  },
  // Revisions without a handshake cannot carry what this profile is about.
  needsSessions: () => undefined,
}

export const accessTokenScenarios: readonly ServerScenario[] = accessOf(demand)
export const flawedTokenScenarios: readonly ServerScenario[] = flawsOf(demand)
export const ownSessionScenarios: readonly ServerScenario[] = sessionsOf(demand)
export const expiredAfterUse: ServerScenario = expiryOf(demand)

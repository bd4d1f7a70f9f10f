/** What every OAuth client is asked, asked of an MCP client. */

import { cutState } from '../../../../oauth-client/other-states.ts'
import * as client from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { askedScenarios } from './asked.ts'

/**
 * Left out is what goes by the end of a call in an error: what a client tells its user, nobody can tell from anything else
 * that it prints.
 */
const byItsWords = /^issuer-wrong-in-error$/

/** A listener of one flow knows the whole of its state: what only begins like it is another one. */
const shortenedStates = [
  ['state-shortened', 'with the first half of state', (state: string) => cutState(state)],
] as const

export const oauthClientScenarios = askedScenarios(
  [
    ...client.forgedCallbackScenarios(handoff),
    ...client.forgedStateScenarios(handoff, shortenedStates),
    client.stateAlteredAfterDenial(handoff),
    ...client.issuerScenarios(handoff),
    ...client.exchangeErrorScenarios(handoff),
    ...client.impostorScenarios(handoff),
    ...client.unusableTokenScenarios(handoff),
  ].filter(({ id }) => !byItsWords.test(id)),
)

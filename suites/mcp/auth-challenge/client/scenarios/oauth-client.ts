/** What every OAuth client is asked, asked of an MCP client. */

import * as client from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { askedScenarios } from './asked.ts'

/**
 * Left out is what goes by the end of a call in an error: what a client tells its user, nobody can tell from anything else
 * that it prints.
 */
const byItsWords = /^issuer-wrong-in-error$/

export const oauthClientScenarios = askedScenarios(
  [
    ...client.forgedCallbackScenarios(handoff),
    client.stateAlteredAfterDenial(handoff),
    ...client.issuerScenarios(handoff),
    ...client.exchangeErrorScenarios(handoff),
    ...client.impostorScenarios(handoff),
    ...client.unusableTokenScenarios(handoff),
  ].filter(({ id }) => !byItsWords.test(id)),
)

/** Asks for authorization by a result that requires input, and goes on with the retry (MCP 2026-07-28, MRTR). */

import {
  inputRequired,
  inputResponse,
  type InputRequiredResult,
} from '@modelcontextprotocol/server'

import { abandoned, type Elicitation } from '../elicitations.ts'
import { CallFailure } from '../failure.ts'
import { useGrantedTokens } from '../upstream/use-tokens.ts'
import type { Work } from '../work.ts'
import type { Call } from './call.ts'
import type { ToolResult } from './describe-result.ts'
import { requestOf } from './elicit.ts'
import { digestOf, type CallState } from './request-state.ts'

const inputKey = 'authorization'

/** Which URL the user is to open, and what to send along with the retry. */
export async function askByResult(
  work: Work,
  call: Call,
  elicitation: Elicitation,
): Promise<InputRequiredResult> {
  const { url, message } = await requestOf(work, elicitation)
  const state = { elicitation: elicitation.id, call: digestOf(call) }
  return inputRequired({
    inputRequests: { [inputKey]: inputRequired.elicitUrl({ url, message }) },
    requestState: await work.requestState.mint(state, call.context),
  })
}

/**
 * A later round: waits for the user, as far as they agreed. Undefined where there is nothing to
 * resume and the call begins anew. Throws a CallFailure when the user refused or was refused.
 */
export async function resume(work: Work, call: Call): Promise<ToolResult | undefined> {
  const { parts, elicitations, vault } = work
  // Verified before we get to see it: see createStateCodec.
  const state = call.context.mcpReq.requestState<CallState>()
  if (state === undefined) return undefined
  if (!parts.isStateOf(call, state)) throw new CallFailure('state-refused')
  const elicitation = elicitations.find(state.elicitation)
  if (elicitation === undefined) return undefined

  const answer = inputResponse(call.context.mcpReq.inputResponses, inputKey)
  // What is missing is asked for again (MRTR, Error Handling).
  if (answer.kind !== 'elicit') return askByResult(work, call, elicitation)
  const refusal = parts.refusalOf(answer)
  if (refusal !== undefined) {
    elicitation.settle(abandoned(refusal))
    throw new CallFailure(refusal)
  }
  const ending = await parts.interaction(elicitation)
  if (ending.kind !== 'authorized') throw ending.failure
  const items = await useGrantedTokens(work, elicitation.owner)
  if (call.principal.kind === 'anonymous') await vault.clear(elicitation.owner)
  return parts.describeItems(call, items)
}

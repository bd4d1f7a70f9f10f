/** The tool `list_items`: with the tokens that there are, or after asking the user for some. */

import { ownerOf } from '../access/principal.ts'
import type { Elicitation } from '../elicitations.ts'
import { CallFailure, failureCode } from '../failure.ts'
import { useGrantedTokens, useStoredTokens } from '../upstream/use-tokens.ts'
import type { Work } from '../work.ts'
import { askByResult, resume } from './ask-by-result.ts'
import type { Call } from './call.ts'
import type { ToolResult } from './describe-result.ts'
import { openFor, requestOf } from './elicit.ts'

/** Answers every call, failed ones in words. */
export async function listItems(work: Work, call: Call): Promise<ToolResult> {
  const { parts } = work
  try {
    return (call.era === 'modern' && (await resume(work, call))) || (await begin(work, call))
  } catch (error) {
    parts.log({ event: 'call-ended', outcome: failureCode(error) })
    return parts.describeFailure(error)
  }
}

async function begin(work: Work, call: Call): Promise<ToolResult> {
  const { parts } = work
  const outcome = await useStoredTokens(work, ownerOf(call.principal))
  if (outcome.done) return parts.describeItems(call, outcome.items)
  if (!parts.supportsUrlMode(call)) throw new CallFailure('no-url-mode')

  const open = (): Elicitation => openFor(work, call, outcome.scopes)
  if (call.era === 'modern') return askByResult(work, call, open())
  const owner = await parts.attempt(() => authorize(work, call, open()))
  return parts.describeItems(call, await useGrantedTokens(work, owner))
}

/** Whose tokens there are then. Throws a CallFailure unless the user has authorized this server. */
async function authorize(work: Work, call: Call, elicitation: Elicitation): Promise<string> {
  const { parts, settings } = work
  const request = await requestOf(work, elicitation)
  // Longer than the elicitation may be pending, which is what ends a call that nobody answers.
  const timeout = settings.pendingTimeoutMs + 1000
  const ending = await parts.askByRequest({ call, elicitation, request, timeout }, parts)
  if (ending.kind !== 'authorized') throw ending.failure
  return elicitation.owner
}

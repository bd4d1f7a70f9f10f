/** What comes back of an elicitation: the answer of the client, and what its user did in the browser. */

import type { ElicitResult } from '@modelcontextprotocol/server'

import type { Principal } from '../access/principal.ts'
import type { Elicitation, Elicitations, Ending } from '../elicitations.ts'

export const elicitationMessage: string = 'Listing your items needs your authorization.'

/** One for each call that waits. */
export function openElicitation(
  elicitations: Elicitations,
  principal: Principal,
  scopes: readonly string[],
): Elicitation {
  return elicitations.open(principal, scopes)
}

/** Whether anything may still come of it. */
export function isPending(elicitation: Elicitation): boolean {
  return elicitation.pending()
}

/** When the user is done in the browser. */
export function interaction({ ended }: Elicitation): Promise<Ending> {
  return ended
}

/** MCP Elicitation, Response Actions. Only acceptance leads on. */
export function refusalOf({
  action,
}: Pick<ElicitResult, 'action'>): 'declined' | 'cancelled' | undefined {
  if (action === 'accept') return undefined
  return action === 'decline' ? 'declined' : 'cancelled'
}

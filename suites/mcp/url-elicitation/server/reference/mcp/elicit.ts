/** What both eras have in common: an elicitation, and the URL that its user is to open. */

import type { ElicitRequestURLParams } from '@modelcontextprotocol/server'

import { beginFlow } from '../browser/begin-flow.ts'
import type { Elicitation } from '../elicitations.ts'
import type { Work } from '../work.ts'
import type { Call } from './call.ts'

/** Opens an elicitation on behalf of whoever calls. */
export function openFor(work: Work, call: Call, scopes: readonly string[]): Elicitation {
  const { parts, elicitations } = work
  const elicitation = parts.openElicitation(elicitations, call.principal, scopes)
  parts.log({ event: 'elicitation-opened', elicitation: elicitation.id })
  return elicitation
}

/** What the client is asked to show. */
export async function requestOf(
  work: Work,
  elicitation: Elicitation,
): Promise<ElicitRequestURLParams> {
  const { parts, settings } = work
  const { id, scopes } = elicitation
  const url = await parts.elicitationUrl({
    connectPage: parts.connectUrl(settings, elicitation),
    authorize: async () =>
      (await beginFlow(work, { kind: 'connect', elicitation: id }, scopes)).url.href,
  })
  return { mode: 'url', elicitationId: id, url, message: parts.elicitationMessage }
}

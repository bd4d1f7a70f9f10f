/** How an MCP server hands its user over by a URL: what `oauth-client` needs to know to ask the rest. */

import type { Handoff } from '../../../oauth-client/handoff.ts'
import { readsAsServed } from '../../../oauth-client/made-up.ts'
import { asksUserOf } from '../../server/asks-user.ts'
import { control } from './scenarios/define.ts'
import { callOf, callsOf, stayedUnasked } from './view.ts'

const asked = 'an elicitation in URL mode'

export const handoff: Handoff = {
  control,
  storedControl: 'stored-token',
  words: { asked, ended: 'a result' },
  callOf,
  callsOf,
  mayAskAnew: true,
  // RFC 6750 §3.1: what follows an invalid token is up to its client.
  mayReportRefusal: true,
  asksUser: asksUserOf(callOf, asked, stayedUnasked),
  readsAsServed: (end, undisturbed) => !end.error && readsAsServed(end.text, undisturbed.text),
  // A response belongs to its request by its id, so there cannot be two.
  endsOnce: () => [],
}

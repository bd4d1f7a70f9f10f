/** How an MCP server has its client hand the user over: what `oauth-client` needs to know to ask the rest. */

import type { Handoff } from '../../../oauth-client/handoff.ts'
import { readsAsServed } from '../../../oauth-client/made-up.ts'
import { asksUserOf } from '../../server/asks-user.ts'
import { authRequest } from '../auth-request.ts'
import { control } from './scenarios/define.ts'
import { callOf, callsOf } from './view.ts'

export const handoff: Handoff = {
  control,
  storedControl: 'stored-token',
  words: { asked: `an ${authRequest}`, ended: 'a result' },
  callOf,
  callsOf,
  mayAskAnew: true,
  // RFC 6750 §3.1: what follows an invalid token is up to its client.
  mayReportRefusal: true,
  asksUser: asksUserOf(callOf, `an ${authRequest}`),
  readsAsServed: (end, undisturbed) => !end.error && readsAsServed(end.text, undisturbed.text),
  // A response belongs to its request by its id, so there cannot be two.
  endsOnce: () => [],
}

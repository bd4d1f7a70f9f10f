/** How a RAP tool hands its user over: what `oauth-client` needs to know to ask the rest. */

import { check, judgesOf } from '../../oauth-client/judges.ts'
import type { Handoff } from '../../oauth-client/handoff.ts'
import { readsAsServed } from '../../oauth-client/made-up.ts'
import { asksForAuthorization, singleResult } from './checks.ts'
import { callOf, callsOf } from './view.ts'

export const handoff: Handoff = {
  control: 'authorize-and-complete',
  storedControl: 'stored-token',
  words: { asked: 'an oauth message', ended: 'a tool_result' },
  callOf,
  callsOf,
  mayAskAnew: false,
  asksUser: asksForAuthorization,
  readsAsServed: (end, undisturbed) => !end.error && readsAsServed(end.text, undisturbed.text),
  endsOnce: (title, call) => [check('rap-oauth/tool/single-result', title, singleResult(call))],
}

export const {
  ends,
  endsEventually,
  reportsFailure,
  exchangesCode,
  retriesOperation,
  acceptsTokens,
} = judgesOf(handoff)

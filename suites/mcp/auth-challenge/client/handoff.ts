/** How an MCP client hands its user over when it is challenged: what `oauth-client` needs to know to ask the rest. */

import { inconclusive, pass } from '../../../../harness/engine/index.ts'
import type { Handoff } from '../../../oauth-client/handoff.ts'
import { citeEvents } from '../../../oauth-client/view.ts'
import { control } from './scenarios/define.ts'
import { callOf, callsOf } from './view.ts'

export const handoff: Handoff = {
  control,
  storedControl: control,
  words: { asked: 'an authorization page', ended: 'a result of the tool' },
  callOf,
  callsOf,
  mayAskAnew: true,
  asksUser: (name) => (t) => {
    const [first] = callOf(t, name).asked
    if (first) return pass('a page was opened', citeEvents(first))
    return inconclusive('no page was opened')
  },
  // A response belongs to its request by its id, so there cannot be two.
  endsOnce: () => [],
}

/** What scenarios need and a correct runtime need not offer, and how a whole run shows that it is offered after all. */

import type { Need } from '../../../../harness/engine/index.ts'
import { callsOf } from '../view.ts'

export const groupPerConversation: Need = {
  what: 'a group_id of its own for every conversation',
  seen(run) {
    const calls = [...run.values()].flatMap(callsOf).filter(({ invocations }) => invocations[0])
    const [first] = calls
    const other = calls.find(
      ({ conversation, sent }) =>
        conversation !== first?.conversation && sent['group_id'] !== first?.sent['group_id'],
    )
    return other?.invocations[0]
  },
}

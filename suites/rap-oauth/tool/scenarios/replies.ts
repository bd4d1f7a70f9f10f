/** How the runtime answers the messages of a call. */

import type { Body } from '../../../../harness/engine/index.ts'
import type { Reply, ReplyPlan } from '../../../../harness/parties/index.ts'
import { fieldsOf } from '../view.ts'

/** Answers the first message of a type differently from all others, and so again where the call had to be made once more. */
export function firstOf(type: string, reply: Reply, always = false): ReplyPlan {
  const seen = new Set<unknown>()
  return (body: Body) => {
    const message = fieldsOf(body)
    if (message?.['type'] !== type) return 200
    const isFirst = !seen.has(message['id'])
    seen.add(message['id'])
    return isFirst || always ? reply : 200
  }
}

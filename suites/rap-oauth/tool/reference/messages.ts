/** The two messages that this tool sends to a runtime. */

import type { Address } from './call.ts'

/** The ids that every message of a call repeats exactly as they came (RAP OAuth, Fields). */
export function echoIds(address: Address) {
  return {
    group_id: address.groupId,
    id: address.id,
    ...(address.callId === null ? {} : { call_id: address.callId }),
  }
}

export type MessageBody =
  | { readonly type: 'oauth'; readonly auth_url: string }
  | { readonly type: 'tool_result'; readonly text: string }

/** The link of an `oauth` message: who is shown it and how, and when it is forgotten (RAP OAuth, Runtime Behavior). */

import type { UserEvent } from './events.ts'
import type { Call } from './records.ts'
import type { Store } from './store.ts'

export interface Surfaced {
  /** Whose user gets to see it. */
  readonly conversation: string
  readonly event: UserEvent
  readonly url: string
}

/** What is shown: the link exactly as the tool sent it, to the user of the call's conversation. */
export function surfaceAuthUrl(call: Call, authUrl: string): Surfaced {
  return {
    conversation: call.conversation,
    event: { type: 'authorization_required', tool: call.tool, id: call.id },
    url: authUrl,
  }
}

/** RAP OAuth, Security Considerations: nothing of the link outlives its call. */
export function forgetAuthUrl(store: Store, call: Call): void {
  store.forgetAuthUrl(call.seq)
}

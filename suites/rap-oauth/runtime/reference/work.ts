/** What everything that works on a conversation shares. */

import type { Background } from './background.ts'
import type { Settings } from './config.ts'
import type { Feed, UserEvent } from './events.ts'
import type { Exchange } from './exchange.ts'
import type { Parts } from './parts.ts'
import type { Store } from './store.ts'
import type { OfferedTool } from './toolset.ts'

export interface Work {
  readonly settings: Settings
  readonly parts: Parts
  readonly store: Store
  readonly feed: Feed
  readonly exchange: Exchange
  readonly tools: (conversation: string) => Promise<readonly OfferedTool[]>
  readonly background: Background
  /** The timers of calls that have a timeout, by the call's seq. */
  readonly timers: Map<number, NodeJS.Timeout>
  /** Aborted when the runtime shuts down. */
  readonly closing: AbortSignal
  /** Asks the model, in the conversation's turn: about a user's message, or about new results. */
  readonly wake: (conversation: string, message?: number) => void
}

/** Records what the user of a conversation is shown, and shows it. */
export function show({ store, feed }: Work, conversation: string, event: UserEvent): void {
  const seq = store.addEvent(conversation, event)
  feed.notify(conversation, { ...event, seq })
}

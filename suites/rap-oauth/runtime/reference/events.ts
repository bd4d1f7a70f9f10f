/** What the user of a conversation is shown, and who wants to know of it. */

import { z } from 'zod'

/** As stored: the URL of an authorization is kept with its call, and only while that is pending. */
export const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('assistant_text'), text: z.string() }),
  z.object({ type: z.literal('authorization_required'), tool: z.string(), id: z.string() }),
  z.object({
    type: z.literal('tool_status'),
    tool: z.string(),
    id: z.string(),
    status: z.enum(['started', 'completed', 'failed', 'cancelled']),
    /** The provider that the tool's `requiresAuth` annotation names. */
    requires_auth: z.string().optional(),
  }),
  z.object({ type: z.literal('notice'), text: z.string() }),
  z.object({ type: z.literal('error'), text: z.string() }),
])
export type UserEvent = z.infer<typeof eventSchema>

/** As shown: `url` is there exactly as long as the user may need it. */
export type ShownEvent = UserEvent & { readonly seq: number; readonly url?: string }

export type Listener = (event: ShownEvent) => void

export interface Feed {
  readonly notify: (conversation: string, event: ShownEvent) => void
  /** Returns the function that ends the subscription. */
  readonly subscribe: (conversation: string, listener: Listener) => () => void
}

export function createFeed(): Feed {
  const listeners = new Map<string, Set<Listener>>()
  return {
    notify(conversation, event) {
      for (const listener of listeners.get(conversation) ?? []) listener(event)
    },
    subscribe(conversation, listener) {
      const others = listeners.get(conversation) ?? new Set()
      listeners.set(conversation, others.add(listener))
      return () => {
        others.delete(listener)
        if (others.size === 0) listeners.delete(conversation)
      }
    },
  }
}

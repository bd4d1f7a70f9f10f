/** A user's message: on disk before it is acknowledged, answered in its turn. */

import type { Work } from './work.ts'

export function acceptMessage(
  { store, wake }: Work,
  conversation: string,
  text: string,
  userId: string | null,
): void {
  wake(conversation, store.addMessage(conversation, { role: 'user', text, userId }, true))
}

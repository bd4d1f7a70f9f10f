/** Takes up at a start what the last one left: calls stay pending, unanswered news is answered. */

import { abandon, armTimer } from './abandon.ts'
import type { Work } from './work.ts'

export function resume(work: Work): void {
  const { parts, store } = work
  for (const { seq, conversation, role } of store.unseen()) {
    if (role === 'user') work.wake(conversation, seq)
    else work.wake(conversation)
  }
  for (const call of store.openCalls()) {
    if (parts.resumeCall(call) === 'keep') armTimer(work, call)
    else abandon(work, call, 'interrupted')
  }
}

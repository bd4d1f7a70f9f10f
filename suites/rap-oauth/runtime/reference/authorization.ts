/** Shows the user what an `oauth` message asks for (RAP OAuth, Runtime Behavior). */

import type { UserEvent } from './events.ts'
import type { Call } from './records.ts'
import type { Work } from './work.ts'

/** Shows the link, in place of an earlier one. The call stays pending. False: it is not shown. */
export function askUser({ parts, store, feed }: Work, call: Call, authUrl: string): boolean {
  if (!parts.isUsableUrl(authUrl)) {
    parts.log({ event: 'authorization-url-refused', id: call.id })
    if (!call.authUrlRefused) warnUser({ store, feed }, call)
    return false
  }
  const { conversation, event, url } = parts.surfaceAuthUrl(call, authUrl)
  const seq = store.transaction(() => {
    const shown = store.addEvent(conversation, event)
    store.keepAuthUrl(call.seq, url, shown)
    return shown
  })
  feed.notify(conversation, { ...event, seq, url })
  parts.log({ event: 'authorization-surfaced', id: call.id })
  return true
}

function warnUser({ store, feed }: Pick<Work, 'store' | 'feed'>, call: Call): void {
  const text = `The tool "${call.tool}" asked for your authorization with a link that is not safe to open, so it is not shown. The call is still waiting; you can cancel it.`
  const event: UserEvent = { type: 'notice', text }
  const seq = store.transaction(() => {
    store.markAuthUrlRefused(call.seq)
    return store.addEvent(call.conversation, event)
  })
  feed.notify(call.conversation, { ...event, seq })
}

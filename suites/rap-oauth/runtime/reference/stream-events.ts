/** The events of a conversation as they happen (server-sent events). */

import type { Context as Http } from 'hono'
import { streamSSE } from 'hono/streaming'

import { cancelCalls } from './abandon.ts'
import type { UserEvent } from './events.ts'
import type { Work } from './work.ts'

/** Everything after `after` first, then what comes, until one side closes or `isLast` was sent. */
export function streamEvents(
  work: Work,
  http: Http,
  conversation: string,
  after: number,
  isLast: (event: UserEvent) => boolean = () => false,
): Response {
  const { store, feed, closing, parts } = work
  http.header('cache-control', 'no-store')
  return streamSSE(http, async (stream) => {
    let wake = () => {}
    const ended = new AbortController()
    const waiting = store.eventsAfter(conversation, after)
    const unsubscribe = feed.subscribe(conversation, (event) => {
      waiting.push(event)
      wake()
    })
    const end = () => {
      ended.abort()
      wake()
    }
    stream.onAbort(() => {
      end()
      parts.userLeft(() => void cancelCalls(work, conversation), conversation)
    })
    closing.addEventListener('abort', end, { once: true })
    try {
      // Sends the headers, so that the client knows that it is connected.
      await stream.write(': connected\n\n')
      while (!ended.signal.aborted && !closing.aborted) {
        const event = waiting.shift()
        if (event !== undefined) {
          await stream.writeSSE({ id: String(event.seq), data: JSON.stringify(event) })
          if (isLast(event)) break
          continue
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    } finally {
      unsubscribe()
      closing.removeEventListener('abort', end)
    }
  })
}

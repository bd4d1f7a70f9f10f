/** Follows a stream of server-sent events and reports the data of each. */

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { request } from 'undici'
import { Pieces } from './pieces.ts'
import { rest, type Watch } from './surface.ts'

/** Follows until the watch ends; a stream that ends or breaks is opened again. */
export async function watchServerSentEvents(watch: Watch): Promise<void> {
  const { url, source, conversation, signal, onText } = watch
  let lastId = ''
  const pieces = new Pieces()
  while (!signal.aborted) {
    try {
      const headers = {
        ...watch.headers,
        accept: 'text/event-stream',
        ...(lastId ? { 'last-event-id': lastId } : {}),
      }
      const answer = await request(url, { headers, signal, bodyTimeout: 0 })
      watch.onState?.(answer.statusCode === 200 ? undefined : `HTTP ${answer.statusCode}`)
      if (answer.statusCode !== 200) await answer.body.dump()
      else {
        for await (const { data: text, id = lastId } of eventsOf(answer.body)) {
          lastId = id
          for (const each of [text, ...pieces.add(text)])
            onText({ source, conversation, text: each })
        }
      }
    } catch {
      // Not there yet, or there no more: tried again below.
    }
    await rest(signal)
  }
}

/** Longest event that is read, in characters; a longer one is dropped. */
export const eventLimit = 1024 * 1024

/** The events of a stream (WHATWG HTML §9.2.6), each as soon as it is complete; and when it wants to be opened again. */
export async function* eventsOf(
  body: AsyncIterable<Uint8Array>,
  onRetry?: (ms: number) => void,
): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder()
  let complete: EventSourceMessage[] = []
  const parser = createParser({
    onEvent: (event) => complete.push(event),
    onRetry,
    maxBufferSize: eventLimit,
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') parser.reset()
    },
  })
  let returned = false
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    if (text === '') continue
    // The parser would wait for what follows a CR. Whether or not that is the LF of a CRLF, the line is complete.
    const next = returned && text.startsWith('\n') ? text.slice(1) : text
    returned = text.endsWith('\r')
    parser.feed(next.replaceAll(/\r\n?/g, '\n'))
    yield* complete
    complete = []
  }
}

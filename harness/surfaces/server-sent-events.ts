/** Follows a stream of server-sent events and reports the data of each. */

import { request } from 'undici'
import { rest, type Watch } from './surface.ts'

/** Follows until the watch ends; a stream that ends or breaks is opened again. */
export async function watchServerSentEvents(watch: Watch): Promise<void> {
  const { url, signal } = watch
  let lastId = ''
  while (!signal.aborted) {
    try {
      const headers = {
        ...watch.headers,
        accept: 'text/event-stream',
        ...(lastId ? { 'last-event-id': lastId } : {}),
      }
      const answer = await request(url, { headers, signal, bodyTimeout: 0 })
      if (answer.statusCode === 200) lastId = await follow(answer.body, watch, lastId)
      else await answer.body.dump()
    } catch {
      // Not there yet, or there no more: tried again below.
    }
    await rest(signal)
  }
}

/** Longest event that is kept, in characters. */
const eventLimit = 1024 * 1024

/** WHATWG HTML §9.2.6. Returns the id of the last event. */
async function follow(body: AsyncIterable<Buffer>, watch: Watch, since: string): Promise<string> {
  const decoder = new TextDecoder()
  let lastId = since
  let rest = ''
  let data: string[] = []
  for await (const chunk of body) {
    rest = (rest + decoder.decode(chunk, { stream: true })).slice(-eventLimit)
    const lines = rest.split(/\r\n|\r|\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
      if (line.startsWith('id:')) lastId = line.slice(3).trim()
      if (line !== '' || data.length === 0) continue
      const { source, conversation, onText } = watch
      onText({ source, conversation, text: data.join('\n') })
      data = []
    }
  }
  return lastId
}

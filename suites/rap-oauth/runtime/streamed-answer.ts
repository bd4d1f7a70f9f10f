/** Reads what the answer to a user's message shows as it comes: a chat may answer by a stream that ends with its turn. */

import { Readable } from 'node:stream'
import type { Body } from '../../../harness/engine/index.ts'
import { eventLimit, eventsOf } from '../../../harness/parties/host-user/server-sent-events.ts'
import { readAnswer } from '../../../harness/parties/http.ts'
import type { StreamedResponse } from '../../../harness/parties/streaming.ts'

/** Characters of a stream that are kept for the recording. */
const keptCharacters = 64 * 1024

/** Reports each event or line of a stream when it is complete, and what is no stream at its end; gives the body. */
export async function readAsItComes(
  { headers, chunks }: StreamedResponse,
  onText: (text: string) => void,
): Promise<Body> {
  const coding = headers['content-encoding']
  const pieces = coding === undefined ? piecesOf(headers['content-type'] ?? '', chunks) : undefined
  if (!pieces) {
    const body = await readAnswer(Readable.from(chunks), headers, undefined)
    onText(body.text)
    return body
  }
  let text = ''
  let bytes = 0
  for await (const piece of pieces) {
    onText(piece)
    bytes += Buffer.byteLength(piece)
    if (text.length < keptCharacters) text += `${piece}\n`
  }
  return { text, bytes }
}

function piecesOf(
  type: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterable<string> | undefined {
  if (/^text\/event-stream\b/i.test(type)) return dataOf(chunks)
  return /ndjson|jsonl|json-lines|^text\/plain\b/i.test(type) ? linesOf(chunks) : undefined
}

async function* dataOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { data } of eventsOf(chunks)) yield data
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let open = ''
  for await (const chunk of chunks) {
    const lines = (open + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    open = (lines.pop() ?? '').slice(0, eventLimit)
    yield* lines.filter((line) => line !== '')
  }
  if (open !== '') yield open
}

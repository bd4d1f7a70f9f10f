/** Reads what the answer to a user's message shows as it comes: a chat may answer by a stream that ends with its turn. */

import { Readable } from 'node:stream'
import type { Body } from '../../harness/engine/index.ts'
import { eventLimit, eventsOf } from '../../harness/parties/host-user/server-sent-events.ts'
import { readAnswer } from '../../harness/parties/http.ts'
import type { StreamedResponse } from '../../harness/parties/streaming.ts'

/** Characters of a stream that are kept for the recording. */
const keptCharacters = 64 * 1024

/** Reports each event or line of a stream when it is complete, and what is no stream at its end; gives the body. */
export async function readAsItComes(
  { headers, chunks }: StreamedResponse,
  onText: (text: string) => void,
): Promise<Body> {
  const pieces = comesInPieces(headers)
    ? piecesOf(headers['content-type'] ?? '', chunks)
    : undefined
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

/** Whether an answer with these headers is read as it comes. */
export function comesInPieces(headers: StreamedResponse['headers']): boolean {
  const { 'content-encoding': coding, 'content-type': type = '' } = headers
  return coding === undefined && (isEventStream(type) || linewise.test(type))
}

const linewise = /ndjson|jsonl|json-lines|^text\/plain\b/i

function isEventStream(type: string): boolean {
  return /^text\/event-stream\b/i.test(type)
}

function piecesOf(type: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  return isEventStream(type) ? dataOf(chunks) : linesOf(chunks)
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

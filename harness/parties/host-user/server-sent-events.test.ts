import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { eventLimit, eventsOf, watchServerSentEvents } from './server-sent-events.ts'

async function* chunksOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

/** The data of every event, and how many chunks had been read when it was told. */
async function toldOf(...chunks: readonly (string | Uint8Array)[]): Promise<[string, number][]> {
  const told: [string, number][] = []
  let read = 0
  const counted = async function* () {
    for await (const chunk of chunksOf(...chunks)) {
      read += 1
      yield chunk
    }
  }
  for await (const { data } of eventsOf(counted())) told.push([data, read])
  return told
}

describe('events of a stream', () => {
  test.each<[string, string[], [string, number][]]>([
    ['an event', ['data: a\n\n'], [['a', 1]]],
    ['two lines', ['data: a\ndata: b\n\n'], [['a\nb', 1]]],
    ['the end of a line is split', ['data: a\r', '\ndata: b\r\n\r\n'], [['a\nb', 2]]],
    ['the end of an event is split', ['data: a\r\n\r', '\ndata: b\r\n\r\n'], [['a', 1], ['b', 2]]], // prettier-ignore
    ['every character comes alone', 'data: a\r\ndata:b\r\n\r\n'.split(''), [['a\nb', 18]]],
    ['lines end in CR', ['data: a\rdata: b\r\r', ': still there\r'], [['a\nb', 1]]],
    ['lines end in CR, one chunk only', ['data: a\r\r'], [['a', 1]]],
    ['a byte order mark', ['\ufeffdata: a\n\n'], [['a', 1]]],
    ['a data field without a colon', ['data\ndata: a\n\n'], [['\na', 1]]],
    ['no data', ['event: ping\n\nid: 1\n\n: comment\n\n'], []],
    ['an event that is cut off', ['data: a\n\ndata: b\n'], [['a', 1]]],
    ['only one blank is taken away', ['data:  a\n\n'], [[' a', 1]]],
    ['a retry and unknown fields', ['retry: soon\nfoo: bar\ndata: a\n\n'], [['a', 1]]],
  ])('%s', async (_, chunks, expected) => {
    expect(await toldOf(...chunks)).toEqual(expected)
  })

  test('a character that is split is one', async () => {
    const bytes = Buffer.from('data: ä\n\n')
    expect(await toldOf(bytes.subarray(0, 7), bytes.subarray(7))).toEqual([['ä', 2]])
  })

  test('what goes beyond the limit is dropped, and what follows is read', async () => {
    const chunk = 'x'.repeat(eventLimit)
    expect(await toldOf('data: ', chunk, chunk, '\n\n', 'data: a\n\n')).toEqual([['a', 5]])
  })
})

test('a stream that ends is opened again after its last event, until the watch ends', async () => {
  const asked: (string | undefined)[] = []
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => void response.end('id: 7\ndata: a\n\ndata: b\n\n'),
    (response) => void response.writeHead(503).end(),
    (response) => void response.end('id\ndata: c\n\n'),
    (response) => void response.write('data: d\n\n'),
  ]
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id']?.toString())
    answers.shift()?.(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = new AbortController()
  const texts: string[] = []
  await watchServerSentEvents({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    source: 'sse',
    headers: {},
    signal: end.signal,
    onText({ text }) {
      texts.push(text)
      if (text === 'd') end.abort()
    },
  })
  server.close()
  server.closeAllConnections()
  expect(texts).toEqual(['a', 'b', 'c', 'd'])
  expect(asked).toEqual([undefined, '7', '7', undefined])
})

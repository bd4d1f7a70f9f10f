import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readAsItComes } from './streamed-answer.ts'

type Chunk = string | Buffer

/** What is reported after each chunk, and at last the body. */
async function read(type: string, chunks: readonly Chunk[], more: Record<string, string> = {}) {
  const seen: string[] = []
  const after: string[][] = []
  async function* coming(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) {
      yield Buffer.from(chunk)
      after.push(seen.splice(0))
    }
  }
  const answer = { status: 200, headers: { 'content-type': type, ...more }, chunks: coming() }
  const body = await readAsItComes(answer, (text) => seen.push(text))
  return { after, rest: seen, body }
}

test('an event is shown when it is complete, though the stream goes on', async () => {
  const { after, body } = await read('text/event-stream; charset=utf-8', [
    'data: {"a":1}\n\ndata: x',
    'y\n\n',
    ': still there\n\n',
  ])
  expect(after).toEqual([['{"a":1}'], ['xy'], []])
  expect(body).toEqual({ text: '{"a":1}\nxy\n', bytes: 9 })
})

test.each(['application/x-ndjson', 'application/jsonl', 'text/plain'])(
  'a line of %s is shown when it is complete',
  async (type) => {
    const ë = Buffer.from('ë')
    const { after, rest } = await read(type, [
      '{"a":1}\r\n\n{"b"',
      ':2}\n',
      ë.subarray(0, 1),
      ë.subarray(1),
    ])
    expect([after, rest]).toEqual([[['{"a":1}'], ['{"b":2}'], [], []], ['ë']])
  },
)

test('anything else is shown as a whole', async () => {
  const { after, rest, body } = await read('application/json', ['{"a":\n', '1}'])
  expect([after, rest]).toEqual([[[], []], ['{"a":\n1}']])
  expect(body.text).toBe('{"a":\n1}')
})

test('what is compressed is shown as a whole, too', async () => {
  const packed = gzipSync('data: x\n\n')
  const { rest } = await read('text/event-stream', [packed], { 'content-encoding': 'gzip' })
  expect(rest).toEqual(['data: x\n\n'])
})

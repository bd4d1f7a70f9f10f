import { afterEach, expect, test, vi } from 'vitest'
import type { StreamedResponse } from '../../../harness/parties/streaming.ts'
import { wireLimits } from './limits.ts'
import { sentLater, type Deferral } from './sent-later.ts'

afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

async function* chunks(): AsyncGenerator<Buffer> {
  yield Buffer.from('slow down')
}

const answer = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ status, headers, chunks: chunks() }) satisfies StreamedResponse

/** Sends what is answered so, one after the other; the last answer again and again. */
async function send(answers: readonly StreamedResponse[], signal = never) {
  const deferrals: Deferral[] = []
  let sent = 0
  const { status } = await sentLater(
    async () => answers[Math.min(sent++, answers.length - 1)]!,
    signal,
    (deferral) => void deferrals.push(deferral),
    async () => undefined,
  )
  return { status, sent, pauses: deferrals.map(({ pause }) => pause) }
}

test('what is taken at once is sent once', async () => {
  expect(await send([answer(200)])).toEqual({ status: 200, sent: 1, pauses: [] })
})

test('what is too many is sent again, each time later', async () => {
  const found = await send([answer(429), answer(429), answer(202)])
  expect(found).toEqual({ status: 202, sent: 3, pauses: [250, 375] })
})

test('a server that says when is asked then, and no later than in five seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:02Z') })
  const found = await send([
    answer(429, { 'retry-after': '2' }),
    answer(503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }),
    answer(429, { 'retry-after': '3600' }),
    answer(429, { 'retry-after': 'soon' }),
    answer(200),
  ])
  expect(found.pauses).toEqual([2000, 3000, 5000, 250 * 1.5 ** 3])
})

test('a server in trouble, which does not say when, is not asked again', async () => {
  expect(await send([answer(503)])).toEqual({ status: 503, sent: 1, pauses: [] })
})

test('where it stays too many, that counts', async () => {
  const found = await send([answer(429)])
  expect(found).toMatchObject({ status: 429, sent: wireLimits.deferrals + 1 })
})

test('nothing is sent again when the waiting is over', async () => {
  expect(await send([answer(429)], AbortSignal.abort())).toMatchObject({ status: 429, sent: 1 })
})

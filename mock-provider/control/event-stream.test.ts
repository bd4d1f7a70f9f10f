import { expect, test } from 'vitest'
import { createEventLog } from '../log/event-log.ts'
import type { ProviderState } from '../provider/state.ts'
import { streamLog } from './event-stream.ts'

const append = (log: ReturnType<typeof createEventLog>): void =>
  log.append({ exchange: 1, endpoint: 'token', authorization: undefined }, {
    type: 'connection',
    closedBy: 'client',
  } as never)

test('a reader who comes late, and is slow, gets more than ten thousand events', async () => {
  const log = createEventLog(64 * 1024 * 1024)
  for (let count = 0; count < 10_500; count += 1) append(log)
  const { signal } = new AbortController()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the log is all that is read
  const response = streamLog({ log } as unknown as ProviderState, 0, signal)
  for (let count = 0; count < 100; count += 1) append(log)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let last = 0
  while (last < 10_600) {
    const { value, done } = await reader.read()
    if (done) break
    for (const [, id] of value.matchAll(/^id: (\d+)$/gm)) {
      expect(Number(id)).toBe(last + 1)
      last = Number(id)
    }
  }
  expect(last).toBe(10_600)
  await reader.cancel()
})

test('ends with the request', async () => {
  const log = createEventLog(1024)
  const controller = new AbortController()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the log is all that is read
  const response = streamLog({ log } as unknown as ProviderState, 0, controller.signal)
  const text = response.text()
  controller.abort()
  expect(await text).toBe(': the log of the mock provider\n\n')
})

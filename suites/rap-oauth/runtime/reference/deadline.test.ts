import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { backoff, pause, withDeadline } from './deadline.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const never = new AbortController().signal

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

test('ends work at its deadline, also when garbage was collected in between', async () => {
  const working = withDeadline(50, never, untilAborted)
  collectGarbage()
  await expect(working).rejects.toThrow('deadline passed')
})

test('ends work when the runtime closes', async () => {
  const closing = new AbortController()
  const working = withDeadline(60_000, closing.signal, untilAborted)
  closing.abort()
  await expect(working).rejects.toThrow('aborted')
})

test('leaves work alone that ends in time', async () => {
  expect(await withDeadline(60_000, never, () => Promise.resolve('done'))).toBe('done')
})

test('cuts waiting short when the runtime closes', async () => {
  const closing = new AbortController()
  const waiting = pause(60_000, closing.signal)
  closing.abort()
  await waiting
  await pause(60_000, closing.signal)
})

test('waits longer every time', () => {
  const delays = [1, 2, 3, 4].map((attempt) => backoff(100, attempt))
  expect(delays).toEqual(delays.toSorted((a, b) => a - b))
})

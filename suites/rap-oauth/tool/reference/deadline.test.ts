import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { withDeadline } from './deadline.ts'

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

test('ends work when the tool closes', async () => {
  const closing = new AbortController()
  const working = withDeadline(60_000, closing.signal, untilAborted)
  closing.abort()
  await expect(working).rejects.toThrow('deadline passed')
})

test('leaves work alone that ends in time', async () => {
  expect(await withDeadline(60_000, never, () => Promise.resolve('done'))).toBe('done')
})

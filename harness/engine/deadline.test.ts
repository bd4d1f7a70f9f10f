import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test, vi } from 'vitest'

import { deadlineAfter, timeIsUp, withDeadline } from './deadline.ts'

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
  await expect(working).rejects.toThrow()
})

test('ends work when the tool closes', async () => {
  const closing = new AbortController()
  const working = withDeadline(60_000, closing.signal, untilAborted)
  closing.abort()
  await expect(working).rejects.toThrow()
})

test('leaves work alone that ends in time', async () => {
  expect(await withDeadline(60_000, never, () => Promise.resolve('done'))).toBe('done')
})

test('says that the time was up, or why it was ended', async () => {
  const reason = new Error('the run was interrupted')
  await expect(withDeadline(1, undefined, untilAborted)).rejects.toBe(timeIsUp)
  const ended = withDeadline(60_000, AbortSignal.abort(reason), async (signal) =>
    signal.throwIfAborted(),
  )
  await expect(ended).rejects.toBe(reason)
})

test('does not begin work as if nothing had happened when it was ended before', async () => {
  const seen = await withDeadline(60_000, AbortSignal.abort(), async ({ aborted }) => aborted)
  expect(seen).toBe(true)
})

test('passes on what the work throws', async () => {
  const failing = withDeadline(60_000, never, () => Promise.reject(new Error('refused')))
  await expect(failing).rejects.toThrow('refused')
})

test('keeps nothing of work that has ended', async () => {
  const parent = new AbortController()
  let signal: AbortSignal | undefined
  await withDeadline(60_000, parent.signal, async (given) => void (signal = given))
  parent.abort()
  expect(signal?.aborted).toBe(false)
})

test('begins anew where the machine was busy, but not for ever', async () => {
  const asked: number[] = []
  const busy = (ms: number) => asked.push(ms) > 0
  await expect(withDeadline(2, never, untilAborted, busy)).rejects.toBe(timeIsUp)
  expect(asked).toEqual([2, 2])
})

test('calls nobody back who has stopped it', () => {
  vi.useFakeTimers()
  let called = false
  const stop = deadlineAfter(
    1,
    () => (called = true),
    () => called,
  )
  stop()
  vi.advanceTimersByTime(5)
  vi.useRealTimers()
  expect(called).toBe(false)
})

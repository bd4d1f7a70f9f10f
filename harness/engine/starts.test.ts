import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Starts } from './starts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Starts of which each ends when it is told to, on a machine with so many idle processors. */
function starting(idleProcessors = 0) {
  let idle = 0
  let at = performance.now()
  const starts = new Starts(() => {
    idle += idleProcessors * (performance.now() - at)
    at = performance.now()
    return idle
  })
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const begin = (name: string, urgent?: boolean): Promise<void> => {
    const work = (): Promise<void> =>
      new Promise((resolve, reject) => {
        begun.push(name)
        ends.set(name, (error) => (error ? reject(error) : resolve()))
      })
    return starts.inTurn(work, { urgent })
  }
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { begin, begun, end }
}

test('where no processor is idle, one start follows the other, also after one that failed', async () => {
  const { begin, begun, end } = starting()
  const first = begin('a')
  void begin('b')
  const third = begin('c')
  await vi.advanceTimersByTimeAsync(5000)
  expect(begun).toEqual(['a'])
  void first.catch(() => undefined)
  await end('a', new Error('no such program'))
  await expect(first).rejects.toThrow('no such program')
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  await end('c')
  await third
  expect(vi.getTimerCount()).toBe(0)
})

test('where half a processor is idle, a further one begins with each look', async () => {
  const { begin, begun, end } = starting(0.5)
  for (const name of ['a', 'b', 'c', 'd']) void begin(name)
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(50)
  expect(begun).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  expect(vi.getTimerCount()).toBe(0)
  await end('a')
})

test('what has more to do once it is started keeps its turn for that', async () => {
  const starts = new Starts(() => 0)
  let settle = (): void => undefined
  const settled = new Promise<void>((resolve) => (settle = resolve))
  let begun = false
  const next = async (): Promise<void> => Promise.resolve(void (begun = true))
  const first = starts.inTurn(() => Promise.resolve('a'), { settled: () => settled })
  const second = starts.inTurn(next)
  expect(await first).toBe('a')
  await vi.advanceTimersByTimeAsync(1000)
  expect(begun).toBe(false)
  settle()
  await second
  expect(begun).toBe(true)
})

test('a restart does not wait for what is new', async () => {
  const { begin, begun, end } = starting()
  void begin('a')
  void begin('new')
  void begin('restart', true)
  await vi.advanceTimersByTimeAsync(0)
  await end('a')
  expect(begun).toEqual(['a', 'restart'])
})

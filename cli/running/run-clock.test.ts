import { expect, test, vi } from 'vitest'
import { startClock } from './run-clock.ts'

test.each([
  ['goes on', 1000, undefined],
  ['is set back by an hour', 1000 - 3_600_000, -3_600_000],
  ['is set on by an hour', 1000 + 3_600_000, 3_600_000],
])('where the clock of the machine %s, a second is a second', (_, elapsed, jump) => {
  let [wall, monotonic] = [1_700_000_000_000, 5]
  const span = startClock({ wall: () => wall, monotonic: () => monotonic })
  wall += elapsed
  monotonic += 1000
  const { started, finished, ...more } = span()
  expect(finished.getTime() - started.getTime()).toBe(1000)
  expect(more).toEqual(jump === undefined ? {} : { jump })
})

test('a clock that is set and set back before the end has jumped', () => {
  vi.useFakeTimers()
  let [wall, monotonic] = [1_700_000_000_000, 0]
  const span = startClock({ wall: () => wall, monotonic: () => monotonic })
  wall += 60_000
  vi.advanceTimersByTime(1000)
  wall -= 59_000
  monotonic += 1000
  expect(span().jump).toBe(60_000)
  vi.useRealTimers()
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchForBusyMachine } from './busy-machine.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** The clock goes on by these milliseconds between one tick of the timer and the next. */
function lateAfter(...pauses: readonly number[]): number | undefined {
  let now = 0
  const machine = watchForBusyMachine(() => now)
  for (const pause of pauses) {
    now += pause
    vi.advanceTimersByTime(100)
  }
  machine.stop()
  return machine.lateMs()
}

test('a timer that comes in time says nothing', () => {
  expect(lateAfter(100, 130, 599)).toBeUndefined()
})

test('the latest timer says how busy the machine was', () => {
  expect(lateAfter(100, 912.4, 700)).toBe(812)
})

test('nothing is noticed after the end', () => {
  let now = 0
  const machine = watchForBusyMachine(() => now)
  machine.stop()
  now = 5000
  vi.advanceTimersByTime(1000)
  expect(machine.lateMs()).toBeUndefined()
})

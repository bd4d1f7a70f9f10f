import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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

describe('how long ago the machine was busy', () => {
  let now = 0
  const machineAt = () => {
    now = 0
    return watchForBusyMachine(() => now)
  }
  const tick = (ms: number) => {
    now += ms
    vi.advanceTimersByTime(100)
  }

  test('is known from the latest timer that was late', () => {
    const machine = machineAt()
    tick(700)
    for (let ticks = 0; ticks < 10; ticks += 1) tick(100)
    expect(machine.busyFor(999)).toBe(false)
    expect(machine.busyFor(1000)).toBe(true)
    machine.stop()
  })

  test('counts a timer that has not come yet', () => {
    const machine = machineAt()
    tick(100)
    now += 650
    expect(machine.busyFor(100)).toBe(true)
    machine.stop()
  })

  test('is never where all came in time', () => {
    const machine = machineAt()
    tick(100)
    tick(300)
    expect(machine.busyFor(60_000)).toBe(false)
    machine.stop()
  })
})

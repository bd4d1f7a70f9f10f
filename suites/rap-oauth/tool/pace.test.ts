import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

const timing = { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 }

test('the first step of its kind gets all the time that there is', () => {
  const pace = new Pace(timing)
  pace.took('message', 10)
  expect([pace.within('message'), pace.within('page')]).toEqual([5000, 30_000])
})

test('a slow implementation gets a multiple of what it was seen to need', () => {
  const pace = new Pace(timing)
  pace.took('message', 6000)
  pace.took('message', 100)
  expect(pace.within('message')).toBe(24_000)
  pace.took('message', 20_000)
  expect(pace.within('message')).toBe(30_000)
})

test('what was waited for in vain is waited for as any step', () => {
  const pace = new Pace(timing)
  pace.missed('page')
  expect(pace.within('page')).toBe(5000)
  pace.took('page', 4000)
  pace.missed('page')
  expect(pace.within('page')).toBe(16_000)
})

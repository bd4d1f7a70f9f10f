import { expect, test } from 'vitest'
import { check, checkAnyway } from './check.ts'
import { deliversResult } from './given-results.ts'
import { options, recording, type Recording } from '../testing.ts'
import { waits } from '../vocabulary.ts'

const undelivered = (ms: number): Recording =>
  recording().running().oauth().after(ms).result().gaveUp(waits.given)
const outcomeOf = (t: Recording, callTimeoutMs?: number, make = check): string => {
  const { judge } = make('rap-oauth/runtime/deliver-result', 'delivers', deliversResult())
  return judge(t.transcript, options.context({ callTimeoutMs }, undefined)).outcome
}

test('what a timeout of the runtime may have ended is no violation', () => {
  expect(outcomeOf(undelivered(100))).toBe('violation')
  expect(outcomeOf(undelivered(100), 3000)).toBe('violation')
  expect(outcomeOf(undelivered(2700), 3000)).toBe('inconclusive')
  expect(outcomeOf(undelivered(2700))).toBe('violation')
})

test('unless the timeout itself is looked at', () => {
  expect(outcomeOf(undelivered(2700), 3000, checkAnyway)).toBe('violation')
})

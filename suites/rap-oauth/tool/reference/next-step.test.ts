import { expect, test } from 'vitest'

import { nextStep } from './next-step.ts'

test.each([
  ['invalid_token', 'stored', 'refresh'],
  ['invalid_token', 'refreshed', 'authorize'],
  ['invalid_token', 'granted', 'fail'],
  ['insufficient_scope', 'stored', 'authorize'],
  ['insufficient_scope', 'refreshed', 'authorize'],
  ['insufficient_scope', 'granted', 'fail'],
] as const)('%s for a %s token: %s', (refusal, origin, step) => {
  expect(nextStep(refusal, origin)).toBe(step)
})

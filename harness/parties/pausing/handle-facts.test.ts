import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { factsOf } from './handle-facts.ts'

const known = { user: 'user-0123456789', state: 'state-9876543210' }
const many = (make: () => string): string[] => Array.from({ length: 60 }, make)
const claims = Buffer.from('{"sub":"user-0123456789"}').toString('base64url')

test.each([
  ['a UUID', () => randomUUID()],
  ['a UUID in capitals', () => randomUUID().toUpperCase()],
  ['its hex digits', () => randomUUID().replaceAll('-', '')],
  ['random bytes', () => randomBytes(16).toString('base64url')],
  ['one with a long beginning of its own', () => `pf1.${'a'.repeat(200)}.${randomUUID()}`],
])('%s differs enough from others, and tells nothing', (_, make) => {
  const facts = factsOf(make(), many(make), known)
  expect(facts.bits).toBeGreaterThanOrEqual(64)
  expect(facts.holds).toEqual([])
})

test.each([
  ['a counter', 'pause-of-planner-0000017', ['pause-of-planner-0000016']],
  ['a short one', 'a1b2c3d4', []],
  ['the time', '2026-11-23T12:00:00.001Z-pause', ['2026-11-23T12:00:00.000Z-pause']],
  ['a number of twelve digits', '123456789012', ['987654321098']],
])('%s does not', (_, handle, earlier) => {
  expect(factsOf(handle, earlier, known).bits).toBeLessThan(64)
})

test.each([
  ['in clear', `${known.user}.${randomUUID()}`, ['user']],
  ['in a part', `${randomUUID()}:${known.state}`, ['state']],
  ['in base64', `x.${claims}.${randomUUID()}`, ['user']],
  ['nothing', randomUUID(), []],
])('what stands inside: %s', (_, handle, holds) => {
  expect(factsOf(handle, [], known).holds).toEqual(holds)
})

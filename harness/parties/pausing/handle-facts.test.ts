import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { factsOf } from './handle-facts.ts'

const known = { user: 'user-0123456789', state: 'state-9876543210' }
const many = (make: () => string): string[] => Array.from({ length: 300 }, make)
const claims = Buffer.from('{"sub":"user-0123456789"}').toString('base64url')

/** RFC 9562 §5.7, all of one millisecond: 74 random bits. */
function uuid7(): string {
  const random = randomUUID()
  return `019a5f3c-8d21-7${random.slice(15)}`
}

test.each([
  ['a UUID', () => randomUUID()],
  ['a UUID in capitals', () => randomUUID().toUpperCase()],
  ['its hex digits', () => randomUUID().replaceAll('-', '')],
  ['a UUID of the time, version 7', uuid7],
  ['64 random bits', () => randomBytes(8).toString('hex')],
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
  [
    'a counter of many digits',
    '00000000000000000000000000001234',
    ['00000000000000000000000000000987'],
  ],
  ['32 random bits', 'a1b2c3d4', ['0f4e5a6b']],
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

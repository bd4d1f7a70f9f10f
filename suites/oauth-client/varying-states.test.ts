import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { statesVary } from './varying-states.ts'

const outcomeOf = (states: readonly string[]) => statesVary(states, states, []).outcome

/** Deterministic, and as unlike each other as random bytes. */
const random = (seed: string, length: number) =>
  createHash('sha512').update(seed).digest().subarray(0, length)

const forms: readonly (readonly [string, (run: string) => string])[] = [
  ['64 bits in hexadecimal', (run) => random(run, 8).toString('hex')],
  ['128 bits in capitals', (run) => random(run, 16).toString('hex').toUpperCase()],
  ['64 bits in base64url', (run) => random(run, 8).toString('base64url')],
  [
    '20 digits',
    (run) =>
      random(run, 20)
        .map((byte) => 48 + (byte % 10))
        .toString(),
  ],
  [
    'of other lengths',
    (run) => `${'x'.repeat((run.length % 3) + 1)}.${random(run, 16).toString('hex')}`,
  ],
]

test.each(forms)('random states never fail by chance: %s', (_, form) => {
  for (let run = 0; run < 500; run += 1) {
    const states = Array.from({ length: 4 }, (_, flow) =>
      form(`${run} ${flow} ${'y'.repeat(flow)}`),
    )
    expect(outcomeOf(states)).toBe('pass')
  }
})

test.each(forms)('nor where there are hundreds: %s', (_, form) => {
  for (let run = 0; run < 5; run += 1)
    expect(outcomeOf(Array.from({ length: 300 }, (__, flow) => form(`${run} ${flow}`)))).toBe(
      'pass',
    )
})

test('what few random bits keep apart in one second is too little', () => {
  const ofSecond = (second: string) => random(second, 12).toString('hex')
  const states = ['1 a', '1 b', '2 c', '2 d'].map(
    (flow) => ofSecond(flow.slice(0, 1)) + random(flow, 10).toString('hex').slice(0, 5),
  )
  expect(outcomeOf(states)).toBe('violation')
})

test('nor two of them', () => {
  for (let run = 0; run < 500; run += 1)
    expect(outcomeOf(['a', 'b'].map((flow) => random(`${run}${flow}`, 8).toString('hex')))).toBe(
      'pass',
    )
})

test.each([
  [
    'ObjectIds',
    ['6745a1b13f9c2d8e7a40514d', '6745a1b23f9c2d8e7a40514e', '6745a1b43f9c2d8e7a405150'],
  ],
  [
    'a time before, a counter behind',
    ['17000001-constant-constant-constant-1', '17000002-constant-constant-constant-2'],
  ],
])('what stands between two that change does not count: %s', (_, states) => {
  expect(outcomeOf(states)).toBe('violation')
})

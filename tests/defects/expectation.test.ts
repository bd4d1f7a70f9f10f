import { expect, test } from 'vitest'
import { lacksProof, measure, summarise } from './expectation.ts'

const finding = (
  requirement: string,
  scenario: string,
  verdict: 'fail' | 'warn' | 'inconclusive',
) => ({
  requirement,
  scenario,
  verdict,
  title: '',
  keyword: 'MUST' as const,
  basis: 'specification' as const,
  source: '',
  message: '',
  evidence: [],
})

test('a requirement that turned is not unproven, too', () => {
  const measured = measure([
    finding('b', 'two', 'fail'),
    finding('a', 'one', 'warn'),
    finding('b', 'one', 'inconclusive'),
    finding('c', 'one', 'inconclusive'),
  ])
  expect(summarise(measured)).toEqual({ turns: ['a', 'b'], unproven: ['c'] })
})

/** Checks of one scenario, as they were measured. */
const inOne = (turned: readonly string[], unproven: readonly string[]) => {
  const check = (requirement: string) => ({ requirement, scenario: 'one' })
  return { turned: turned.map(check), unproven: unproven.map(check) }
}

test.each([
  ['the same', inOne(['a'], ['b']), false],
  ['more without proof', inOne(['a'], ['b', 'c']), true],
  ['what should turn is without proof', inOne([], ['a', 'b']), true],
  ['other things without proof', inOne(['a'], ['c', 'd']), false],
  ['less without proof', inOne(['a'], []), false],
  ['another violation', inOne(['a', 'd'], ['b', 'c']), false],
  ['what should turn passes', inOne([], ['b', 'c']), false],
])('%s: proof alone is missing: %s', (_, found, lacking) => {
  expect(lacksProof(found, { turns: ['a'], unproven: ['b'] }, ['one: a'])).toBe(lacking)
})

test('a violation in a scenario in which none is recorded is no lack of proof', () => {
  const found = inOne(['a'], ['b', 'c'])
  expect(lacksProof(found, { turns: ['a'], unproven: ['b'] }, ['two: a'])).toBe(false)
})

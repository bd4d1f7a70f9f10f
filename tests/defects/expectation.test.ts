import { expect, test } from 'vitest'
import { described, lacksProof, measure, summarise } from './expectation.ts'

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

test.each([
  ['the same', { turns: ['a'], unproven: ['b'] }, false],
  ['more without proof', { turns: ['a'], unproven: ['b', 'c'] }, true],
  ['other things without proof', { turns: ['a'], unproven: ['c', 'd'] }, false],
  ['less without proof', { turns: ['a'], unproven: [] }, false],
  ['another violation', { turns: ['a', 'd'], unproven: ['b', 'c'] }, false],
  ['no violation', { turns: [], unproven: ['a', 'b'] }, false],
])('%s: proof alone is missing: %s', (_, found, lacking) => {
  expect(lacksProof(described(found), described({ turns: ['a'], unproven: ['b'] }))).toBe(lacking)
})

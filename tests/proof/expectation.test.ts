import { expect, test } from 'vitest'
import { rapTool } from '../../suites/rap-oauth/tool/profile.ts'
import {
  agree,
  compareDeclared,
  comparePart,
  compareWhole,
  lacksProof,
  measure,
  namesOf,
  summarise,
} from './expectation.ts'

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

test('a requirement of another folder keeps its whole id, so that no two names are the same', () => {
  const checks = ['oauth-client/pkce', 'x/y/pkce'].map((requirement) => ({
    requirement,
    scenario: 'one',
  }))
  expect(namesOf({ id: 'x/y' }, checks)).toEqual(['one: oauth-client/pkce', 'one: pkce'])
})

/** Checks of one scenario, as they were measured. */
const inOne = (turned: readonly string[], unproven: readonly string[], scenario = 'one') => {
  const check = (requirement: string) => ({ requirement, scenario })
  return { turned: turned.map(check), unproven: unproven.map(check) }
}

const expectation = { turns: ['a'], unproven: ['b'] }

test.each([
  ['the same', inOne(['a'], ['b']), true, false],
  ['more without proof', inOne(['a'], ['b', 'c']), false, true],
  ['what should turn is without proof', inOne([], ['a', 'b']), false, true],
  ['other things without proof', inOne(['a'], ['c', 'd']), false, false],
  ['less without proof', inOne(['a'], []), false, false],
  ['another violation', inOne(['a', 'd'], ['b', 'c']), false, false],
  ['what should turn passes', inOne([], ['b', 'c']), false, false],
  ['a violation in another scenario', inOne(['a'], ['b'], 'two'), false, false],
])('everything was driven: %s', (_, found, same, lacking) => {
  const differences = compareWhole({ id: 'x/y' }, found, expectation, ['one: a'])
  expect(agree(differences)).toBe(same)
  expect(lacksProof({ id: 'x/y' }, found, differences)).toBe(lacking)
})

test.each([
  ['without proof', inOne(['a'], ['b', 'c'])],
  ['turned', inOne(['a', 'c'], ['b'])],
  ['proven', inOne(['a'], ['b'])],
])('what depends on who is first may be %s', (_, found) => {
  const varying = { ...expectation, varies: ['c'] }
  const { id } = rapTool
  expect(agree(compareWhole({ id }, found, varying, ['one: a']))).toBe(true)
  expect(agree(comparePart(rapTool, found, varying, ['one: a'], ['one']))).toBe(true)
})

test('what must turn does not depend on who is first', () => {
  const varying = { ...expectation, varies: ['a'] }
  const [found, killed] = [inOne([], ['b']), ['one: a']]
  expect(compareWhole(rapTool, found, varying, killed).missing).toEqual(killed)
  expect(comparePart(rapTool, found, varying, killed, ['one']).missing).toEqual(killed)
})

test('what is recorded for the first time has to turn what is declared', () => {
  const compare = (...turned: string[]) =>
    agree(compareWhole({ id: 'x/y' }, inOne(turned, ['b']), expectation, undefined))
  expect([compare('a'), compare(), compare('a', 'c')]).toEqual([true, false, false])
})

test.each([
  ['what is recorded of it', inOne(['a'], []), true],
  ['what is declared without proof', inOne(['a'], ['b']), true],
  ['without proof here, and turned elsewhere', inOne(['a'], ['a']), true],
  ['without proof, and not declared', inOne(['a'], ['c']), false],
  ['what should turn does not', inOne([], ['b']), false],
  ['another violation', inOne(['a', 'c'], []), false],
])('a part was driven: %s', (_, found, same) => {
  const killed = ['one: a', 'two: a']
  expect(agree(comparePart(rapTool, found, expectation, killed, ['one']))).toBe(same)
})

test('what is judged of the whole run may lack proof where only a part of it was driven', () => {
  const found = inOne([], ['z'], 'whole-run')
  expect(agree(comparePart(rapTool, found, { turns: [] }, [], ['whole-run']))).toBe(true)
})

test('what is recorded of a part has to be declared', () => {
  const compare = (...turned: string[]) =>
    compareDeclared(rapTool, inOne(turned, ['b']), expectation)
  expect(agree(compare('a'))).toBe(true)
  expect(agree(compare())).toBe(true)
  expect(compare('a', 'd').extra).toEqual(['one: d'])
  expect(compareDeclared(rapTool, inOne([], ['c']), expectation).unproven).toEqual(['c'])
})

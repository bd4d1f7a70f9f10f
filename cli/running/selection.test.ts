import { describe, expect, test } from 'vitest'
import type { AnyProfile } from '../../harness/engine/index.ts'
import { select } from './selection.ts'

const scenario = (id: string, checks: readonly string[], more = {}) => ({
  id,
  title: id,
  checks: checks.map((requirement) => ({ requirement, title: requirement })),
  ...more,
})
const row = { keyword: 'MUST', basis: 'specification', source: 's', text: 't' }
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is selected by matters here
const profile = {
  id: 'p/tool',
  gate: { scenario: 'gate' },
  requirements: [
    ...['p/tool/echo', 'p/tool/echo-id', 'p/tool/leak'].map((id) => ({ ...row, id })),
    { ...row, id: 'p/tool/vague', excluded: 'too vague' },
  ],
  scenarios: [
    scenario('gate', ['p/tool/echo']),
    scenario('control', ['p/tool/echo-id']),
    scenario('negative', ['p/tool/echo', 'p/tool/echo-id'], { control: 'control' }),
    scenario('whole', ['p/tool/leak'], { after: 'all' }),
  ],
} as unknown as AnyProfile

describe('select', () => {
  test('takes everything without a filter', () => {
    expect(select(profile, []).driven).toEqual(['gate', 'control', 'negative', 'whole'])
  })

  test('a scenario brings the gate and its control along, of which nothing is reported', () => {
    const { driven, judged, reports } = select(profile, ['negative'])
    expect(driven).toEqual(['gate', 'control', 'negative'])
    expect(judged).toEqual(['negative'])
    expect(reports({ scenario: 'control', requirement: 'p/tool/echo-id' })).toBe(false)
  })

  test('an id means itself, a part of it everything that contains it', () => {
    expect(select(profile, ['p/tool/echo']).judged).toEqual(['gate', 'negative'])
    expect(select(profile, ['ECHO']).judged).toEqual(['gate', 'control', 'negative'])
    const { reports } = select(profile, ['p/tool/echo'])
    expect(reports({ scenario: 'negative', requirement: 'p/tool/echo-id' })).toBe(false)
  })

  test('several filters add up', () => {
    expect(select(profile, ['control', 'p/tool/echo']).judged).toEqual([
      'gate',
      'control',
      'negative',
    ])
  })

  test('what judges the whole run needs the whole run', () => {
    const { driven, judged } = select(profile, ['leak'])
    expect(driven).toEqual(['gate', 'control', 'negative', 'whole'])
    expect(judged).toEqual(['whole'])
  })

  test.each([
    ['ecko-id', /matches no requirement or scenario/],
    ['', /matches no requirement or scenario/],
    ['p/tool/vague', /no run can judge this requirement: too vague/],
  ])('refuses %j', (filter, message) => {
    expect(() => select(profile, [filter])).toThrow(message)
  })
})

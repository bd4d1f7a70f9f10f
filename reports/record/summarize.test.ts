import { expect, test } from 'vitest'
import type { Verdict } from '../../harness/engine/index.ts'
import { countVerdicts, summarizeRequirements, verdictOf, worstVerdict } from './summarize.ts'
import { catalogueBase, failed } from '../testing.ts'

test.each<[readonly Verdict[], Verdict | undefined]>([
  [['pass', 'warn', 'inconclusive', 'fail'], 'fail'],
  [['pass', 'warn', 'inconclusive'], 'inconclusive'],
  [['not-applicable', 'pass', 'warn'], 'warn'],
  [['not-applicable', 'pass'], 'pass'],
  [['not-offered', 'pass'], 'pass'],
  [['not-applicable', 'not-offered'], 'not-offered'],
  [['not-applicable'], 'not-applicable'],
  [[], undefined],
])('the worst of %j is %s', (verdicts, worst) => {
  expect(worstVerdict(verdicts)).toBe(worst)
})

test('a run during which the clock jumped proves nothing', () => {
  const passed = { ...failed, verdict: 'pass' } as const
  expect(verdictOf([passed], { strict: false })).toBe('conformant')
  for (const finding of [passed, failed]) {
    expect(verdictOf([finding], { strict: false, clockJumpMs: 5000 })).toBe('inconclusive')
  }
})

test('counts every verdict', () => {
  expect(countVerdicts([failed, failed, { ...failed, verdict: 'warn' }])).toEqual({
    pass: 0,
    fail: 2,
    warn: 1,
    inconclusive: 0,
    'not-offered': 0,
    'not-applicable': 0,
  })
})

test('has a row for judged, excluded and unjudged requirements', () => {
  const row = { keyword: 'MUST', basis: 'specification', source: 's', text: 't' } as const
  const rows = summarizeRequirements(
    {
      ...catalogueBase,
      scenarios: [],
      requirements: [
        { ...row, id: failed.requirement },
        { ...row, id: 'p/tool/vague', excluded: 'too vague' },
        { ...row, id: 'p/tool/other' },
      ],
    },
    [failed, { ...failed, scenario: 'other', verdict: 'pass' }],
  )
  expect(rows.map(({ verdict, scenarios }) => ({ verdict, scenarios }))).toEqual([
    { verdict: 'fail', scenarios: ['denied-consent', 'other'] },
    { verdict: 'excluded', scenarios: [] },
    { verdict: 'not-judged', scenarios: [] },
  ])
})

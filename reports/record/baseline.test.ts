import { describe, expect, test } from 'vitest'
import type { Finding } from '../../harness/engine/index.ts'
import {
  baselineFormat,
  baselineJson,
  emptyBaseline,
  holdAgainst,
  parseBaseline,
  updated,
  type Baseline,
  type BaselineEntry,
  type Held,
} from './baseline.ts'
import type { Catalogue } from './catalogue.ts'
import { catalogueBase, failed } from '../testing.ts'

const row = { keyword: 'MUST', basis: 'specification', source: 's', text: 't' } as const
const catalogue: Catalogue = {
  ...catalogueBase,
  requirements: [
    { ...row, id: 'p/tool/a' },
    { ...row, id: 'p/tool/b' },
  ],
  scenarios: [
    {
      id: 's1',
      title: '',
      checks: [
        { requirement: 'p/tool/a', title: '' },
        { requirement: 'p/tool/b', title: '' },
      ],
    },
    { id: 'all', title: '', after: 'all', checks: [{ requirement: 'p/tool/a', title: '' }] },
  ],
}

function found(name: string, verdict: Finding['verdict'], scenario = 's1'): Finding {
  return { ...failed, requirement: `p/tool/${name}`, scenario, verdict }
}

function held(findings: readonly Finding[], change: Partial<Held> = {}): Held {
  return { findings, strict: false, partial: false, catalogue, today: '2026-06-15', ...change }
}

function known(change: Partial<BaselineEntry> = {}): Baseline {
  const entry: BaselineEntry = {
    requirement: 'p/tool/a',
    scenario: 's1',
    verdict: 'fail',
    reason: 'ticket 7',
    ...change,
  }
  return { ...emptyBaseline('p/tool'), entries: [entry] }
}

const problems = (baseline: Baseline, situation: Held) => holdAgainst(baseline, situation).problems

describe('an entry', () => {
  test('that occurs is known, with its reason', () => {
    expect(holdAgainst(known(), held([found('a', 'fail'), found('b', 'fail')]))).toEqual({
      known: [{ requirement: 'p/tool/a', scenario: 's1', verdict: 'fail', reason: 'ticket 7' }],
      problems: [],
    })
  })

  test.each<[string, Partial<BaselineEntry>, readonly Finding[], RegExp]>([
    ['no longer occurs', {}, [found('a', 'pass')], /no longer occurs: expected fail, found pass/],
    ['became unproven', {}, [found('a', 'inconclusive')], /expected fail, found inconclusive/],
    ['is only a warning now', {}, [found('a', 'warn')], /expected fail, found warn/],
    ['is unknown', { requirement: 'p/tool/z' }, [], /there is no such requirement/],
    [
      'is of another scenario',
      { scenario: 'all', requirement: 'p/tool/b' },
      [],
      /no scenario of the name all/,
    ],
    ['has expired', { expires: '2026-06-14' }, [found('a', 'fail')], /expired on 2026-06-14/],
    ['has no reason', { reason: '' }, [found('a', 'fail')], /has no reason/],
  ])('%s: out of date', (_, change, findings, message) => {
    expect(problems(known(change), held(findings))).toEqual([expect.stringMatching(message)])
  })

  test('is good until the end of its last day', () => {
    expect(problems(known({ expires: '2026-06-15' }), held([found('a', 'fail')]))).toEqual([])
  })

  test('that expired is known all the same: it is the baseline that is wrong', () => {
    expect(
      holdAgainst(known({ expires: '2020-01-01' }), held([found('a', 'fail')])).known,
    ).toHaveLength(1)
  })

  test('that this run did not look at is neither known nor out of date', () => {
    expect(holdAgainst(known(), held([]))).toEqual({ known: [], problems: [] })
  })

  test('about the whole run is not missed by a shard, which saw a part of it', () => {
    const partial = { filters: [], shard: { index: 1, of: 2 } }
    const entry = known({ scenario: 'all' })
    const findings = [found('a', 'pass', 'all')]
    expect(problems(entry, held(findings, { partial }))).toEqual([])
    expect(problems(entry, held(findings))).toHaveLength(1)
  })

  test('of something unproven counts only where it is binding', () => {
    const entry = known({ verdict: 'inconclusive' })
    expect(problems(entry, held([found('a', 'inconclusive')]))).toEqual([])
    expect(
      problems(entry, held([{ ...found('a', 'inconclusive'), keyword: 'SHOULD' }])),
    ).toHaveLength(1)
  })
})

describe('an updated baseline', () => {
  test('has what occurs, keeps reasons, drops what is gone, and asks for new reasons', () => {
    const before: Baseline = {
      ...emptyBaseline('p/tool'),
      entries: [
        ...known({ expires: '2026-07-01' }).entries,
        ...known({ requirement: 'p/tool/gone' }).entries,
        ...known({ requirement: 'p/tool/a', scenario: 'all', reason: 'elsewhere' }).entries,
      ],
    }
    const after = updated(before, held([found('a', 'inconclusive'), found('b', 'fail')]))
    expect(after.entries).toEqual([
      { requirement: 'p/tool/a', scenario: 'all', verdict: 'fail', reason: 'elsewhere' },
      {
        requirement: 'p/tool/a',
        scenario: 's1',
        verdict: 'inconclusive',
        reason: 'ticket 7',
        expires: '2026-07-01',
      },
      { requirement: 'p/tool/b', scenario: 's1', verdict: 'fail', reason: '' },
    ])
    expect(parseBaseline(baselineJson(after), 'p/tool')).toEqual(after)
  })
})

test.each([
  ['{', /JSON/],
  ['[]', /the file: /],
  [JSON.stringify({ ...known(), version: 2 }), /version: /],
  [JSON.stringify({ ...known(), format: 'x' }), /format: .*agent-oauth-conformance\/baseline/],
  [
    JSON.stringify({ ...known(), profile: 'q' }),
    /profile: it is a baseline of "q", expected "p\/tool"/,
  ],
  [JSON.stringify(known({ expires: 'soon' })), /entries\.0\.expires: /],
  [
    JSON.stringify({ format: baselineFormat, version: 1, profile: 'p/tool', entries: [{}] }),
    /entries\.0\.requirement/,
  ],
])('refuses %s', (text, message) => {
  expect(() => parseBaseline(text, 'p/tool')).toThrow(message)
})

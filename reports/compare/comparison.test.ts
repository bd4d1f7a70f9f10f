import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../harness/engine/index.ts'
import type { RunRecord } from '../record/run-record.ts'
import { failed, hostile, recordOf } from '../testing.ts'
import { comparisonPages } from './comparison-html.ts'
import { comparisonMarkdown, letter } from './comparison-md.ts'
import { compareRuns } from './comparison.ts'

/** A run of an implementation in which one requirement has this verdict. */
function run(name: string, version: string, verdict: Verdict, started: string): RunRecord {
  const record = recordOf([{ ...failed, verdict }])
  const [requirement] = record.requirements
  return {
    ...record,
    implementation: { name, version },
    started: `2026-01-0${started}T00:00:00.000Z`,
    requirements: requirement ? [{ ...requirement, verdict }] : [],
  }
}

const first = run('tool', '1.0', 'fail', '1')
const second = run('tool', '1.1', 'pass', '2')
const other = run('another', '9', 'pass', '3')

test('a column for each run in their order, a row for each requirement', () => {
  const [comparison] = compareRuns([other, second, first])
  expect(comparison?.columns.map(({ label }) => label)).toEqual([
    'tool 1.0',
    'tool 1.1',
    'another 9',
  ])
  expect(comparison?.rows).toMatchObject([{ cells: ['fail', 'pass', 'pass'], differs: true }])
})

test('what changed between two versions of one implementation, and nothing between two', () => {
  const [comparison] = compareRuns([first, other, second])
  expect(comparison?.changes).toMatchObject([
    {
      from: { label: 'tool 1.0' },
      to: { label: 'tool 1.1' },
      requirements: [{ id: 'p/tool/echo-id', was: 'fail', is: 'pass' }],
    },
  ])
})

test('runs that would be called the same have a number', () => {
  const [comparison] = compareRuns([first, first])
  expect(comparison?.columns.map(({ label }) => label)).toEqual(['tool 1.0', 'tool 1.0 (2)'])
  expect(comparison?.rows[0]?.differs).toBe(false)
})

test('profiles are not mixed', () => {
  const runs = [first, { ...second, profile: 'p/runtime' }]
  expect(compareRuns(runs).map(({ profile }) => profile)).toEqual(['p/runtime', 'p/tool'])
})

test('a requirement that one catalogue does not have differs', () => {
  const [comparison] = compareRuns([first, { ...second, requirements: [] }])
  expect(comparison?.rows).toMatchObject([{ cells: ['fail', undefined], differs: true }])
})

test('letters go on after Z', () => {
  expect([0, 25, 26, 27, 701, 702].map(letter)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA'])
})

describe('the pages', () => {
  const pages = comparisonPages(compareRuns([run(hostile, hostile, 'fail', '1'), second]))

  test('a page for the grid and one for each difference, with files that cannot lead elsewhere', () => {
    expect([...pages.keys()]).toEqual(['index.html', 'p--tool--echo-id.html'])
    const odd = { ...first.requirements[0]!, id: '../../etc/passwd' }
    const names = comparisonPages(compareRuns([{ ...first, requirements: [odd] }, second])).keys()
    expect([...names].some((name) => name.includes('/'))).toBe(false)
  })

  test('what an implementation calls itself is escaped, everywhere', () => {
    for (const content of pages.values()) {
      expect(content).toContain('Content-Security-Policy')
      expect(content.toLowerCase()).not.toContain('<script')
      for (const control of ['\u202e', '\u001b']) expect(content).not.toContain(control)
    }
    const markdown = comparisonMarkdown(compareRuns([run(hostile, '1', 'fail', '1'), second]))
    for (const control of ['\u202e', '\u001b']) expect(markdown).not.toContain(control)
    expect(markdown).not.toMatch(/^\s*<script/im)
  })
})

/** The views for machines, and the short ones for people. */

import { expect, test } from 'vitest'
import type { Verdict } from '../../harness/engine/index.ts'
import { badgeSvg, shieldsJson } from './badge.ts'
import { codeSpan } from './markdown.ts'
import { summaryMarkdown } from './summary-md.ts'
import { tapText } from './tap.ts'
import { failed, recordOf } from '../testing.ts'

const told = { ...failed, message: 'why', actual: 'x' }

function pointOf(verdict: Verdict, change: Partial<typeof failed> = {}): string {
  return tapText(recordOf([{ ...told, ...change, verdict }]))
}

test.each<[Verdict, Partial<typeof failed>, RegExp]>([
  ['pass', {}, /\nok 1 - p\/tool\/echo-id \(denied-consent\): echoes id\n/],
  [
    'fail',
    {},
    /\nnot ok 1 - .*\n {2}---\n {2}verdict: "fail"\n[^]*\n {2}message: "why"\n[^]*\n {2}\.\.\.\n/,
  ],
  ['warn', {}, /\nok 1 - .*\n {2}---\n {2}verdict: "warn"/],
  ['inconclusive', {}, /\nnot ok 1 - /],
  ['inconclusive', { keyword: 'MAY' }, /\nok 1 - .* # SKIP why\n/],
  ['not-applicable', {}, /\nok 1 - .* # SKIP why\n/],
])('TAP: %s with %j', (verdict, change, expected) => {
  expect(pointOf(verdict, change)).toMatch(expected)
  expect(pointOf(verdict, change)).toMatch(/^TAP version 14\n1\.\.1\n/)
})

test('TAP: a hash and a backslash in a description are escaped', () => {
  expect(pointOf('pass', { title: 'a # TODO \\ b' })).toContain('a \\# TODO \\\\ b')
})

test('TAP: an interrupted run bails out', () => {
  expect(tapText({ ...recordOf([]), interrupted: 'SIGINT' })).toMatch(/\nBail out! .*SIGINT\n$/)
})

test.each([
  ['plain', '`plain`'],
  ['a`b', '``a`b``'],
  ['`', '`` ` ``'],
  ['``x', '``` ``x ```'],
  ['', '`(empty)`'],
])('the code span of %j', (text, expected) => {
  expect(codeSpan(text)).toBe(expected)
})

test('the summary begins with the verdict and lists what broke', () => {
  const summary = summaryMarkdown(recordOf([told]))
  expect(summary).toMatch(/^## ❌ non-conformant\n/)
  expect(summary).toContain(
    '- `why`\n  - requirement `p/tool/echo-id` (MUST, specification, `Document, Section`)\n  - in `denied-consent`\n',
  )
  expect(summary).toContain('Specification: [`Document`](https://document.test/), `1`')
})

test('the summary tells one cause once', () => {
  const other = { ...told, scenario: 'other' }
  const open = { ...told, verdict: 'inconclusive' as const }
  const summary = summaryMarkdown(recordOf([told, other, open, { ...open, requirement: 'p/b' }]))
  expect(summary).toContain('### Broken (1)')
  expect(summary).toContain('  - in `denied-consent`, `other`\n')
  expect(summary).toContain('- 2 checks (2 binding) cannot be judged until `p/tool/echo-id` works')
})

test('the summary lists what is not offered', () => {
  const message = 'not required, and never seen in this run: a second flow'
  const missing = { ...told, verdict: 'not-offered' as const, message }
  const summary = summaryMarkdown(recordOf([missing, missing]))
  expect(summary.split('not required')).toHaveLength(2)
})

test('a long list is cut, and says so', () => {
  const summary = summaryMarkdown(
    recordOf(Array.from({ length: 60 }, (_, n) => ({ ...told, message: `${n}` }))),
  )
  expect(summary).toContain('### Broken (60)')
  expect(summary).toContain('- and 10 more, see the report')
})

const conformant = {
  ...recordOf([]),
  verdict: 'conformant',
  exit: { code: 0, reason: '' },
} as const

test.each([
  [conformant, 'conformant', 'brightgreen'],
  [recordOf([]), 'non-conformant', 'red'],
  [{ ...conformant, partial: { filters: ['x'] } }, 'conformant (partial)', 'yellow'],
  [{ ...conformant, verdict: 'inconclusive' as const }, 'inconclusive', 'yellow'],
  [{ ...conformant, exit: { code: 70, reason: '' } }, 'harness error', 'yellow'],
])('the badge of %#', (record, message, color) => {
  expect(JSON.parse(shieldsJson(record))).toMatchObject({ schemaVersion: 1, message, color })
  expect(badgeSvg(record)).toContain(`aria-label="p/tool: ${message}"`)
})

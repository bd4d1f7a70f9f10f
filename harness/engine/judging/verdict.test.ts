import { describe, expect, test } from 'vitest'
import {
  isBinding,
  runVerdict,
  unproven,
  verdictOf,
  type Basis,
  type Finding,
  type Keyword,
  type Verdict,
} from './verdict.ts'

const rows: [Keyword, Basis, boolean, 'fail' | 'warn'][] = [
  ['MUST', 'specification', false, 'fail'],
  ['MUST NOT', 'specification', false, 'fail'],
  ['SHOULD', 'specification', false, 'warn'],
  ['SHOULD NOT', 'specification', false, 'warn'],
  ['MAY', 'specification', false, 'warn'],
  ['MUST', 'best-practice', false, 'warn'],
  ['MUST NOT', 'best-practice', false, 'warn'],
  ['SHOULD', 'best-practice', false, 'warn'],
  ['SHOULD NOT', 'best-practice', false, 'warn'],
  ['MAY', 'best-practice', false, 'warn'],
  ['MUST', 'specification', true, 'fail'],
  ['MUST NOT', 'specification', true, 'fail'],
  ['SHOULD', 'specification', true, 'warn'],
  ['SHOULD NOT', 'specification', true, 'warn'],
  ['MAY', 'specification', true, 'warn'],
  ['MUST', 'best-practice', true, 'fail'],
  ['MUST NOT', 'best-practice', true, 'fail'],
  ['SHOULD', 'best-practice', true, 'warn'],
  ['SHOULD NOT', 'best-practice', true, 'warn'],
  ['MAY', 'best-practice', true, 'warn'],
]

describe('a violation', () => {
  test.each(rows)('of a %s by %s, strict %s, is a %s', (keyword, basis, strict, verdict) => {
    expect(verdictOf('violation', { keyword, basis }, strict)).toBe(verdict)
    expect(isBinding({ keyword, basis }, strict)).toBe(verdict === 'fail')
  })
})

test.each(['pass', 'inconclusive', 'not-offered', 'not-applicable'] as const)(
  '%s stays what it is, whatever the requirement',
  (outcome) => {
    for (const [keyword, basis, strict] of rows)
      expect(verdictOf(outcome, { keyword, basis }, strict)).toBe(outcome)
  },
)

const finding = (
  verdict: Verdict,
  keyword: Keyword = 'MUST',
  basis: Basis = 'specification',
): Finding => ({
  requirement: 'p/a',
  scenario: 's',
  title: 't',
  verdict,
  keyword,
  basis,
  source: 'x',
  message: 'm',
  evidence: [],
})
const passed = finding('pass')
/** Proof of another requirement. */
const elsewhere: Finding = { ...passed, requirement: 'p/b' }

test('what leaves a binding requirement without proof', () => {
  const [open, missing] = [finding('inconclusive'), finding('not-offered')]
  expect(unproven([passed, open, missing], false)).toEqual([open])
  expect(unproven([elsewhere, open, missing], false)).toEqual([open, missing])
  expect(unproven([elsewhere, finding('inconclusive', 'MAY')], true)).toEqual([])
})

describe('a run', () => {
  test.each<[string, Finding[], boolean, string]>([
    ['all pass', [passed, passed], false, 'conformant'],
    ['one fails', [passed, finding('fail')], false, 'non-conformant'],
    [
      'one fails, another is unproven',
      [finding('inconclusive'), finding('fail')],
      false,
      'non-conformant',
    ],
    ['warnings', [passed, finding('warn', 'SHOULD')], false, 'conformant'],
    ['a MUST is unproven', [passed, finding('inconclusive')], false, 'inconclusive'],
    [
      'a MUST NOT is unproven',
      [passed, finding('inconclusive', 'MUST NOT')],
      false,
      'inconclusive',
    ],
    ['a SHOULD is unproven', [passed, finding('inconclusive', 'SHOULD')], false, 'conformant'],
    ['a MAY is unproven', [passed, finding('inconclusive', 'MAY')], false, 'conformant'],
    [
      'a best practice is unproven',
      [passed, finding('inconclusive', 'MUST', 'best-practice')],
      false,
      'conformant',
    ],
    [
      'a best practice is unproven, strictly',
      [passed, finding('inconclusive', 'MUST', 'best-practice')],
      true,
      'inconclusive',
    ],
    ['a MUST does not apply', [passed, finding('not-applicable')], false, 'conformant'],
    [
      'a MUST is proven, and not offered elsewhere',
      [passed, finding('not-offered')],
      false,
      'conformant',
    ],
    [
      'a MUST about what is nowhere offered is not offered',
      [elsewhere, { ...finding('not-offered'), appliesTo: 'whoever has it' }],
      false,
      'conformant',
    ],
    [
      'a MUST about what is nowhere offered is inconclusive',
      [elsewhere, { ...finding('inconclusive'), appliesTo: 'whoever has it' }],
      false,
      'inconclusive',
    ],
    ['a MUST is nowhere offered', [elsewhere, finding('not-offered')], false, 'inconclusive'],
    [
      'a MUST is not offered here and not applicable there',
      [elsewhere, finding('not-offered'), finding('not-applicable')],
      false,
      'inconclusive',
    ],
    [
      'a SHOULD is nowhere offered',
      [passed, finding('not-offered', 'SHOULD')],
      false,
      'conformant',
    ],
    ['nothing applies', [finding('not-applicable')], false, 'inconclusive'],
    ['nothing passes', [finding('warn', 'SHOULD')], false, 'inconclusive'],
    ['nothing was judged', [], false, 'inconclusive'],
    ['nothing was judged, strictly', [], true, 'inconclusive'],
  ])('in which %s: %#', (_, findings, strict, verdict) => {
    expect(runVerdict(findings, strict)).toBe(verdict)
  })
})

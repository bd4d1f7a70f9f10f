import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../../harness/engine/index.ts'
import { findFlaky } from './flaky.ts'

function finding(verdict: Verdict, scenario = 'denied'): Finding {
  return {
    requirement: 'p/tool/echo-id',
    scenario,
    title: 'echoes it',
    verdict,
    keyword: 'MUST',
    basis: 'specification',
    source: 's',
    message: 'm',
    evidence: [],
  }
}

test('runs that agree have nothing flaky', () => {
  const run = [finding('pass'), finding('warn', 'other')]
  expect(findFlaky([run, run, run])).toEqual([])
  expect(findFlaky([])).toEqual([])
})

test('a check whose verdict differs is named with the repetitions that ended with each', () => {
  expect(findFlaky([[finding('pass')], [finding('fail')], [finding('pass')]])).toEqual([
    {
      requirement: 'p/tool/echo-id',
      scenario: 'denied',
      title: 'echoes it',
      verdicts: { pass: [1, 3], fail: [2] },
    },
  ])
})

test('the same check in another scenario is another check', () => {
  const run = [finding('pass'), finding('fail', 'other')]
  expect(findFlaky([run, run])).toEqual([])
})

test('a check that a scenario makes twice is compared with its own twin', () => {
  const run = [finding('pass'), finding('fail')]
  expect(findFlaky([run, run])).toEqual([])
  expect(findFlaky([run, [finding('fail'), finding('fail')]])).toHaveLength(1)
})

test('a check that was not made in one of the runs differs', () => {
  expect(findFlaky([[finding('pass')], []])[0]?.verdicts).toEqual({ pass: [1], missing: [2] })
})

import { describe, expect, test } from 'vitest'
import type { Finding, Verdict } from '../../harness/engine/index.ts'
import { failed, recordOf } from '../testing.ts'
import { told } from './root-causes.ts'
import type { RunRecord, ScenarioRecord } from './run-record.ts'

const found = (
  requirement: string,
  scenario: string,
  verdict: Verdict,
  message = 'm',
): Finding => ({
  ...failed,
  requirement,
  scenario,
  verdict,
  message,
})
const scenario = (
  id: string,
  outcome: ScenarioRecord['outcome'] = 'completed',
  more: Partial<ScenarioRecord> = {},
): ScenarioRecord => ({ id, title: id, outcome, durationMs: 1, ...more })
const run = (scenarios: readonly ScenarioRecord[], ...findings: Finding[]): RunRecord => ({
  ...recordOf(findings),
  gate: 'gate',
  scenarios,
})

describe('what could not be judged', () => {
  const control = { control: 'gate' }
  const stopped = scenario('gate', 'unreached', { reason: 'no result within 5000 ms' })

  test('is told once where an undisturbed twin did not work, and names what is broken there', () => {
    const record = run(
      [stopped, scenario('a', 'completed', control), scenario('b', 'unreached', { control: 'a' })],
      found('retry', 'gate', 'fail'),
      found('send', 'gate', 'inconclusive'),
      found('x', 'a', 'inconclusive'),
      found('y', 'b', 'inconclusive', 'of its own'),
    )
    const { unjudged } = told(record)
    expect(unjudged).toMatchObject([{ until: { requirement: 'retry' } }])
    // The twin of b, a, did complete; but where not even the gate works, little else can be judged.
    expect(unjudged[0]?.findings.map(({ requirement }) => requirement)).toEqual(['send', 'x', 'y'])
  })

  test('follows the twins to the first that did not work', () => {
    const record = run(
      [stopped, scenario('a', 'unreached', control), scenario('b', 'completed', { control: 'a' })],
      found('retry', 'gate', 'warn'),
      found('y', 'b', 'inconclusive'),
    )
    expect(told(record).unjudged).toMatchObject([{ until: { requirement: 'retry' } }])
  })

  test('names the scenario and its reason where nothing is known to be broken', () => {
    const record = run(
      [stopped, scenario('a', 'aborted', { reason: 'not tried' })],
      found(
        'x',
        'gate',
        'inconclusive',
        'no proof; the scenario stopped: no result within 5000 ms',
      ),
      found('y', 'a', 'inconclusive'),
      found('z', 'a', 'inconclusive'),
    )
    expect(told(record).unjudged).toMatchObject([
      { until: { scenario: 'gate' }, reason: 'no result within 5000 ms', findings: [{}, {}] },
      { reason: 'no result within 5000 ms', findings: [{}] },
    ])
  })

  test('is one number where nothing could be started, the gate among it', () => {
    const record = run(
      [scenario('gate', 'unfinished'), scenario('a', 'unfinished', control)],
      found('x', 'gate', 'inconclusive', 'it did not start'),
      found('y', 'a', 'inconclusive', 'it did not start'),
    )
    expect(told(record).unjudged).toEqual([
      { reason: 'it did not start', findings: record.findings },
    ])
  })

  test('has one reason whichever call waited', () => {
    const wait = (call: string) => `nothing for ${call} within 5000 ms`
    const stops = (id: string, call: string) => scenario(id, 'unreached', { reason: wait(call) })
    const record = run(
      [stops('a', 'call-1'), stops('b', 'call-12')],
      found('x', 'a', 'inconclusive', `this; the scenario stopped: ${wait('call-1')}`),
      found('y', 'b', 'inconclusive', `that; the scenario stopped: ${wait('call-12')}`),
    )
    expect(told(record).unjudged).toMatchObject([{ findings: [{}, {}] }])
  })

  test('has one reason where the implementation died', () => {
    const died = (saw: string) => `the implementation did not survive the run: SIGSEGV (${saw})`
    const record = run(
      [scenario('a')],
      found('x', 'a', 'inconclusive', died('one (1)')),
      found('y', 'a', 'inconclusive', died('two')),
    )
    expect(told(record).unjudged).toMatchObject([
      { reason: 'the implementation did not survive the run: SIGSEGV', findings: [{}, {}] },
    ])
  })

  test('follows from what is broken elsewhere in the same words', () => {
    const record = run(
      [scenario('a'), scenario('b')],
      found('retry', 'a', 'fail', 'it was not retried'),
      found('x', 'b', 'inconclusive', 'it was not retried'),
      found('y', 'b', 'inconclusive', 'something else'),
    )
    expect(told(record).unjudged).toMatchObject([
      { until: { requirement: 'retry' }, findings: [{ requirement: 'x' }] },
      { reason: 'something else' },
    ])
  })

  test('waits for the gate where that does not work, though nothing names it as its twin', () => {
    const record = run(
      [stopped, scenario('whole-run')],
      found('retry', 'gate', 'fail'),
      found('x', 'whole-run', 'inconclusive'),
      found('y', 'whole-run', 'fail', 'it leaks'),
    )
    const { failures, unjudged } = told(record)
    expect(unjudged).toMatchObject([{ until: { requirement: 'retry' } }])
    expect(failures.map(({ finding }) => finding.requirement)).toEqual(['retry', 'y'])
  })

  test('ends where twins name each other', () => {
    const record = run(
      [scenario('a', 'unreached', { control: 'b' }), scenario('b', 'unreached', { control: 'a' })],
      found('x', 'a', 'inconclusive'),
    )
    expect(told(record).unjudged).toHaveLength(1)
  })
})

test('what is broken in one way is told once, what follows apart', () => {
  const record = run(
    [scenario('gate', 'unreached'), scenario('a'), scenario('b', 'completed', { control: 'gate' })],
    found('p', 'gate', 'fail'),
    { ...found('p', 'a', 'fail'), actual: 'another value' },
    found('p', 'a', 'fail', 'in another way'),
    found('q', 'a', 'warn'),
    found('p', 'b', 'fail'),
    found('q', 'b', 'fail', 'as a consequence'),
    found('r', 'b', 'warn'),
  )
  const { failures, warnings, consequences } = told(record)
  expect(failures).toMatchObject([
    { finding: { requirement: 'p', scenario: 'gate' }, also: ['a', 'b'] },
    { finding: { message: 'in another way' }, also: [] },
  ])
  expect(warnings).toMatchObject([{ finding: { requirement: 'q' } }])
  expect(consequences).toMatchObject([
    { finding: { requirement: 'q', scenario: 'b' } },
    { finding: { requirement: 'r' } },
  ])
})

test('what is not offered is told once for each scenario', () => {
  const message = 'not required, and never seen in this run: a second flow'
  const record = run(
    [scenario('a', 'not-offered')],
    found('x', 'a', 'not-offered', message),
    found('y', 'a', 'not-offered', message),
  )
  expect([...told(record).notOffered]).toEqual([['a', message]])
})

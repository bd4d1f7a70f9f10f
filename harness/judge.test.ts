import { describe, expect, test } from 'vitest'
import type { EndEvent } from './event.ts'
import { judgeScenario, type JudgeOptions } from './judge.ts'
import { inconclusive, notApplicable, pass, violation, type Scenario } from './scenario.ts'
import { Transcript, type RecordedEvent } from './transcript.ts'
import type { Basis, Judgement, Keyword, Requirement } from './verdict.ts'

const evidence = [{ scenario: 's', seq: 1 }]
const broken = violation('it broke', { expected: 'x', actual: 'y' }, evidence)

const requirement = (keyword: Keyword = 'MUST', basis: Basis = 'specification'): Requirement => ({
  id: 'p/a',
  keyword,
  basis,
  source: 'Document, Section',
  text: 'It holds.',
  observed: 'By looking.',
})

function scenarioOf(judgement: Judgement, more: Partial<Scenario<void>> = {}): Scenario<void> {
  const check = { requirement: 'p/a', title: 'holds', judge: () => judgement }
  return { id: 's', title: 'a scenario', drive: async () => undefined, checks: [check], ...more }
}

function ended(outcome?: EndEvent['outcome'], reason?: string, scenario = 's'): Transcript {
  const end = { seq: 1, t: 1, type: 'end', outcome, reason, scenario } as RecordedEvent
  return new Transcript(outcome ? [end] : [])
}

interface Given {
  readonly transcript?: Transcript
  readonly row?: Requirement
  readonly strict?: boolean
  readonly died?: string
  readonly control?: Transcript
}

const timing = { ackMs: 1, stepMs: 1, observeMs: 1, maxWaitMs: 1, graceMs: 1 }

function judged(
  scenario: Scenario<void>,
  { transcript = ended('completed'), row = requirement(), strict = false, ...given }: Given = {},
) {
  const options: JudgeOptions<unknown> = {
    requirements: new Map([[row.id, row]]),
    strict,
    died: given.died,
    context: { declared: {}, timing, control: given.control },
  }
  const findings = judgeScenario(scenario, transcript, options)
  expect(findings).toHaveLength(scenario.checks.length)
  return findings[0]!
}

describe('a finding', () => {
  test('says what was judged, by which rule and why', () => {
    expect(judged(scenarioOf(broken))).toEqual({
      requirement: 'p/a',
      scenario: 's',
      title: 'holds',
      verdict: 'fail',
      keyword: 'MUST',
      basis: 'specification',
      source: 'Document, Section',
      message: 'it broke',
      expected: 'x',
      actual: 'y',
      evidence,
    })
  })

  test('that passes has nothing expected', () => {
    const found = judged(scenarioOf(pass('fine', evidence)))
    expect(found).toMatchObject({ verdict: 'pass', evidence })
    expect(found).not.toHaveProperty('expected')
    expect(found).not.toHaveProperty('actual')
  })

  test('is printable and bounded, whatever the implementation sent', () => {
    const text = `\u001b[31m\u202e\n${'x'.repeat(5000)}`
    const found = judged(scenarioOf(violation(text, { expected: text, actual: text }, [])))
    for (const shown of [found.message, found.expected, found.actual])
      expect(shown).toMatch(/^x{1000}…$/)
  })

  test('of a check without a row in the catalogue is trouble of the harness', () => {
    const stray = { requirement: 'p/b', title: 'x', judge: () => broken }
    expect(() => judged(scenarioOf(broken, { checks: [stray] }))).toThrow('no requirement p/b')
  })
})

describe('the outcome of a check', () => {
  const keywords = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'] as const
  const bases = ['specification', 'best-practice'] as const
  const cases = keywords.flatMap((keyword) =>
    bases.flatMap((basis) => [false, true].map((strict) => [keyword, basis, strict] as const)),
  )

  test.each(cases)('by %s, %s, strict %s', (keyword, basis, strict) => {
    const row = requirement(keyword, basis)
    const fails = keyword.startsWith('MUST') && (basis === 'specification' || strict)
    const verdicts = [
      broken,
      pass('fine'),
      inconclusive('no proof'),
      notApplicable('not declared'),
    ].map((judgement) => judged(scenarioOf(judgement), { row, strict }).verdict)
    expect(verdicts).toEqual([fails ? 'fail' : 'warn', 'pass', 'inconclusive', 'not-applicable'])
  })
})

describe('how the drive ended', () => {
  const never = scenarioOf(pass(''), {
    checks: [
      {
        requirement: 'p/a',
        title: 'x',
        judge: () => {
          throw new Error('judged')
        },
      },
    ],
  })

  test.each([
    ['aborted', 'inconclusive'],
    ['error', 'inconclusive'],
    ['not-applicable', 'not-applicable'],
  ] as const)('%s: nothing is judged, it is %s', (outcome, verdict) => {
    const found = judged(never, { transcript: ended(outcome, 'because') })
    expect(found).toMatchObject({ verdict, message: 'because', evidence: [] })
  })

  test('not at all: nothing is judged', () => {
    expect(judged(never, { transcript: ended() })).toMatchObject({
      verdict: 'inconclusive',
      message: 'the recording is incomplete',
    })
  })

  test('in another scenario: that counts for nothing', () => {
    const transcript = ended('completed', undefined, 'other')
    expect(judged(never, { transcript }).verdict).toBe('inconclusive')
  })

  test('unreached: it is judged as far as it came, and says where it stopped', () => {
    const transcript = ended('unreached', 'no oauth message')
    expect(judged(scenarioOf(pass('fine')), { transcript }).verdict).toBe('pass')
    expect(judged(scenarioOf(broken), { transcript })).toMatchObject({
      verdict: 'fail',
      message: 'it broke',
    })
    expect(judged(scenarioOf(inconclusive('no proof')), { transcript })).toMatchObject({
      verdict: 'inconclusive',
      message: 'no proof; the scenario stopped: no oauth message',
    })
  })
})

describe('a control', () => {
  const twin = { control: 'twin' }
  const missing = { control: ended('unreached', 'x', 'twin') }

  test('that worked changes nothing', () => {
    const control = ended('completed', undefined, 'twin')
    for (const judgement of [pass('fine'), broken, inconclusive('?'), notApplicable('-')]) {
      expect(judged(scenarioOf(judgement, twin), { control })).toEqual(
        judged(scenarioOf(judgement)),
      )
    }
  })

  test.each([
    ['was not reached', missing],
    ['was aborted', { control: ended('aborted', 'x', 'twin') }],
    ['has no end', { control: ended() }],
    ['was not recorded', {}],
  ])('that %s makes a pass inconclusive', (_, given) => {
    expect(judged(scenarioOf(pass('fine', evidence), twin), given)).toMatchObject({
      verdict: 'inconclusive',
      message: 'its control, twin, did not work, so this proves nothing (fine)',
      evidence,
    })
  })

  test('that is missing excuses no violation', () => {
    expect(judged(scenarioOf(broken, twin), missing)).toMatchObject({ verdict: 'fail' })
    expect(judged(scenarioOf(notApplicable('-'), twin), missing).verdict).toBe('not-applicable')
  })
})

describe('an implementation that died', () => {
  const died = 'it ended by SIGSEGV'

  test('passes nothing', () => {
    expect(judged(scenarioOf(pass('fine')), { died })).toMatchObject({
      verdict: 'inconclusive',
      message: 'the implementation did not survive the run: it ended by SIGSEGV (fine)',
    })
  })

  test('still fails where it failed', () => {
    expect(judged(scenarioOf(broken), { died })).toMatchObject({ verdict: 'fail' })
    expect(judged(scenarioOf(inconclusive('?')), { died }).message).toBe('?')
    expect(judged(scenarioOf(notApplicable('-')), { died }).verdict).toBe('not-applicable')
  })
})

test('checks get the transcript and what was declared', () => {
  const transcript = ended('completed')
  const control = ended('completed', undefined, 'twin')
  let seen: unknown[] = []
  const check = {
    requirement: 'p/a',
    title: 'x',
    judge: (...given: unknown[]) => {
      seen = given
      return pass('fine')
    },
  }
  judged(scenarioOf(pass(''), { checks: [check], control: 'twin' }), { transcript, control })
  expect(seen).toEqual([transcript, { declared: {}, timing, control }])
})

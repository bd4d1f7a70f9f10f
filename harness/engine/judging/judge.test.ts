import { describe, expect, test } from 'vitest'
import type { EndEvent } from '../recording/event.ts'
import { judgeScenario, type JudgeOptions } from './judge.ts'
import {
  inconclusive,
  notApplicable,
  pass,
  violation,
  type Need,
  type Scenario,
} from '../scenario.ts'
import type { RecordedEvent } from '../recording/event.ts'
import { Transcript } from '../recording/transcript.ts'
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
  readonly moot?: string
  readonly control?: Transcript
  readonly run?: ReadonlyMap<string, Transcript>
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
    moot: given.moot,
    run: given.run ?? new Map(),
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

  test('shows that a value is empty', () => {
    const empty = violation('it broke', { expected: 'x', actual: '' }, [])
    expect(judged(scenarioOf(empty)).actual).toBe('""')
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
    ['not-applicable', 'inconclusive'],
  ] as const)('%s: nothing is judged, it is %s', (outcome, verdict) => {
    const found = judged(never, { transcript: ended(outcome, 'because') })
    expect(found).toMatchObject({ verdict, message: 'because', evidence: [] })
  })

  test('as not applicable is not believed: what was declared decides', () => {
    const transcript = ended('completed')
    const applies = scenarioOf(pass('fine'), { notApplicable: () => undefined })
    const pointless = scenarioOf(broken, { notApplicable: () => 'declared so' })
    expect(judged(applies, { transcript: ended('not-applicable', 'x') }).verdict).toBe(
      'inconclusive',
    )
    expect(judged(pointless, { transcript })).toMatchObject({
      verdict: 'not-applicable',
      message: 'declared so',
    })
    expect(judged(pointless, { transcript: ended() }).verdict).toBe('not-applicable')
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

describe('what a correct implementation need not offer', () => {
  const step = { seq: 7, t: 1, type: 'step', action: 'second', detail: {}, scenario: 'other' }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an event as it is recorded
  const second = step as RecordedEvent
  const needs: Need = {
    what: 'a second request',
    seen: (run) => [...run.values()].flatMap((t) => t.steps('second'))[0],
  }
  const open = scenarioOf(inconclusive('no proof', evidence), { needs })
  const transcript = ended('not-offered', 'it sent one request')
  const shown = new Map([['other', new Transcript([second])]])

  test('is not offered where no recording of the run shows it', () => {
    expect(judged(open, { transcript })).toMatchObject({
      verdict: 'not-offered',
      message: 'not required, and never seen in this run: a second request',
      evidence: [],
    })
  })

  test('is said of whom the requirement is about', () => {
    const row = { ...requirement(), appliesTo: 'who sends a second request' }
    expect(judged(open, { transcript, row })).toMatchObject({
      verdict: 'not-offered',
      appliesTo: 'who sends a second request',
    })
  })

  test('is inconclusive where another recording shows it', () => {
    expect(judged(open, { transcript, run: shown })).toMatchObject({
      verdict: 'inconclusive',
      message:
        'no proof; the scenario stopped: it sent one request, although the run shows a second request',
      evidence: [...evidence, { scenario: 'other', seq: 7 }],
    })
  })

  test.each<[string, Scenario<void>, Given]>([
    ['the scenario declares no such need', scenarioOf(inconclusive('no proof')), {}],
    ['the drive stopped for another reason', open, { transcript: ended('unreached', 'x') }],
    ['the drive went through', open, { transcript: ended('completed') }],
    ['the implementation died', open, { died: 'it ended' }],
    [
      'its control did not work',
      scenarioOf(inconclusive('no proof'), { needs, control: 'twin' }),
      { control: ended('unreached', 'x', 'twin') },
    ],
  ])('is inconclusive where %s', (_, scenario, given) => {
    expect(judged(scenario, { transcript, ...given }).verdict).toBe('inconclusive')
  })

  test('excuses no violation and takes no proof away', () => {
    expect(judged(scenarioOf(broken, { needs }), { transcript }).verdict).toBe('fail')
    expect(judged(scenarioOf(pass('fine'), { needs }), { transcript }).verdict).toBe('pass')
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
      message:
        'the scenario twin, which it is compared with, did not work either, so this scenario proves nothing (fine)',
      evidence,
    })
  })

  test('that is missing excuses no violation', () => {
    expect(judged(scenarioOf(broken, twin), missing)).toMatchObject({ verdict: 'fail' })
    expect(judged(scenarioOf(notApplicable('-'), twin), missing).verdict).toBe('not-applicable')
  })
})

describe('a recording that proves nothing', () => {
  test.each([
    ['passes nothing', pass('fine')],
    ['violates nothing', broken],
  ])('%s', (_, judgement) => {
    const { verdict, message } = judged(scenarioOf(judgement), { moot: 'it was elsewhere' })
    expect(verdict).toBe('inconclusive')
    expect(message).toBe(`it was elsewhere (${judgement.message})`)
  })

  test('leaves what does not apply as it is', () => {
    const never = scenarioOf(broken, { notApplicable: () => 'declared' })
    expect(judged(never, { moot: 'it was elsewhere' }).verdict).toBe('not-applicable')
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

/** Recordings that tests write, and tests of checks: for every check recordings that pass, violate and prove nothing, each cut at every point. */

import { describe, expect, test } from 'vitest'
import {
  Transcript,
  type Check,
  type Judgement,
  type JudgingContext,
  type NewEvent,
  type RecordedEvent,
  type Scenario,
  type Sighting,
} from '../harness/engine/index.ts'

/** A recording that a test writes by hand, line by line; every line is 10 ms after the one before it. */
export class WrittenRecording {
  readonly scenario: string
  readonly #events: RecordedEvent[] = []
  #t: number

  constructor(scenario: string, startsAt = 0) {
    this.scenario = scenario
    this.#t = startsAt
  }

  get transcript(): Transcript {
    return new Transcript([...this.#events])
  }

  /** Lets time pass, in milliseconds. */
  after(ms: number): this {
    this.#t += ms
    return this
  }

  /** Any event. */
  event(event: NewEvent, ...secrets: Sighting[]): this {
    this.#t += 10
    this.#events.push({
      seq: this.#events.length + 1,
      t: this.#t,
      ...event,
      ...(secrets.length > 0 ? { secrets } : {}),
      scenario: this.scenario,
    })
    return this
  }

  mark(name: string, detail: Readonly<Record<string, unknown>> = {}): this {
    return this.event({ type: 'step', action: 'mark', detail: { name, ...detail } })
  }
}

/** One of an OAuth client, whose calls have names: what is written belongs to the current one. */
export class ClientRecording extends WrittenRecording {
  /** The name of the current call, or nothing. */
  protected current = ''

  /** What follows belongs to this call. */
  on(call: string): this {
    this.current = call
    return this
  }

  step(action: string, detail: Record<string, unknown> = {}): this {
    return this.event({ type: 'step', action, ...this.belongs(), detail })
  }

  /** An observation window was completed. */
  window(ms = 1000): this {
    return this.after(ms).step('window', { ms })
  }

  /** What the provider logged of the current call. */
  protected provider(event: string, detail: Record<string, unknown>): this {
    return this.event({ type: 'provider', event, ...this.belongs(), detail })
  }

  protected belongs(): { call?: string } {
    return this.current === '' ? {} : { call: this.current }
  }
}

/** Anything that has written a recording. */
export interface Recorded {
  readonly transcript: Transcript
}

/** A recording, with the declarations and the control by which it is judged where they matter. */
export type Example<Declared> =
  Recorded | readonly [recording: Recorded, declared: Partial<Declared>, control?: Recorded]

type Examples<Declared> = Readonly<Record<string, Example<Declared>>>

/** What a check concludes from which recordings; each name says what is special about the recording. */
export interface Cases<Declared> {
  readonly pass: Examples<Declared>
  readonly violation: Examples<Declared>
  readonly inconclusive: Examples<Declared>
  readonly 'not-applicable'?: Examples<Declared>
  readonly 'not-offered'?: Examples<Declared>
}

export interface ExampleOptions<Declared> {
  readonly context: (
    declared: Partial<Declared>,
    control: Transcript | undefined,
  ) => JudgingContext<Declared>
}

/** The scenario with the checks of its own protocol alone: what is shared has its examples with RAP's tool. */
export function withoutShared<Fixtures, Declared>(
  scenario: Scenario<Fixtures, Declared>,
): Scenario<Fixtures, Declared> {
  const checks = scenario.checks.filter(
    ({ requirement }) => !requirement.startsWith('oauth-client/'),
  )
  return { ...scenario, checks }
}

/** Registers a test for every example of every check of the scenarios, and one that says that none is without. */
export function describeExamples<Fixtures, Declared>(
  scenarios: readonly Scenario<Fixtures, Declared>[],
  cases: Readonly<Record<string, Readonly<Record<string, Cases<Declared>>>>>,
  options: ExampleOptions<Declared>,
): void {
  test('every check of every scenario has examples', () => {
    expect(Object.keys(cases).sort()).toEqual(scenarios.map(({ id }) => id).sort())
    for (const { id, checks } of scenarios) {
      expect([id, ...Object.keys(cases[id] ?? {}).sort()]).toEqual([
        id,
        ...checks.map(({ requirement }) => requirement).sort(),
      ])
    }
  })
  for (const { id, checks } of scenarios) {
    describe(id, () => {
      for (const { requirement, judge } of checks) {
        const examples = cases[id]?.[requirement]
        if (!examples) continue
        test(`${requirement} can pass, be violated, and prove nothing`, () => {
          const { pass, violation, inconclusive } = examples
          for (const each of [pass, violation, inconclusive])
            expect(Object.keys(each)).not.toEqual([])
        })
        describeJudge(requirement, judge, examples, options)
      }
    })
  }
}

/** Registers a test for every example of one judgement. */
export function describeJudge<Declared>(
  name: string,
  judge: Check<Declared>['judge'],
  cases: Partial<Cases<Declared>>,
  { context }: ExampleOptions<Declared>,
): void {
  const rows = Object.entries(cases).flatMap(([outcome, examples]: [string, Examples<Declared>]) =>
    Object.entries(examples).map(([what, example]) => [outcome, what, example] as const),
  )
  describe(name, () => {
    test.each(rows)('%s: %s', (outcome, _, example) => {
      const [recorded, declared, control] = 'transcript' in example ? [example, {}] : example
      const { events } = recorded.transcript
      const conclude = (length: number): Judgement =>
        judge(new Transcript(events.slice(0, length)), context(declared ?? {}, control?.transcript))
      const judgement = conclude(events.length)
      expect(judgement).toMatchObject({ outcome, message: expect.stringMatching(/\S/) })
      for (const { scenario, seq } of judgement.evidence) {
        const all = [...events, ...(control?.transcript.events ?? [])]
        expect(all.some((event) => event.scenario === scenario && event.seq === seq)).toBe(true)
      }
      if (outcome === 'violation') {
        expect(judgement).toMatchObject({
          expected: expect.stringMatching(/\S/),
          actual: expect.stringMatching(/\S/),
        })
        expect(judgement.evidence).not.toEqual([])
      }
      // A recording may stop anywhere. That must break no check, and what is missing is no violation.
      for (let length = 0; length < events.length; length += 1) {
        const cut = conclude(length)
        expect(cut.message).toEqual(expect.any(String))
        if (outcome === 'pass') expect([length, cut.outcome]).not.toEqual([length, 'violation'])
      }
    })
  })
}

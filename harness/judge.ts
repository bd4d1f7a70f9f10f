/** Judges a recorded scenario: pure and synchronous, the same live, offline and inside vitest. */

import { printable } from './text.ts'
import type { Check, JudgingContext, Scenario } from './scenario.ts'
import type { Transcript } from './transcript.ts'
import { verdictOf, type Finding, type Judgement, type Requirement } from './verdict.ts'

export interface JudgeOptions<Declared> {
  readonly requirements: ReadonlyMap<string, Requirement>
  readonly strict: boolean
  /** Why the implementation did not survive the run; what dies half-way passes nothing. */
  readonly died?: string | undefined
  /** Told when a check itself breaks; its finding is inconclusive then. */
  readonly onBroken?: ((error: unknown) => void) | undefined
  readonly context: JudgingContext<Declared>
}

/** Applies every check of a scenario to its transcript. */
export function judgeScenario<World, Declared>(
  scenario: Scenario<World, Declared>,
  transcript: Transcript,
  options: JudgeOptions<Declared>,
): Finding[] {
  return scenario.checks.map((check) => {
    const requirement = options.requirements.get(check.requirement)
    if (!requirement) throw new Error(`no requirement ${check.requirement} in the catalogue`)
    const judgement = survived(judgeSafely(scenario, check, transcript, options), options.died)
    const { keyword, basis, source } = requirement
    return {
      requirement: check.requirement,
      scenario: scenario.id,
      title: check.title,
      verdict: verdictOf(judgement.outcome, requirement, options.strict),
      keyword,
      basis,
      source,
      message: printable(judgement.message, 1000),
      ...(judgement.expected === undefined
        ? {}
        : { expected: printable(judgement.expected, 1000) }),
      ...(judgement.actual === undefined ? {} : { actual: printable(judgement.actual, 1000) }),
      evidence: judgement.evidence,
    }
  })
}

function judgeSafely<World, Declared>(
  scenario: Scenario<World, Declared>,
  check: Check<Declared>,
  transcript: Transcript,
  { context, onBroken }: JudgeOptions<Declared>,
): Judgement {
  try {
    return judgeCheck(scenario, check, transcript, context)
  } catch (error) {
    onBroken?.(error)
    const message = error instanceof Error ? error.message : String(error)
    return notDriven('inconclusive', `the harness failed: this check broke: ${message}`)
  }
}

function judgeCheck<World, Declared>(
  scenario: Scenario<World, Declared>,
  check: Check<Declared>,
  transcript: Transcript,
  context: JudgingContext<Declared>,
): Judgement {
  const end = transcript.endOf(scenario.id)
  if (end?.outcome === 'not-applicable') return notDriven('not-applicable', end.reason)
  if (end?.outcome !== 'completed' && end?.outcome !== 'unreached') {
    return notDriven('inconclusive', end?.reason ?? 'the recording is incomplete')
  }
  const judgement = check.judge(transcript, context)
  if (judgement.outcome !== 'pass') return explain(judgement, end?.reason)
  if (scenario.control && context.control?.end?.outcome !== 'completed') {
    const why = `its control, ${scenario.control}, did not work, so this proves nothing`
    return { ...judgement, outcome: 'inconclusive', message: `${why} (${judgement.message})` }
  }
  return judgement
}

function survived(judgement: Judgement, died: string | undefined): Judgement {
  if (died === undefined || judgement.outcome !== 'pass') return judgement
  const message = `the implementation did not survive the run: ${died} (${judgement.message})`
  return { ...judgement, outcome: 'inconclusive', message }
}

function notDriven(outcome: 'inconclusive' | 'not-applicable', reason = 'not driven'): Judgement {
  return { outcome, message: reason, evidence: [] }
}

/** An inconclusive judgement says where the drive stopped. */
function explain(judgement: Judgement, reason: string | undefined): Judgement {
  if (judgement.outcome !== 'inconclusive' || !reason) return judgement
  return { ...judgement, message: `${judgement.message}; the scenario stopped: ${reason}` }
}

/** Judges a recorded scenario: pure and synchronous, the same live, offline and inside vitest. */

import { printable } from '../text.ts'
import type { Check, JudgingContext, Recordings, Scenario } from '../scenario.ts'
import { cite, type Transcript } from '../recording/transcript.ts'
import { verdictOf, type Finding, type Judgement, type Requirement } from './verdict.ts'

export interface JudgeOptions<Declared> {
  readonly requirements: ReadonlyMap<string, Requirement>
  readonly strict: boolean
  /** Why the implementation did not survive the run; what dies half-way passes nothing. */
  readonly died?: string | undefined
  /** Why nothing that was recorded proves anything, neither for the implementation nor against it. */
  readonly moot?: string | undefined
  /** Told when a check itself breaks; its finding is inconclusive then. */
  readonly onBroken?: ((error: unknown) => void) | undefined
  readonly context: JudgingContext<Declared>
  /** The recordings of the whole run: what was not offered must be missing in all of them. */
  readonly run: Recordings
}

/** Applies every check of a scenario to its transcript. */
export function judgeScenario<Fixtures, Declared>(
  scenario: Scenario<Fixtures, Declared>,
  transcript: Transcript,
  options: JudgeOptions<Declared>,
): Finding[] {
  const reason = scenario.notApplicable?.(options.context.declared)
  return scenario.checks.map((check) => {
    const requirement = options.requirements.get(check.requirement)
    if (!requirement) throw new Error(`no requirement ${check.requirement} in the catalogue`)
    const judgement =
      reason === undefined
        ? proven(judgeSafely(scenario, check, transcript, options), options)
        : notJudged('not-applicable', reason)
    const { keyword, basis, source, appliesTo } = requirement
    return {
      requirement: check.requirement,
      scenario: scenario.id,
      title: check.title,
      verdict: verdictOf(judgement.outcome, requirement, options.strict),
      keyword,
      basis,
      source,
      ...(appliesTo === undefined ? {} : { appliesTo }),
      message: printable(judgement.message, 1000),
      ...(judgement.expected === undefined ? {} : { expected: shown(judgement.expected) }),
      ...(judgement.actual === undefined ? {} : { actual: shown(judgement.actual) }),
      evidence: judgement.evidence,
    }
  })
}

/** Also nothing has to be seen. */
function shown(value: string): string {
  return printable(value, 1000) || '""'
}

function judgeSafely<Fixtures, Declared>(
  scenario: Scenario<Fixtures, Declared>,
  check: Check<Declared>,
  transcript: Transcript,
  options: JudgeOptions<Declared>,
): Judgement {
  try {
    return judgeCheck(scenario, check, transcript, options)
  } catch (error) {
    options.onBroken?.(error)
    const message = error instanceof Error ? error.message : String(error)
    return notJudged('inconclusive', `the harness failed: this check broke: ${message}`)
  }
}

function judgeCheck<Fixtures, Declared>(
  scenario: Scenario<Fixtures, Declared>,
  check: Check<Declared>,
  transcript: Transcript,
  options: JudgeOptions<Declared>,
): Judgement {
  const end = transcript.endOf(scenario.id)
  // That it does not apply follows from what was declared, whatever the recording says.
  const driven =
    end?.outcome === 'completed' || end?.outcome === 'unreached' || end?.outcome === 'not-offered'
  if (!driven) return notJudged('inconclusive', end?.reason ?? 'the recording is incomplete')
  const judgement = check.judge(transcript, options.context)
  if (judgement.outcome === 'inconclusive') {
    const stopped = explain(judgement, end.reason)
    return end.outcome === 'not-offered' ? unlessOffered(stopped, scenario, options) : stopped
  }
  if (judgement.outcome === 'pass' && scenario.control && !worked(options)) {
    const why = `the scenario ${scenario.control}, which it is compared with, did not work either, so this scenario proves nothing`
    return { ...judgement, outcome: 'inconclusive', message: `${why} (${judgement.message})` }
  }
  return judgement
}

function worked<Declared>({ context }: JudgeOptions<Declared>): boolean {
  return context.control?.end?.outcome === 'completed'
}

/**
 * What a correct implementation need not offer excuses it only if no recording of the run shows it, and if the run says
 * something about that: the undisturbed twin worked, and the implementation survived.
 */
function unlessOffered<Fixtures, Declared>(
  judgement: Judgement,
  { needs, control }: Scenario<Fixtures, Declared>,
  options: JudgeOptions<Declared>,
): Judgement {
  if (!needs || options.died !== undefined || (control && !worked(options))) return judgement
  const seen = needs.seen(options.run)
  if (!seen)
    return notJudged('not-offered', `not required, and never seen in this run: ${needs.what}`)
  const message = `${judgement.message}, although the run shows ${needs.what}`
  return { ...judgement, message, evidence: [...judgement.evidence, ...cite(seen)] }
}

function proven(
  judgement: Judgement,
  { moot, died }: Pick<JudgeOptions<unknown>, 'moot' | 'died'>,
): Judgement {
  if (moot === undefined || judgement.outcome === 'not-applicable') return survived(judgement, died)
  return { ...judgement, outcome: 'inconclusive', message: `${moot} (${judgement.message})` }
}

function survived(judgement: Judgement, died: string | undefined): Judgement {
  if (died === undefined || judgement.outcome !== 'pass') return judgement
  const message = `the implementation did not survive the run: ${died} (${judgement.message})`
  return { ...judgement, outcome: 'inconclusive', message }
}

function notJudged(outcome: Judgement['outcome'], message: string): Judgement {
  return { outcome, message, evidence: [] }
}

/** An inconclusive judgement says where the drive stopped. */
function explain(judgement: Judgement, reason: string | undefined): Judgement {
  if (!reason) return judgement
  return { ...judgement, message: `${judgement.message}; the scenario stopped: ${reason}` }
}

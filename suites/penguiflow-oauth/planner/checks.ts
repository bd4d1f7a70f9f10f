/** Judgements that several scenarios share; each says `inconclusive` unless the recording proves its reach. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  notApplicable,
  pass,
  violation,
  type Check,
  type Judgement,
  type Recorded,
  type StepEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { issuedGrant } from '../../oauth-client/view.ts'
import { calledOrRefused } from '../called-or-refused.ts'
import type { Declared } from './configuration.ts'
import { asksForConsent, callOf, outcomeIn, runsSince, type CallView, type Pause } from '../view.ts'
import { expectedReason } from './payloads.ts'
import { requirements } from './requirements/index.ts'

type Step = Recorded<StepEvent>

export type Judge = Check<Declared>['judge']

/** The rows that rest on PenguiFlow's page. */
const ofPage = new Set(
  requirements.filter(({ basis }) => basis === 'specification').map(({ id }) => id),
)

/** What the page alone demands is asked of those only that are made after it. */
export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  if (!ofPage.has(requirement)) return { requirement, title, judge }
  return {
    requirement,
    title,
    judge: (t, context) =>
      context.declared.page
        ? judge(t, context)
        : notApplicable('declares.page is false: it is not made after PenguiFlow’s page'),
  }
}

/** The first pause of the call is right; later ones may be for something else. */
export function firstPause(
  wrong: (pause: Pause) => { readonly expected: string; readonly actual: string } | undefined,
  what: string,
): Judge {
  return (t) => {
    const { pauses } = callOf(t)
    // It may have paused for something else before that.
    const pause =
      pauses.find(({ payload }) => asksForConsent(payload)) ??
      pauses.find(({ reason }) => reason === expectedReason)
    if (!pause) return inconclusive('nothing paused for a consent')
    const difference = wrong(pause)
    if (difference) return violation(what, difference, cite(pause.event))
    return pass('nothing is missing', cite(pause.event))
  }
}

/** The first run of another user calls no API with the token of the first one (Security / multi-tenancy notes). */
export const servesNoOther: Judge = (t) => {
  const [first, second] = [callOf(t), callOf(t, 'call-2')]
  const reached = calledOrRefused(t, 'call-2', first.accesses.length > 0)
  if (typeof reached === 'string') return inconclusive(reached)
  if (!issuedGrant(first) || first.accesses.length === 0)
    return inconclusive('the first user has no token that works')
  const [outcome] = second.outcomes
  const used = first.accesses.find(
    (access) => isAfter(access, second.message) && !isAfter(access, outcome),
  )
  const evidence = [...reached, ...cite(outcome, used)]
  if (used) {
    const difference = {
      expected: 'an error, or a pause for their own consent',
      actual: `a request to the API with the token of ${first.user}`,
    }
    return violation('the tool ran with the token of another user', difference, evidence)
  }
  if (!outcome) return inconclusive('the run neither paused nor ended', evidence)
  return pass(outcomeIn(outcome), evidence)
}

/** The outcome of the first resumption since a mark, with the resumption; or why there is none. */
export function resumedSince(t: Transcript, name: string, call = 'call-1') {
  const since = mark(t, name)
  const { resumes, outcomes } = callOf(t, call)
  const resume = resumes.find((step) => isAfter(step, since))
  const outcome = outcomes.find((step) => isAfter(step, resume))
  return { since, resume, outcome }
}

/** What is expected of a pause that was not lost. */
export const goesOn = 'the run goes on: the model is asked, the tool runs, or it pauses again'

/** Whether a resumption found nothing that goes on: it fails, or ends in words before the model was asked or a tool ran. */
export function resumesNothing(call: CallView, resume: Step, outcome: Step | undefined): boolean {
  if (outcome?.action !== 'finished') return outcome?.action === 'run-failed'
  return !call.modelAsked.some((step) => isAfter(step, resume)) && !runsSince(call, resume).length
}

/** Nothing runs after a resumption that must not have an effect, between its mark and the next. */
export function runsNothing(from: string, to: string | undefined, what: string): Judge {
  return (t, { control }): Judgement => {
    const { since, resume, outcome } = resumedSince(t, from)
    if (!resume || !outcome) return inconclusive('the run did not continue after it was resumed')
    const twin = control && callOf(control)
    if (!twin || runsSince(twin, twin.resumes[0]).length === 0)
      return inconclusive('the tool does not run even in the normal case')
    const reached = cite(resume, outcome)
    const until = to === undefined ? undefined : mark(t, to)
    const ran = runsSince(callOf(t), since).find((event) => !until || isAfter(until, event))
    if (!ran) return pass(outcomeIn(outcome), reached)
    return violation(
      what,
      {
        expected: 'no run of the tool',
        actual: ran.type === 'provider' ? 'a request to the API' : 'a run of the tool',
      },
      [...reached, ...cite(ran)],
    )
  }
}

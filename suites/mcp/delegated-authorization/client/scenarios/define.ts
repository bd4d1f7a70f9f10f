/** Gives the scenarios of this profile their types. */

import type { Check, Scenario } from '../../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf, type CallView } from '../view.ts'

export type ClientScenario = Scenario<Fixtures, Declared>
export type Judge = Check<Declared>['judge']

/** Judges what was recorded of one call. */
export type CallJudge = (call: CallView, ...recorded: Parameters<Judge>) => ReturnType<Judge>

/** The same of the call of that name; of the first one by default. */
export const ofCall =
  (judge: CallJudge, name?: string): Judge =>
  (t, context) =>
    judge(callOf(t, name), t, context)

export function scenario(definition: ClientScenario): ClientScenario {
  return definition
}

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** The gate, and the undisturbed twin of everything else. */
export const control = 'approve'

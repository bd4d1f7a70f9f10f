/** What makes a run a certification: complete, undisturbed, and held against the tolerances of the suite. */

import { timingSchema, type BaseConfiguration } from '../../harness/engine/index.ts'
import type { RunRecord } from '../record/run-record.ts'

/** Milliseconds that a certification watches for what must not happen. */
const certificationObserveMs = 3000

/** Days for which a certification is issued. */
export const validDays = 365

type TimingSettings = BaseConfiguration['timing']

const standard: TimingSettings = { ...timingSchema.parse({}), observe: certificationObserveMs }

/**
 * The durations of a certification. What counts as kept is the suite's; a vendor may only lengthen waiting, which proves
 * nothing by itself.
 */
export function certificationTiming({ step, maxWait, concurrency }: TimingSettings) {
  return {
    ...standard,
    step: Math.max(step, standard.step),
    maxWait: Math.max(maxWait, standard.maxWait),
    concurrency,
  }
}

/** Why a run certifies nothing, one reason a line; empty for one that does. */
export function notCertifiable(record: RunRecord): string[] {
  const { partial, baseline, repetition, interrupted, failures, settings, scenarios, clockJumpMs } =
    record
  const broken = scenarios.filter(({ outcome }) => outcome === 'error' || outcome === 'unfinished')
  return [
    ...(partial ? ['only a part of the suite was run'] : []),
    ...(baseline ? ['it used a baseline of known findings'] : []),
    ...(repetition ? [`it is one of ${repetition.of} repetitions`] : []),
    ...(interrupted ? [`it was interrupted by ${interrupted}`] : []),
    ...(failures.length > 0 ? [`the harness failed ${failures.length} times`] : []),
    ...(clockJumpMs === undefined ? [] : [`the clock jumped by ${clockJumpMs} ms meanwhile`]),
    ...broken.map(({ id, outcome }) => `the scenario ${id} ended as ${outcome}`),
    ...otherTolerances(settings),
  ]
}

function otherTolerances(settings: RunRecord['settings']): string[] {
  const { ackMs, graceMs, observeMs, stepMs, maxWaitMs } = settings
  const other = (is: number, should: number, what: string): string[] =>
    is === should ? [] : [`it ${what} ${is} ms, a certification ${should} ms`]
  const shorter = (is: number, should: number, what: string): string[] =>
    is >= should ? [] : [`it ${what} ${is} ms, a certification at least ${should} ms`]
  return [
    ...other(ackMs, standard.ack, 'allowed for an acknowledgement'),
    ...other(graceMs, standard.grace, 'allowed beyond a declared timeout'),
    ...other(observeMs, standard.observe, 'watched for what must not happen'),
    ...shorter(stepMs, standard.step, 'waited for one step'),
    ...shorter(maxWaitMs, standard.maxWait, 'waited for anything'),
  ]
}

/** What makes a run a certification: complete, long enough observed, undisturbed. */

import type { RunRecord } from '../record/run-record.ts'

/** Milliseconds that a certification watches at least for what must not happen. */
export const certificationObserveMs = 3000

/** Days for which a certification is issued. */
export const validDays = 365

/** Why a run certifies nothing, one reason a line; empty for one that does. */
export function notCertifiable(record: RunRecord): string[] {
  const { partial, baseline, repetition, interrupted, failures, settings, scenarios } = record
  const broken = scenarios.filter(({ outcome }) => outcome === 'error' || outcome === 'unfinished')
  return [
    ...(partial ? ['only a part of the suite was run'] : []),
    ...(baseline ? ['it was held against a baseline of known findings'] : []),
    ...(repetition ? [`it is one of ${repetition.of} repetitions`] : []),
    ...(interrupted ? [`it was interrupted by ${interrupted}`] : []),
    ...(failures.length > 0 ? [`the harness failed ${failures.length} times`] : []),
    ...broken.map(({ id, outcome }) => `the scenario ${id} ended as ${outcome}`),
    ...(settings.observeMs < certificationObserveMs
      ? [`it watched only ${settings.observeMs} ms, a certification ${certificationObserveMs} ms`]
      : []),
  ]
}

/** Whether a run that repeats another gives the same verdicts, check by check. */

import { findingsByKey } from '../record/finding-key.ts'
import type { RunRecord } from '../record/run-record.ts'

/** How a run agrees with the certification that it was to repeat. */
export interface Agreement {
  /** How many checks gave the same verdict. */
  readonly same: number
  /** Checks that gave another verdict, one line each. */
  readonly differing: readonly string[]
  /** Whether nothing gave another verdict, and something the same: where nothing could be repeated, nothing is confirmed. */
  readonly confirmed: boolean
  /** How many checks need what this instance was not driven with, for example a restart. */
  readonly notRepeated: number
}

/** Compares two runs of one catalogue. */
export function agreementOf(certified: RunRecord, again: RunRecord): Agreement {
  const found = findingsByKey(again.findings)
  const pairs = [...findingsByKey(certified.findings)].map(([key, { verdict }]) => ({
    key,
    was: verdict,
    is: found.get(key)?.verdict ?? 'not judged',
  }))
  const differing = pairs.filter(({ was, is }) => was !== is && !notAsked.has(is))
  const same = pairs.filter(({ was, is }) => was === is && !notAsked.has(is)).length
  return {
    same,
    confirmed: differing.length === 0 && same > 0,
    differing: differing.map(({ key, was, is }) => `${key}: certified ${was}, here ${is}`),
    notRepeated: pairs.filter(({ was, is }) => was !== is && notAsked.has(is)).length,
  }
}

const notAsked = new Set<string>(['not-applicable', 'not-offered'])

/** Findings for scenarios that never took place: inconclusive with the reason, where they apply at all. */

import {
  judgeRecorded,
  timingOf,
  Transcript,
  type AnyProfile,
  type Finding,
  type RecordedEvent,
} from '../../harness/engine/index.ts'
import type { CommonConfiguration } from '../../harness/parties/index.ts'

/** Judges a recording that holds nothing but its end. */
export function findingsWithoutDrive(
  profile: AnyProfile,
  configuration: CommonConfiguration,
  id: string,
  reason: string,
): Finding[] {
  const end: RecordedEvent = { type: 'end', seq: 1, t: 0, scenario: id, outcome: 'aborted', reason }
  return judgeRecorded(profile, id, {
    transcripts: new Map([[id, new Transcript([end])]]),
    declared: profile.declared(configuration),
    timing: timingOf(configuration),
    strict: configuration.strict,
  })
}

/** Findings for scenarios that never took place: inconclusive with the reason, or not applicable as declared. */

import {
  findScenario,
  judgeRecorded,
  timingOf,
  Transcript,
  type AnyProfile,
  type CommonConfiguration,
  type Finding,
  type RecordedEvent,
} from '../harness/index.ts'

/** Judges a recording that holds nothing but its end. */
export function findingsWithoutDrive(
  profile: AnyProfile,
  configuration: CommonConfiguration,
  id: string,
  reason: string,
): Finding[] {
  const declared: unknown = profile.declared(configuration)
  const pointless = findScenario(profile, id).notApplicable?.(declared)
  const end: RecordedEvent = {
    type: 'end',
    seq: 1,
    t: 0,
    scenario: id,
    outcome: pointless ? 'not-applicable' : 'aborted',
    reason: pointless ?? reason,
  }
  return judgeRecorded(profile, id, {
    transcripts: new Map([[id, new Transcript([end])]]),
    declared,
    timing: timingOf(configuration),
    strict: configuration.strict,
  })
}

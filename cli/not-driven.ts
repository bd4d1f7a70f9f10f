/** Findings for scenarios that never took place: inconclusive with the reason, or not applicable as declared. */

import {
  judgeScenario,
  Transcript,
  type AnyProfile,
  type CommonConfiguration,
  type Finding,
  type RecordedEvent,
  type Scenario,
} from '../harness/index.ts'

/** Judges a recording that holds nothing but its end. */
export function findingsWithoutDrive(
  profile: AnyProfile,
  configuration: CommonConfiguration,
  id: string,
  reason: string,
): Finding[] {
  const found: Scenario<unknown> | undefined = profile.scenarios.find((each) => each.id === id)
  if (!found) return []
  // Without `after` the end alone decides, also where the recordings of other scenarios would be judged.
  const { after: _, ...scenario } = found
  const declared: unknown = profile.declared(configuration)
  const pointless = scenario.notApplicable?.(declared)
  const end: RecordedEvent = {
    type: 'end',
    seq: 1,
    t: 0,
    scenario: id,
    outcome: pointless ? 'not-applicable' : 'aborted',
    reason: pointless ?? reason,
  }
  const { ack, step, observe, maxWait, grace } = configuration.timing
  return judgeScenario(scenario, new Transcript([end]), {
    requirements: new Map(profile.requirements.map((each) => [each.id, each])),
    strict: configuration.strict,
    context: {
      declared,
      timing: { ackMs: ack, stepMs: step, observeMs: observe, maxWaitMs: maxWait, graceMs: grace },
      control: undefined,
    },
  })
}

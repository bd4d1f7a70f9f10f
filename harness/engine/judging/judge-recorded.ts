/** Judges one scenario of a recorded run: the one way from recordings to findings, live and offline alike. */

import { judgeScenario } from './judge.ts'
import { findScenario, type AnyProfile } from '../profile.ts'
import { runLog } from '../run.ts'
import type { Timing } from '../scenario.ts'
import { Transcript } from '../recording/transcript.ts'
import type { Finding } from './verdict.ts'

/** All that findings are made of; a run record and its transcripts hold the same. */
export interface RecordedRun {
  /** By scenario; what belongs to no scenario stands under {@link runLog}. */
  readonly transcripts: ReadonlyMap<string, Transcript>
  readonly declared: unknown
  readonly timing: Timing
  readonly strict: boolean
}

/** Name of the step in the run's log that says that the implementation did not survive. */
export const diedStep = 'implementation-died'

/** Name of the step in the run's log that says of some scenarios that what they recorded proves nothing. */
export const provesNothingStep = 'proves-nothing'

/** The findings of one scenario. @throws Error for an unknown one */
export function judgeRecorded(
  profile: AnyProfile,
  id: string,
  { transcripts, declared, timing, strict }: RecordedRun,
  onBroken?: (error: unknown) => void,
): Finding[] {
  const scenario = findScenario(profile, id)
  const own = transcripts.get(id) ?? new Transcript([])
  const died = transcripts.get(runLog)?.steps(diedStep)[0]
  return judgeScenario(scenario, scenario.after === 'all' ? upTo(own, transcripts) : own, {
    requirements: new Map(profile.requirements.map((each) => [each.id, each])),
    strict,
    died: died && String(died.detail['reason']),
    moot: whyMoot(scenario, transcripts.get(runLog)),
    onBroken,
    run: transcripts,
    context: {
      declared,
      timing,
      control: scenario.control === undefined ? undefined : transcripts.get(scenario.control),
    },
  })
}

/** Why what the scenario recorded proves nothing, if so; what judges the whole run is concerned with every scenario. */
function whyMoot(
  { id, after }: { readonly id: string; readonly after?: 'all' },
  log: Transcript | undefined,
): string | undefined {
  const step = log?.steps(provesNothingStep).find(({ detail: { scenarios } }) => {
    return after === 'all' || (Array.isArray(scenarios) && scenarios.includes(id))
  })
  return step && String(step.detail['reason'])
}

/** The recordings of the whole run until this scenario ended: what came later is not there yet while it is judged. */
function upTo(own: Transcript, transcripts: ReadonlyMap<string, Transcript>): Transcript {
  const end = own.events.at(-1)?.t ?? 0
  const earlier = [...transcripts.values()]
    .filter((each) => each !== own)
    .map(({ events }) => new Transcript(events.filter(({ t }) => t < end)))
  return Transcript.merge([...earlier, own])
}

/** Tells whether an implementation may only be slow: what the run had stopped waiting for arrived after all. */

import {
  endsOf,
  type RecordedEvent,
  type StepEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { RunRecord } from './run-record.ts'

/** One sentence with the setting to raise; `undefined` where nothing came late. */
export function slownessNote(
  record: Pick<RunRecord, 'diagram' | 'settings'>,
  transcripts: ReadonlyMap<string, Transcript>,
): string | undefined {
  const late = [...transcripts].filter(([, { events }]) =>
    events.some(
      (event) => isGivenUp(event) && events.some((each) => comesLate(each, event, record)),
    ),
  )
  const [first] = late
  if (!first) return undefined
  const others = late.length > 1 ? ` and ${late.length - 1} other scenarios` : ''
  const { stepMs, maxWaitMs, concurrency } = record.settings
  return `in ${first[0]}${others} something arrived after the run had stopped waiting for it. If the implementation is only slow, raise timing.step (${stepMs} ms) and --max-wait (${maxWaitMs} ms), or lower timing.concurrency (${concurrency}).`
}

type Step = RecordedEvent & StepEvent

function isGivenUp(event: RecordedEvent): event is Step {
  return event.type === 'step' && event.action === 'gave-up'
}

/** Something of the same call that the implementation sent or showed. */
function comesLate(
  event: RecordedEvent,
  { t, call }: Step,
  { diagram }: Pick<RunRecord, 'diagram'>,
): boolean {
  if (event.t <= t || call === undefined || event.call !== call) return false
  if (event.type === 'surface') return true
  return event.type === 'request' && endsOf(diagram, event)[0] === diagram.implementation
}

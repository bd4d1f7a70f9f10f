/** How both roles read recordings: what came after what, what was watched, and how a value is shown. */

import type { Recorded, StepEvent, Transcript } from '../../harness/engine/index.ts'

/** When something was recorded: milliseconds into the run, and its number in its recording. */
export interface Moment {
  readonly t: number
  readonly seq: number
}

/** Whether an event was recorded after a moment; at the same millisecond the number decides. */
export function isAfter(event: Moment, moment: Moment | undefined): boolean {
  return (
    moment !== undefined && (event.t > moment.t || (event.t === moment.t && event.seq > moment.seq))
  )
}

/** A value as findings show it. */
export function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value)
}

/** The step by which a scenario marks the moment from which on a judgement counts. */
export function mark(t: Transcript, name: string): Recorded<StepEvent> | undefined {
  return t.steps('mark').find((step) => step.detail['name'] === name)
}

/** Milliseconds by which a timer of Node may fire early, and times are rounded. */
const timerSlack = 20

/**
 * Whether an observation window was completed, and for how long was watched, in milliseconds;
 * with a moment, only a window that began after it counts.
 */
export function watched(t: Transcript, since?: { readonly t: number }): number | undefined {
  const windows = t
    .steps('window')
    .map((step) => ({ end: step.t, ms: Number(step.detail['ms']) }))
    .filter(({ end, ms }) => since === undefined || end - ms >= since.t - timerSlack)
    .map(({ ms }) => ms)
  return windows.length > 0 ? Math.max(...windows) : undefined
}

/** The same, of something that need not have happened: then nobody has watched what came of it. */
export function watchedAfter(
  t: Transcript,
  since: { readonly t: number } | undefined,
): number | undefined {
  return since && watched(t, since)
}

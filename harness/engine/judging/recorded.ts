/** How checks read recordings: what came after what, what was waited for, and how a value is shown. */

import type { Recorded, RequestEvent, StepEvent } from '../recording/event.ts'
import type { Transcript } from '../recording/transcript.ts'

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

/** The path of a recorded URL; of one that was withheld or is none, nothing. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}

/** What a request asked for, by the path at which the mock provider has it, whatever a real provider calls it. */
export function servedPath({ url, servedAt }: Pick<RequestEvent, 'url' | 'servedAt'>): string {
  return servedAt ?? pathOf(url)
}

/** The step by which a scenario marks the moment from which on a judgement counts. */
export function mark(t: Transcript, name: string): Recorded<StepEvent> | undefined {
  return t.steps('mark').find((step) => step.detail['name'] === name)
}

/** Name of the step that says by how many milliseconds (`ms`) the clock of the implementation was moved. */
export const clockStep = 'clock'

/** Milliseconds from one event to another by the clock of the implementation, which may have been moved between. */
export function elapsed(t: Transcript, from: Moment, to: Moment): number {
  const jumps = t.steps(clockStep).filter((step) => isAfter(step, from) && isAfter(to, step))
  return to.t - from.t + jumps.reduce((sum, { detail }) => sum + Number(detail['ms']), 0)
}

/** The step that names an exchange whose sender closed the connection before it was answered. */
export const senderGaveUp = 'sender-gave-up'

/** How long something of this call was waited for until it was given up, in milliseconds. */
export function gaveUpAfter(t: Transcript, call: string): number | undefined {
  const waits = t.steps('gave-up', call).map(({ detail }) => Number(detail['within']))
  return waits.length > 0 ? Math.max(...waits) : undefined
}

/**
 * Whether an observation window was completed, and for how long was watched, in milliseconds;
 * with an event, only a window that began after it counts.
 */
export function watched(t: Transcript, since?: { readonly t: number }): number | undefined {
  const windows = t
    .steps('window')
    .filter(
      (step) => since === undefined || step.t - Number(step.detail['ms']) >= since.t - timerSlack,
    )
    .map((step) => Number(step.detail['ms']))
  return windows.length > 0 ? Math.max(...windows) : undefined
}

/** The same, of something that need not have happened: then nobody has watched what came of it. */
export function watchedAfter(
  t: Transcript,
  since: { readonly t: number } | undefined,
): number | undefined {
  return since && watched(t, since)
}

/** Milliseconds by which a timer of Node may fire early, and times are rounded. */
const timerSlack = 20

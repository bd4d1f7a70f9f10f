/** How both roles read recordings: what came after what, and how a value is shown. */

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

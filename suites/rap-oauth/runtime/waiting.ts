/** Waiting for what a runtime does, for as long as such a thing was seen to take. */

import { Unreached, type Transcript } from '../../../harness/engine/index.ts'
import { AdapterFailure } from '../../../harness/parties/index.ts'
import type { SessionParts } from './session-parts.ts'

export interface WaitOptions {
  /** Milliseconds that it may take in any case. */
  readonly atLeast?: number
  /** Milliseconds that it may take; default: what such a thing was seen to take. */
  readonly within?: number
  /** The delivery that it is about. */
  readonly of?: string
  /** How many of several such things are there: as long as there are more, the others stand in a queue, and are waited for anew. */
  readonly progress?: (t: Transcript) => number
  /** What may have gone wrong, for the author of the runtime. */
  readonly why?: (t: Transcript, call: string) => string
}

interface Expected<T> extends WaitOptions {
  readonly what: string
  readonly look: (t: Transcript) => T | undefined
}

/** Waits until it is recorded, and learns how long such a thing takes. @throws Unreached when it does not come */
export async function expectThat<T>(
  { recorder, run, instance, patience, lendSlot }: SessionParts,
  call: string,
  {
    what,
    look,
    atLeast,
    within: once = patience.within(what, atLeast),
    of,
    why,
    progress,
  }: Expected<T>,
): Promise<T> {
  const { gone } = instance
  const since = performance.now()
  const isOver = (): boolean => gone.aborted || run.signal.aborted
  const count = (): number => progress?.(recorder.transcript()) ?? 0
  let within = 0
  let before: number
  let found: T | undefined
  do {
    before = count()
    within += once
    found = await lendSlot(recorder.waitFor(look, once, run.signal, gone))
  } while (found === undefined && !isOver() && count() > before)
  patience.learn(what, found === undefined ? 0 : performance.now() - since)
  if (found !== undefined) return found
  if (gone.aborted) throw goneBy(gone)
  const detail = { what, within, ...(of === undefined ? {} : { of }) }
  recorder.record({ type: 'step', action: 'gave-up', call, detail })
  const reason = why?.(recorder.transcript(), call)
  throw new Unreached(`${what}, for ${call} within ${within} ms${reason ? `: ${reason}` : ''}`)
}

/** An adapter that fails is no finding about the runtime: the harness itself cannot go on. */
function goneBy({ reason }: AbortSignal): Error {
  return reason instanceof AdapterFailure
    ? reason
    : new Unreached(`the runtime is no longer running: ${String(reason)}`)
}

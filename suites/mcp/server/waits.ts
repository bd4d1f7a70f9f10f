/** How a call of a tool is waited for: in its recording, until it is there, given up, or can no longer come. */

import {
  Unreached,
  type OffSlot,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { textIn } from '../wire/values.ts'
import type { Connection } from './connections.ts'

export interface WaitsParts<View> {
  /** Name of the call. */
  readonly name: string
  readonly connection: Connection
  readonly recorder: Recorder
  readonly run: Run
  readonly lendSlot: OffSlot
  readonly callOf: (t: Transcript, name: string) => View
}

/** Both throw `Unreached` where nothing comes. */
export interface Waits<View> {
  /** Waits until the connection can be used. */
  ready(): Promise<void>
  /** Waits so many milliseconds until something stands in the recording of the call. */
  until<T>(
    within: number,
    what: string,
    find: (call: View, t: Transcript) => T | undefined,
  ): Promise<T>
}

export function waitsOf<View>(parts: WaitsParts<View>): Waits<View> {
  const { name, connection, recorder, run, lendSlot, callOf } = parts
  return {
    async ready() {
      await lendSlot(connection.opened)
    },
    async until<T>(
      within: number,
      what: string,
      find: (call: View, t: Transcript) => T | undefined,
    ): Promise<T> {
      const { gone } = await connection.opened
      const look = (t: Transcript): T | 'unanswered' | undefined =>
        find(callOf(t, name), t) ?? (t.steps('unanswered', name)[0] ? 'unanswered' : undefined)
      const found = await lendSlot(recorder.waitFor(look, within, run.signal, gone))
      if (found !== undefined && found !== 'unanswered') return found
      const [unanswered] = recorder.transcript().steps('unanswered', name)
      if (unanswered)
        throw new Unreached(`${name} got no answer: ${textIn(unanswered.detail['reason'])}`)
      if (gone.aborted) throw new Unreached(`the connection was lost: ${String(gone.reason)}`)
      recorder.record({ type: 'step', action: 'gave-up', call: name, detail: { what, within } })
      const [ended] = recorder.transcript().steps('stream-ended', name)
      const why = ended ? `; the stream of its answer: ${textIn(ended.detail['what'])}` : ''
      throw new Unreached(`${what} for ${name} within ${within} ms${why}`)
    },
  }
}

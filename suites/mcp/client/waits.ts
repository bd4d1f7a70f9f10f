/** How something of a call that a client makes is waited for: in its recording, until it is there, given up, or can no longer come. */

import {
  show,
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { refusal } from '../wire/server.ts'
import { textIn } from '../wire/values.ts'
import type { ClientInstance } from './instance.ts'

export interface WaitsParts<View> {
  /** Name of the call. */
  readonly name: string
  readonly recorder: Recorder
  readonly run: Run
  readonly lendSlot: OffSlot
  readonly patience: Patience
  readonly instance: () => Promise<ClientInstance>
  readonly callOf: (t: Transcript, name: string) => View
}

export interface Waits<View> {
  /** Waits as long as things of this kind were seen to take, or so many milliseconds. @throws Unreached */
  until<T>(
    kind: string,
    what: string,
    find: (call: View) => T | undefined,
    within?: number,
  ): Promise<T>
  /** Waits so many milliseconds; `undefined` where nothing came. */
  look<T>(within: number, find: (call: View) => T | undefined): Promise<T | undefined>
}

/** What the servers had to refuse, which may be why nothing came. */
function wireTrouble(t: Transcript): string {
  const [first, ...others] = t.steps(refusal).map(({ detail }) => detail)
  if (first) {
    const more = others.length > 0 ? `, and ${others.length} more` : ''
    return `; a request was refused by HTTP ${show(first['status'])}: ${textIn(first['why'])}${more}`
  }
  const refused = t
    .requests('mcp')
    .map((request) => t.answer(request))
    .find((answer) => answer?.type === 'response' && answer.status === 400)
  if (refused?.type !== 'response') return ''
  return `; a message was refused by HTTP 400: ${refused.body?.text.slice(0, 200) ?? ''}`
}

export function waitsOf<View>(parts: WaitsParts<View>): Waits<View> {
  const { name, recorder, run, lendSlot, patience, instance, callOf } = parts
  const look: Waits<View>['look'] = async (within, find) => {
    const { gone } = await lendSlot(instance())
    const found = (t: Transcript) => {
      // What is not in the recording is announced by a step in it.
      void t.steps('arrived', name)
      return find(callOf(t, name))
    }
    return lendSlot(recorder.waitFor(found, within, run.signal, gone))
  }
  return {
    look,
    async until(kind, what, find, within = patience.within(kind)) {
      const begun = run.now()
      const found = await look(within, find)
      patience.learn(kind, found === undefined ? 0 : run.now() - begun)
      if (found !== undefined) return found
      const { gone } = await lendSlot(instance())
      if (gone.aborted) throw new Unreached(String(gone.reason))
      recorder.record({ type: 'step', action: 'gave-up', call: name, detail: { what, within } })
      const why = wireTrouble(recorder.transcript())
      throw new Unreached(`${what} for ${name} within ${within} ms${why}`)
    },
  }
}

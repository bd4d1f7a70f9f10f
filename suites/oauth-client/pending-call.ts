/** A call that is driven: what scenarios do with it. */

import type { Transcript } from '../../harness/engine/index.ts'
import type { HandedCall } from './handed-call.ts'

/** A call for which the client may need its user. Waiting verbs throw `Unreached` where nothing comes. */
export interface PendingCall {
  readonly name: string
  /** Waits until the user is to be handed over, and gives the URL. */
  asked(): Promise<string>
  /** Waits a while for what the call asks of its user beside this URL, where that has led to a page; gives the next one. */
  askedNext?(url: string): Promise<string | undefined>
  /** Waits for the end of the call, beside other scenarios; milliseconds, by default as long as the run waits. */
  ended(within?: number): Promise<unknown>
  /** Waits likewise, and goes on without: for what is to be tried whether or not the call has ended. */
  settle(within?: number): Promise<void>
  /** Waits until something stands in the recording. */
  waitUntil(what: string, find: (call: HandedCall, t: Transcript) => unknown): Promise<void>
  /** Waits for whichever comes first: the URL, or the end of the call. */
  answered(): Promise<'asked' | 'ended'>
}

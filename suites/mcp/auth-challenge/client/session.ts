/** A call of a tool that a user has the client make, and what is waited for: verbs of the scenarios. */

import {
  isAfter,
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { PendingCall } from '../../../oauth-client/pending-call.ts'
import type { User } from '../../../oauth-client/user.ts'
import type { ClientInstance } from '../../client/instance.ts'
import { waitsOf, type Waits } from '../../client/waits.ts'
import type { DrivenClient } from './driven-client.ts'
import { callOf, type CallView } from './view.ts'

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly lendSlot: OffSlot
  readonly patience: Patience
  readonly client: Promise<DrivenClient>
  readonly user: User
  readonly tool: string
  /** What makes the call known on the wire. */
  readonly note: string
}

/** Arguments of every kind beside the note: each is to be the same when the call is made again. */
const furtherArguments = {
  limit: 25,
  ratio: 0.5,
  exact: true,
  folder: null,
  kinds: ['book', 'tool'],
  between: { from: 1 },
}

/** Its waiting verbs throw `Unreached` where nothing comes. */
export class Call implements PendingCall {
  readonly name: string
  readonly note: string
  readonly #parts: CallParts
  readonly #waits: Waits<CallView>
  #asked = 0

  constructor(name: string, parts: CallParts) {
    this.name = name
    this.note = parts.note
    this.#parts = parts
    this.#waits = waitsOf({ ...parts, name, callOf, instance: () => this.#instance() })
  }

  /** Has the client call the tool, without waiting. */
  begin(): void {
    const { recorder, tool, user } = this.#parts
    const args = { note: this.note, ...furtherArguments }
    const detail = { user: user.id, tool, arguments: args }
    recorder.record({ type: 'step', action: 'begin', call: this.name, detail })
    // Whoever waits for something of the call hears why nothing comes.
    void this.#instance()
      .then((running) => running.call(tool, args))
      .catch(() => undefined)
  }

  /** Waits for the next page that is opened. */
  async asked(): Promise<string> {
    await this.attempted()
    const at = this.#asked
    const found = await this.#waits.until(
      'opened',
      'nothing was opened',
      ({ opened }) => opened[at],
    )
    this.#asked += 1
    return String(found.detail['url'])
  }

  async answered(): Promise<'asked' | 'ended'> {
    await this.attempted()
    const found = await this.#waits.until('answer', 'no page and no end', ({ opened, served }) => {
      return opened[0] ?? served[0]
    })
    return 'message' in found ? 'ended' : 'asked'
  }

  /** Waits until the tool was called, for which the client may have to start first. */
  async attempted(): Promise<void> {
    const { maxWaitMs } = this.#parts.run.timing
    await this.#waits.until(
      'attempt',
      'no call of the tool',
      ({ attempts }) => attempts[0],
      maxWaitMs,
    )
  }

  /** Waits until the call is served, or its user is told something after they came back and nothing else follows. */
  async ended(within?: number): Promise<void> {
    const { run } = this.#parts
    await this.#waits.until('end', 'no end', (call) => call.served[0] ?? this.#told(call), within)
    if (!this.view().served[0])
      await this.#waits.look(run.timing.observeMs, ({ served }) => served[0])
  }

  async settle(within?: number): Promise<void> {
    try {
      await this.ended(within)
    } catch (error) {
      if (!(error instanceof Unreached)) throw error
    }
  }

  /** Waits until it is served. */
  async served(): Promise<void> {
    await this.attempted()
    await this.#waits.until('served', 'the call was not served', ({ served }) => served[0])
  }

  /** Waits until the user has been shown something. */
  async shown(find: (call: CallView) => unknown): Promise<void> {
    await this.#waits.until(
      'shown',
      'its user was shown nothing of it',
      (call) => find(call) || undefined,
    )
  }

  /** Whether a page is opened within the time that this has taken before. */
  async opens(): Promise<boolean> {
    await this.attempted()
    try {
      await this.#waits.until('opened', 'nothing was opened', ({ opened }) => opened[0])
      return true
    } catch (error) {
      if (!(error instanceof Unreached)) throw error
      return false
    }
  }

  /** Watches whether a further page is opened: for an observation window, or for longer where pages took longer. */
  async reopened(): Promise<boolean> {
    const at = this.#asked
    const { run, patience } = this.#parts
    const within = patience.within('opened', run.timing.observeMs)
    return this.#watch(within, ({ opened }) => opened[at])
  }

  /** Watches whether it is challenged so often, for as long as it takes to come back with a token. */
  async refused(times: number): Promise<boolean> {
    const within = this.#parts.patience.within('served')
    return this.#watch(within, ({ challenges }) => challenges[times - 1])
  }

  async waitUntil(what: string, find: (call: CallView, t: Transcript) => unknown): Promise<void> {
    const { recorder } = this.#parts
    await this.#waits.until('event', what, (call) => find(call, recorder.transcript()) || undefined)
  }

  /** The call as it is recorded by now. */
  view(): CallView {
    return callOf(this.#parts.recorder.transcript(), this.name)
  }

  /** Something that is shown after the browser has come back. */
  #told({ shown }: CallView) {
    const returned = this.#parts.recorder.transcript().steps('visited', this.name).at(-1)
    return returned && shown.find((event) => isAfter(event, returned))
  }

  async #instance(): Promise<ClientInstance> {
    const { client } = this.#parts
    return (await client).instance
  }

  async #watch(within: number, find: (call: CallView) => unknown): Promise<boolean> {
    return (await this.#waits.look(within, (call) => find(call) || undefined)) !== undefined
  }
}

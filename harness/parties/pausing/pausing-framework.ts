/**
 * A framework whose runs pause and are resumed, reached through an adapter: who says what to which conversation, and
 * what came of it. It knows neither what a pause is for nor how the framework is made.
 */

import type { Recorder } from '../../engine/recording/recorder.ts'
import type { Run } from '../../engine/run.ts'
import { carryOut } from '../implementation/adapter/carry-out.ts'
import type { Adapter, CommandToSend } from '../implementation/adapter/adapter.ts'
import { launchAdapter, type LaunchOptions } from '../implementation/adapter/launch.ts'
import type { AdapterNotice } from '../implementation/adapter/protocol.ts'
import { factsOf } from './handle-facts.ts'

/** How a run that was begun or resumed has come to rest. */
export type RunOutcome = Extract<AdapterNotice, { event: 'paused' | 'finished' | 'run_failed' }>

/** One conversation of one user, and the scenario that it belongs to. */
export interface Talk {
  readonly recorder: Recorder
  readonly call: string
  readonly conversation: string
  readonly user: string
  /** Told before it is recorded; what is recorded holds neither handle nor state. */
  readonly onOutcome: (outcome: RunOutcome) => void
}

/** Whom a pause is resumed as, by which handle and with which word. */
export interface Resumption {
  readonly user: string
  readonly handle: string
  readonly input: string
}

/** What it keeps, in the words of its adapter. */
export interface Kept {
  readonly path: string
  readonly text: string
  readonly kind?: string | undefined
}

/** How a framework is started. */
export interface PausingOptions extends Omit<LaunchOptions, 'onNotice' | 'onLog' | 'speaks'> {
  readonly run: Run
  /** Names the instance in the log of the run. */
  readonly name: string
  /** The state of the flow that a payload asks for. */
  readonly stateIn: (payload: Readonly<Record<string, unknown>>) => string | undefined
  /** How a handle can be computed from what others know, if it can: its user, its conversation, the state of its flow. */
  readonly derivationOf: (
    handle: string,
    known: Readonly<Record<string, string | undefined>>,
  ) => string | undefined
  /** Whether states are secrets of the run, or recorded as they are since their form is judged. */
  readonly hidesStates: boolean
}

/** What an adapter said, with what the harness adds. */
type Noted = Readonly<Record<string, unknown>>

/** Most earlier handles that a new one is compared with. */
const mostCompared = 100

/** A framework that runs behind its adapter: takes what users say, and records what comes of it. */
export class PausingFramework {
  readonly #options: PausingOptions
  readonly #talks = new Map<string, Talk>()
  readonly #handles = new Set<string>()
  /** By the states of their flows. */
  readonly #flows = new Map<string, Talk>()
  #adapter: Adapter | undefined

  private constructor(options: PausingOptions) {
    this.#options = options
  }

  /** Starts the adapter and what it adapts. @throws AdapterFailure */
  static async start(options: PausingOptions): Promise<PausingFramework> {
    const framework = new PausingFramework(options)
    const { run, name } = options
    framework.#adapter = await launchAdapter({
      ...options,
      speaks: 2,
      onNotice: (notice) => framework.#take(notice),
      onLog(text, bytes) {
        run.log.record({ type: 'output', source: `${name} stderr`, text, bytes })
      },
    })
    return framework
  }

  get capabilities(): readonly string[] {
    return this.#running.capabilities
  }

  /** Why it runs no more, if so. */
  get lost(): string | undefined {
    const { gone } = this.#running
    return gone.aborted ? String(gone.reason) : undefined
  }

  get group(): number | undefined {
    return this.#running.group
  }

  get gone(): AbortSignal {
    return this.#running.gone
  }

  /** What happens in this conversation from now on belongs to this scenario. */
  enter(talk: Talk): void {
    this.#talks.set(talk.conversation, talk)
  }

  async say({ recorder, call, conversation, user }: Talk, text: string): Promise<void> {
    recorder.record({ type: 'step', action: 'message', call, detail: { conversation, user, text } })
    await this.#do({ command: 'message', conversation, user, text })
  }

  async resume({ recorder, call, conversation }: Talk, given: Resumption): Promise<void> {
    recorder.record({ type: 'step', action: 'resume', call, detail: { conversation, ...given } })
    await this.#do({ command: 'resume', conversation, ...given })
  }

  /** Hands it the redirect that a browser followed, where it does not listen itself. */
  async giveCallback(url: string): Promise<void> {
    await this.#do({ command: 'callback', url })
  }

  async restart(): Promise<void> {
    await this.#do({ command: 'restart' })
  }

  async advanceClock(ms: number): Promise<void> {
    await this.#do({ command: 'advance_clock', ms })
  }

  async dump(): Promise<readonly Kept[]> {
    return (await this.#do({ command: 'dump' })).entries ?? []
  }

  async stop(): Promise<void> {
    await this.#adapter?.close(this.#options.target.stopTimeout)
  }

  get #running(): Adapter {
    if (!this.#adapter) throw new Error('it was not started')
    return this.#adapter
  }

  #do(command: CommandToSend) {
    return carryOut(this.#running, command)
  }

  #take(notice: AdapterNotice): void {
    switch (notice.event) {
      case 'paused':
        return this.#paused(notice)
      case 'finished':
      case 'run_failed': {
        const talk = this.#talks.get(notice.conversation)
        talk?.onOutcome(notice)
        const action = notice.event === 'finished' ? 'finished' : 'run-failed'
        return this.#record(talk, action, notice)
      }
      case 'tool_run':
        return this.#record(this.#talks.get(notice.conversation), 'tool-run', notice)
      case 'callback':
        return this.#record(this.#calledBack(notice), 'callback-taken', notice)
      default:
        return this.#record(undefined, 'adapter', notice)
    }
  }

  #paused(notice: Extract<RunOutcome, { event: 'paused' }>): void {
    const { run, stateIn, derivationOf, hidesStates } = this.#options
    const talk = this.#talks.get(notice.conversation)
    const state = stateIn(notice.payload)
    const compared = [...this.#handles].slice(-mostCompared)
    const known = { user: talk?.user, conversation: talk?.conversation, state }
    const facts = {
      ...factsOf(notice.handle, compared, { user: talk?.user, state }),
      derived: derivationOf(notice.handle, known),
    }
    this.#handles.add(notice.handle)
    for (const part of secretParts(notice.handle, [talk?.user, talk?.conversation]))
      run.ledger.add('resume_handle', part)
    if (state !== undefined && hidesStates) run.ledger.add('pending_state', state)
    if (state !== undefined && talk) this.#flows.set(state, talk)
    talk?.onOutcome(notice)
    this.#record(talk, 'paused', { ...notice, facts })
  }

  /** Whose flow it was, by its state, or else whose token is said to have come. */
  #calledBack({ state, user }: Extract<AdapterNotice, { event: 'callback' }>): Talk | undefined {
    const own = state === undefined ? undefined : this.#flows.get(state)
    return own ?? [...this.#talks.values()].findLast((talk) => talk.user === user)
  }

  #record(talk: Talk | undefined, action: string, notice: Noted): void {
    const { event: _, ...detail } = notice
    const recorder = talk && !talk.recorder.ended ? talk.recorder : this.#options.run.log
    recorder.record({ type: 'step', action, ...(talk ? { call: talk.call } : {}), detail })
  }
}

/** What is left of a handle without names that the harness gave: these stand elsewhere with good reason. */
function secretParts(handle: string, given: readonly (string | undefined)[]): string[] {
  const names = given.filter((name) => name !== undefined && name !== '') as string[]
  return names
    .reduce((parts, name) => parts.flatMap((part) => part.split(name)), [handle])
    .filter((part) => part !== '')
}

/** The verbs that a scenario speaks: what a user says to a framework, and how the run that pauses is resumed. */

import {
  keepWaiting,
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
  type Transcript,
} from '../../harness/engine/index.ts'
import type {
  ModelScript,
  PausingFramework,
  RunOutcome,
  Talk,
} from '../../harness/parties/index.ts'
import type { PendingCall } from '../oauth-client/pending-call.ts'
import type { User } from '../oauth-client/user.ts'
import type { FrameworkConfiguration, Tool } from './configuration.ts'
import { resultsTold } from './results-told.ts'
import { asksForConsent, callOf, outcomesOf, type CallView } from './view.ts'

export interface CallParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly configuration: FrameworkConfiguration
  readonly framework: PausingFramework
  readonly script: ModelScript
  readonly offSlot: OffSlot
  readonly lendSlot: OffSlot
  readonly patience: Patience
}

export interface CallOptions {
  /** Whether the framework is told of no user. */
  readonly anonymous?: true
  /** The call in whose conversation it is said; default: a conversation of its own. */
  readonly beside?: PendingCall
  /** What the model asks for at once; default: the operation. */
  readonly tools?: readonly Tool[]
}

/** How a pause is resumed, as far as it differs from what is right. */
export interface Resuming {
  readonly as?: User
  readonly handle?: string
  readonly input?: string
  /** Whether the model only listens, instead of asking for the tool until it has its result. */
  readonly quietly?: true
  /** Names the run in what is said, so that it is known where a model hears of it. */
  readonly named?: true
}

/** Pauses after which a run is not resumed any more by itself. */
const mostPauses = 2

/** Milliseconds that a manager is given at least to say what became of a callback. */
const leastForCallback = 1000

type Paused = Extract<RunOutcome, { event: 'paused' }>

/** A message of a user, and the run that comes of it. Its waiting verbs throw `Unreached` where nothing comes. */
export class Call implements PendingCall {
  readonly name: string
  readonly user: User
  readonly #parts: CallParts
  readonly #talk: Talk
  readonly #tools: readonly Tool[]
  readonly #reference: string
  readonly #outcomes: RunOutcome[] = []
  readonly #resumed = new Set<string>()
  #due = 0
  /** Of how many callbacks it was waited for what became of them. */
  #heardOf = 0
  /** Milliseconds that were waited in vain. */
  #unrested = 0
  #begun: Promise<void> = Promise.resolve()

  constructor(name: string, user: User, options: CallOptions, parts: CallParts) {
    this.name = name
    this.user = user
    this.#parts = parts
    this.#tools = options.tools ?? [parts.configuration.operation]
    this.#reference = parts.run.newName('ref')
    this.#talk = {
      recorder: parts.recorder,
      call: name,
      conversation: conversationOf(options.beside) ?? parts.run.newName('conversation'),
      user: options.anonymous ? '' : user.id,
      onOutcome: (outcome) => this.#outcomes.push(outcome),
    }
  }

  get conversation(): string {
    return this.#talk.conversation
  }

  /** Says what makes the model call the tools. */
  begin(): Promise<void> {
    this.#begun = this.#begin()
    return this.#begun
  }

  /** When it was said. */
  get begun(): Promise<void> {
    return this.#begun
  }

  async #begin(): Promise<void> {
    const { recorder, script, framework, lendSlot } = this.#parts
    const [tool] = this.#tools
    const { conversation, user } = this.#talk
    const detail = { user, conversation, tool: tool?.name, arguments: tool?.arguments }
    recorder.record({ type: 'step', action: 'begin', call: this.name, detail })
    script.plan(this.#reference, { recorder, call: this.name, tools: this.#tools })
    framework.enter(this.#talk)
    const names = this.#tools.map(({ name }) => name).join(' and ')
    this.#due += 1
    await lendSlot(framework.say(this.#talk, `Please use ${names} for me (${this.#reference}).`))
  }

  /** Waits until the run that was begun or resumed last has come to rest. */
  async rest(): Promise<RunOutcome> {
    await this.#begun
    const outcome = await this.#outcome(this.#due - 1)
    if (outcome) return outcome
    const waited = `within ${this.#unrested} ms (timing.step, timing.maxWait)`
    throw new Unreached(`the run of ${this.name} neither paused nor ended ${waited}`)
  }

  /** Waits likewise, for a pause. */
  async paused(): Promise<Paused> {
    const outcome = await this.rest()
    if (outcome.event === 'paused') return outcome
    throw new Unreached(`the run of ${this.name} ended instead of pausing`)
  }

  /** Goes on through pauses for something else, until its user is asked for a consent or the run ends. */
  async asksOrEnds(): Promise<RunOutcome> {
    let outcome = await this.rest()
    for (let more = 0; more < mostPauses && isForOther(outcome); more += 1)
      outcome = await this.resume()
    return outcome
  }

  /** The URL of its newest pause for a consent. */
  async asked(): Promise<string> {
    const outcome = await this.asksOrEnds()
    const url = outcome.event === 'paused' ? outcome.payload['auth_url'] : undefined
    if (typeof url === 'string') return url
    throw new Unreached(
      outcome.event === 'paused'
        ? `the payload of ${this.name} has no auth_url`
        : `the run of ${this.name} ended instead of pausing`,
    )
  }

  /** The handle of its newest pause, also of one that was resumed already. */
  get handle(): string {
    const paused = this.#outcomes.findLast((each): each is Paused => each.event === 'paused')
    if (!paused) throw new Unreached(`${this.name} has never paused`)
    return paused.handle
  }

  /** Resumes its newest pause once it is known what became of its callback, and waits for what comes of it. */
  async resume(resuming: Resuming = {}): Promise<RunOutcome> {
    if (this.#returned() > this.#heardOf) await this.calledBack()
    await this.resumeOnly(resuming)
    return this.rest()
  }

  /** Resumes without waiting for what comes of it. */
  async resumeOnly(resuming: Resuming = {}): Promise<void> {
    const { configuration, framework, script, lendSlot } = this.#parts
    const { as = this.user, handle = this.handle, quietly } = resuming
    const { input = configuration.declares.completed, named } = resuming
    if (!quietly) script.insist(this.#reference, (request) => this.#hasResults(request.messages))
    this.#due += 1
    this.#resumed.add(handle)
    const said = named ? `${input} (${this.#reference})` : input
    await lendSlot(framework.resume(this.#talk, { user: as.id, handle, input: said }))
  }

  /** What a host does: resumes what has paused once more, until the run ends. */
  async goOn(): Promise<void> {
    for (let more = 0; more < mostPauses; more += 1) {
      await this.rest()
      if (this.#resumed.has(this.handle)) return
      await this.resume()
    }
  }

  async answered(): Promise<'asked' | 'ended'> {
    return (await this.asksOrEnds()).event === 'paused' ? 'asked' : 'ended'
  }

  /** Goes on as its host does when the user is back, until the run has ended. */
  async ended(): Promise<void> {
    const { recorder, run, offSlot } = this.#parts
    const begun = run.now()
    await offSlot(this.#hosted())
    if ((await this.rest()).event !== 'paused') return
    const within = Math.round(run.now() - begun)
    const detail = { what: 'no end', within }
    recorder.record({ type: 'step', action: 'gave-up', call: this.name, detail })
    throw new Unreached(`the run of ${this.name} has paused again`)
  }

  async #hosted(): Promise<void> {
    if ((await this.asksOrEnds()).event !== 'paused') return
    await this.calledBack()
    await this.goOn()
  }

  /** A host resumes when its manager has said what became of the callback, which need not be before the page is shown. */
  async calledBack(): Promise<void> {
    const { recorder, run, framework, patience } = this.#parts
    const begun = run.now()
    const nth = Math.max(this.#returned(), 1)
    this.#heardOf = nth
    const look = (t: Transcript) => callOf(t, this.name).callbacks[nth - 1]
    const within = patience.within('callback', leastForCallback)
    const found = await recorder.waitFor(look, within, run.signal, framework.gone)
    patience.learn('callback', found ? run.now() - begun : 0)
  }

  /** How often the browser has come back. */
  #returned(): number {
    return this.#parts.recorder.transcript().requests('browser', this.name).length
  }

  async settle(): Promise<void> {
    await this.ended().catch((error: unknown) => {
      if (!(error instanceof Unreached)) throw error
    })
  }

  async waitUntil(what: string, find: (call: CallView, t: Transcript) => unknown): Promise<void> {
    const { recorder, run, offSlot } = this.#parts
    const look = (t: Transcript): unknown => find(callOf(t, this.name), t) || undefined
    const found = await offSlot(recorder.waitFor(look, run.timing.maxWaitMs, run.signal))
    if (found === undefined) throw new Unreached(`${what} for ${this.name}`)
  }

  /**
   * The nth outcome since it began, from 0. While its run is seen to go on, it is waited for as long as the run may; so it
   * is while others go on beside it, since they may be taken one after the other.
   */
  async #outcome(nth: number): Promise<RunOutcome | undefined> {
    const { recorder, run, framework, lendSlot, patience } = this.#parts
    const begun = run.now()
    const kind = nth === 0 ? 'outcome' : 'outcome of a resumption'
    const look = (t: Transcript) => outcomesOf(t, this.name)[nth]
    const found = await lendSlot(
      keepWaiting({
        within: patience.within(kind),
        atMost: run.timing.maxWaitMs,
        wait: (within) => recorder.waitFor(look, within, run.signal, framework.gone),
        signs: () => recorder.transcript().events.length,
      }),
    )
    patience.learn(kind, found ? run.now() - begun : 0)
    if (found) return this.#outcomes[nth]
    this.#unrested = Math.round(run.now() - begun)
    const detail = { what: 'no pause and no end', within: this.#unrested }
    recorder.record({ type: 'step', action: 'gave-up', call: this.name, detail })
    return undefined
  }

  /** Whether the model was given a result of each tool: data of the user's account. */
  #hasResults(messages: readonly unknown[]): boolean {
    const { accesses } = callOf(this.#parts.recorder.transcript(), this.name)
    const tokens = new Set(accesses.map(({ detail }) => detail['token']))
    const names = this.#tools.map(({ name }) => name)
    return resultsTold(messages, names, tokens.size)
  }
}

/** Whether a run has paused for something else than a consent. */
function isForOther(outcome: RunOutcome): boolean {
  return outcome.event === 'paused' && !asksForConsent(outcome.payload)
}

function conversationOf(call: PendingCall | undefined): string | undefined {
  return call instanceof Call ? call.conversation : undefined
}

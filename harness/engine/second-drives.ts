/** Drives once more what lacks nothing but proof, where what was waited for may have come too late (decisions 34 and 37). */

import type { Gate } from './profile.ts'
import type { EndEvent, RecordedEvent } from './recording/event.ts'
import type { Transcript } from './recording/transcript.ts'
import type { Run } from './run.ts'
import { Slots } from './slots.ts'

/** Name of the step in the run's log that says of a scenario that it was driven a second time, and why. */
export const drivenAgainStep = 'driven-again'

/** Why a scenario is driven again: this machine was busy, or others may have gone first. */
type Reason = 'busy' | 'beside-others'

/** Scenarios that act at a time on a busy machine: most of what it has to do may be the run itself. */
const fewAtATime = 2
/** Second drives that prove nothing, one after the other, after which no further one is tried alone. */
const mostInVain = 3

export type Outcome = EndEvent['outcome']

/** How a scenario was driven first. */
export interface First {
  readonly outcome: Outcome
  /** When it began to act, in milliseconds of the run. */
  readonly begun: number
}

/** What a scenario is here, and how it is driven. */
export interface Driven {
  readonly id: string
  readonly after?: 'all' | undefined
  /** Resolves when its control has been driven, which says whether there is proof. */
  readonly controlled: () => Promise<void>
  readonly attempt: (slots: Slots) => Promise<Outcome>
}

export interface SecondDrivesParts {
  readonly run: Pick<Run, 'log' | 'now' | 'busyFor' | 'signal'>
  readonly gate: Pick<Gate, 'scenario' | 'atAll'>
  /** Where the first drives act. */
  readonly slots: Slots
  readonly recorded: (scenario: string) => Transcript | undefined
  /** Whether what is recorded of a scenario leaves something without proof, and breaks nothing. */
  readonly provesNothing: (scenario: string) => boolean
  /** Resolves when all first drives at the shared instance have ended. */
  readonly othersEnded: () => Promise<unknown>
}

export class SecondDrives {
  readonly #parts: SecondDrivesParts
  readonly #few = new Slots(fewAtATime)
  /** One after the other, as nothing else goes on. */
  readonly #turns = new Slots(1)
  #inVain = 0

  constructor(parts: SecondDrivesParts) {
    this.#parts = parts
  }

  /** Drives it once more where that may prove something. Gives the outcome that counts. */
  async drive(driven: Driven, first: First): Promise<Outcome> {
    const why = await this.#reasonFor(driven, first)
    if (!why) return first.outcome
    const { run } = this.#parts
    const again = async (slots: Slots): Promise<Outcome> => {
      if (run.signal.aborted) return first.outcome
      const detail = { scenario: driven.id, why }
      run.log.record({ type: 'step', action: drivenAgainStep, detail })
      return driven.attempt(slots)
    }
    return why === 'busy'
      ? this.#withLittleBeside(again)
      : this.#alone(driven.id, first.outcome, again)
  }

  async #reasonFor(
    { id, after, controlled }: Driven,
    { outcome, begun }: First,
  ): Promise<Reason | undefined> {
    const { run, provesNothing } = this.#parts
    const ended = outcome === 'completed' || outcome === 'unreached'
    if (!ended || after === 'all') return undefined
    const busy = run.busyFor?.(run.now() - begun) === true
    if (!busy && !this.#waitedBesideOthers(id, outcome)) return undefined
    await controlled()
    if (!provesNothing(id)) return undefined
    return busy ? 'busy' : 'beside-others'
  }

  /** Where the gate was not passed, nothing else was done beside it. */
  #waitedBesideOthers(id: string, outcome: Outcome): boolean {
    const { gate, slots, recorded } = this.#parts
    const t = recorded(id)
    if (!t || slots.count === 1 || (id === gate.scenario && !gate.atAll(t))) return false
    return outcome === 'unreached' || t.events.some(isWaitInVain)
  }

  /** When everything else has begun. */
  async #withLittleBeside(again: (slots: Slots) => Promise<Outcome>): Promise<Outcome> {
    const { slots } = this.#parts
    const few = slots.count === 1 ? slots : this.#few
    const turn = await slots.enter()
    turn.leave()
    return again(few)
  }

  /** When everything else has ended, unless that has been in vain a few times by then. */
  async #alone(
    id: string,
    before: Outcome,
    again: (slots: Slots) => Promise<Outcome>,
  ): Promise<Outcome> {
    await this.#parts.othersEnded()
    const turn = await this.#turns.enter()
    try {
      if (this.#inVain >= mostInVain) return before
      const outcome = await again(new Slots(1))
      this.#inVain = this.#parts.provesNothing(id) ? this.#inVain + 1 : 0
      return outcome
    } finally {
      turn.leave()
    }
  }
}

/** Something did not come while it was waited for. */
function isWaitInVain(event: RecordedEvent): boolean {
  if (event.type === 'failure') return event.code === 'timeout'
  return event.type === 'step' && event.action === 'gave-up'
}

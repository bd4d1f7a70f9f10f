/** Instances whose clock is moved: opened for scenarios about time, where that was asked for and is proven to work. */

import { join } from 'node:path'
import { Recorder } from '../../engine/recording/recorder.ts'
import type { Run } from '../../engine/run.ts'
import { Unreached } from '../../engine/scenario.ts'
import type { OffSlot } from '../../engine/profile.ts'
import { findLibrary } from '../facilities.ts'
import { Jumps, type Clocked } from './jumps.ts'
import { MovedClock } from './moved-clock.ts'

/** What the moved instances of a run have in common. */
export interface MovedParts {
  readonly run: Run
  /** Where the files of the clocks are. */
  readonly folder: string
  /** The path of a request that asks for nothing and is answered with a `Date`; default: `/`. */
  readonly path?: string | undefined
}

/** What a vendor asked for (`target.clock`), and where the run keeps its files. */
interface MovedOptions {
  readonly run: Run
  readonly workDirectory: string
  readonly configuration: { readonly target: { readonly clock: 'real' | 'jump' } }
}

/** Those of a run where its vendor asked for them. */
export function movedInstances(
  { run, workDirectory: folder, configuration }: MovedOptions,
  path?: string,
): MovedInstances | undefined {
  return configuration.target.clock === 'jump'
    ? new MovedInstances({ run, folder, path })
    : undefined
}

/** What one scenario asks for. */
export interface MovedRequest<Own> {
  readonly recorder: Recorder
  /** Gives the place of the scenario away while the clock is tried. */
  readonly behind: OffSlot
  /** Opens an instance of this name, which has this clock from its start on. */
  readonly open: (name: string, clock: MovedClock) => Promise<Own>
  /** @throws Unreached where it is no process of this run */
  readonly clocked: (own: Own) => Clocked
  /** Lets something wait for a user, on an instance that nobody judges and that is recorded elsewhere. */
  readonly pend: (own: Own, recorder: Recorder) => Promise<unknown>
  /** Whether what waits has to notice a jump; otherwise only the time of later requests matters. */
  readonly timers: boolean
}

/** Why a clock cannot be moved, tried once. */
interface Trial {
  /** At all. */
  readonly ever: Unreached | undefined
  /** While something waits that has to notice it. */
  readonly waiting: Unreached | undefined
}

/** The moved instances of one run. */
export class MovedInstances {
  /** In which scenarios a clock was moved, and why it was not in others. */
  readonly facts: { readonly moved: string[]; readonly real: Record<string, string> } = {
    moved: [],
    real: {},
  }
  readonly #parts: MovedParts
  #trial: Promise<Trial> | undefined

  constructor(parts: MovedParts) {
    this.#parts = parts
  }

  /** One for this scenario; `undefined` where its clock cannot be moved, which is recorded with the reason. */
  async open<Own>(
    request: MovedRequest<Own>,
  ): Promise<{ readonly own: Own; readonly clock: Jumps } | undefined> {
    const { recorder, behind } = request
    try {
      const { ever, waiting } = await behind((this.#trial ??= this.#try(request)))
      const reason = ever ?? (request.timers ? waiting : undefined)
      if (reason) throw reason
      const moved = await this.#begin(request, recorder)
      this.facts.moved.push(recorder.scenario)
      return moved
    } catch (error) {
      if (!(error instanceof Unreached)) throw error
      this.facts.real[recorder.scenario] = error.message
      recorder.record({ type: 'step', action: 'clock-real', detail: { reason: error.message } })
      return undefined
    }
  }

  async #try<Own>(request: MovedRequest<Own>): Promise<Trial> {
    const { run } = this.#parts
    const now = () => run.now()
    const recorder = new Recorder({ scenario: 'clock-trial', ledger: run.ledger, now })
    let clock: Jumps | undefined
    const ever = await unreached(async () => {
      const begun = await this.#begin(request, recorder)
      clock = begun.clock
      await request.pend(begun.own, recorder)
      clock.requireUnharmed()
    })
    return { ever, waiting: await unreached(async () => clock?.nap()) }
  }

  async #begin<Own>({ open, clocked }: MovedRequest<Own>, recorder: Recorder) {
    const { run, folder, path } = this.#parts
    const name = `moved-${recorder.name}`
    const clock = new MovedClock(join(folder, name), findLibrary('libfaketime') ?? '')
    const own = await open(name, clock)
    return { own, clock: await Jumps.begin({ clock, ...clocked(own), recorder, run, path }) }
  }
}

async function unreached(attempt: () => Promise<unknown>): Promise<Unreached | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    if (error instanceof Unreached) return error
    throw error
  }
}

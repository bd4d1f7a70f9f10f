/** Jumps of the clock of one instance: each is proven by what the program answers, or counts as none. */

import { setTimeout as delay } from 'node:timers/promises'
import { clockStep } from '../../engine/judging/recorded.ts'
import { Unreached } from '../../engine/scenario.ts'
import type { Recorder } from '../../engine/recording/recorder.ts'
import type { Run } from '../../engine/run.ts'
import { HttpFailure, type Transport } from '../http.ts'
import type { Implementation } from '../implementation/implementation.ts'
import type { MovedClock } from './moved-clock.ts'
import { hasKernelTimer, sleepersOf, type Sleeper } from './timed-waits.ts'

/** Before anything is asked, so that a program which goes by another clock is known by it. */
const trial = 3600_000
/** Milliseconds by which a `Date`, which has whole seconds and may be a second old, may differ. */
const tolerance = 3000
/** Beyond this certificates would expire. */
const most = 300 * 24 * 3600_000
/** The longest nap that is waited for, in milliseconds. */
const longestNap = 10_000

/** An instance as far as its clock is concerned. */
export interface Clocked {
  readonly implementation: Pick<Implementation, 'url' | 'headers' | 'group'>
  readonly transport: Transport
}

interface JumpParts extends Clocked {
  readonly clock: MovedClock
  readonly recorder: Recorder
  readonly run: Pick<Run, 'timing' | 'signal' | 'now'>
  /** The path of a request that asks for nothing and is answered with a `Date`; default: `/`. */
  readonly path?: string | undefined
}

/** The clock of an instance that has shown that it goes by it. */
export class Jumps {
  readonly #parts: JumpParts
  /** Who slept on at the last {@link Jumps.nap}. */
  #deep: readonly Sleeper[] = []

  private constructor(parts: JumpParts) {
    this.#parts = parts
  }

  /** Tries a first jump, before anything is asked of the instance. @throws Unreached where it goes by another clock */
  static async begin(parts: JumpParts): Promise<Jumps> {
    const jumps = new Jumps(parts)
    await jumps.jump(trial)
    return jumps
  }

  /**
   * Milliseconds for which a thread sleeps on after a jump, being in a wait from which no request wakes it.
   * @throws Unreached where that is too long for its timers to be judged
   */
  async nap(): Promise<number> {
    const group = this.#parts.implementation.group
    if (group === undefined) throw new Unreached('it is not a process that this run started')
    if (hasKernelTimer(group))
      throw new Unreached('it has timers in the kernel, which go by the real clock')
    const before = new Map(sleepersOf(group).map(({ thread, naps }) => [thread, naps]))
    await this.#ask()
    this.#deep = sleepersOf(group).filter(({ thread, naps }) => before.get(thread) === naps)
    const longest = Math.ceil(Math.max(0, ...this.#deep.map(({ ms }) => ms)))
    if (longest > longestNap) {
      const long = longest > most ? 'for ever, or cannot be read' : `for ${longest} ms`
      throw new Unreached(`a thread of it sleeps ${long}, and no jump of its clock wakes it`)
    }
    return longest
  }

  /** Resolves when everybody who slept on has looked at the time since, at the latest when their nap is over. */
  async awake(): Promise<void> {
    const { implementation, run } = this.#parts
    const { group } = implementation
    const longest = Math.max(0, ...this.#deep.map(({ ms }) => ms))
    const deadline = run.now() + Math.min(longest, longestNap)
    const asleep = () =>
      group !== undefined &&
      sleepersOf(group).some(({ thread, naps }) =>
        this.#deep.some((each) => each.thread === thread && each.naps === naps),
      )
    while (asleep() && run.now() < deadline && !run.signal.aborted) await delay(40)
  }

  /** Moves the clock, wakes the program by a request, and waits until its `Date` shows it. @throws Unreached */
  async jump(by: number, detail: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const ms = Math.round(by)
    const { clock, recorder, run } = this.#parts
    if (clock.offset + ms > most)
      throw new Unreached('beyond 300 days the certificates of the run would expire')
    clock.advance(ms)
    recorder.record({ type: 'step', action: clockStep, detail: { ms, ...detail } })
    const deadline = run.now() + run.timing.stepMs
    let shown: string | undefined
    do {
      shown = (await this.#ask()) ?? shown
      if (shown !== undefined && Math.abs(Date.parse(shown) - clock.now()) <= tolerance) {
        recorder.record({ type: 'step', action: `${clockStep}-shown`, detail: { date: shown } })
        return this.requireUnharmed()
      }
      await delay(40)
    } while (run.now() < deadline && !run.signal.aborted)
    const what = shown === undefined ? 'its answers have no Date' : `its Date is still ${shown}`
    throw new Unreached(`its clock cannot be moved: ${what}`)
  }

  /**
   * libfaketime misunderstands some waits (sem_clockwait of glibc), which then never end: nobody is judged by that.
   * @throws Unreached where that is so
   */
  requireUnharmed(): void {
    const { group } = this.#parts.implementation
    const lost =
      group !== undefined && sleepersOf(group).some(({ ms }) => Number.isFinite(ms) && ms > most)
    if (lost) throw new Unreached('with libfaketime a thread of it sleeps for ever')
  }

  /** A request that asks for nothing, and the `Date` of its answer. */
  async #ask(): Promise<string | undefined> {
    const { implementation, transport, run, path = '/' } = this.#parts
    const { url, headers } = implementation
    const { signal, timing } = run
    try {
      const request = { method: 'GET', url: url + path, headers, within: timing.stepMs, signal }
      return (await transport(request)).headers['date']
    } catch (error) {
      if (error instanceof HttpFailure) return undefined
      throw error
    }
  }
}

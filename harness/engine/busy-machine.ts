/** Notices when this machine had more to do than it can: a timer that comes late says so. */

/** Name of the step in the run's log that says how late a timer was. */
export const busyMachineStep = 'busy-machine'

/** Milliseconds between two looks. */
const every = 100
/** Milliseconds by which a timer is late where an answer may have been too late for the same reason. */
const tooLate = 500

export interface BusyMachine {
  /** Milliseconds by which the latest timer was late; `undefined` where none was late enough to matter. */
  readonly lateMs: () => number | undefined
  /** Whether a timer was that late in the last so many milliseconds. */
  readonly busyFor: (ms: number) => boolean
  readonly stop: () => void
}

/** Watches until it is stopped. */
export function watchForBusyMachine(now = () => performance.now()): BusyMachine {
  let worst = 0
  let lastLate = -Infinity
  let due = now() + every
  /** Also where the timer itself is still to come. */
  const look = (): void => {
    const late = now() - due
    worst = Math.max(worst, late)
    if (late >= tooLate) lastLate = now()
  }
  const timer = setInterval(() => {
    look()
    due = now() + every
  }, every)
  timer.unref()
  return {
    lateMs: () => (worst < tooLate ? undefined : Math.round(worst)),
    busyFor(ms) {
      look()
      return now() - lastLate <= ms
    },
    stop: () => clearInterval(timer),
  }
}

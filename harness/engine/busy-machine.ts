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
  readonly stop: () => void
}

/** Watches until it is stopped. */
export function watchForBusyMachine(now = () => performance.now()): BusyMachine {
  let worst = 0
  let due = now() + every
  const timer = setInterval(() => {
    worst = Math.max(worst, now() - due)
    due = now() + every
  }, every)
  timer.unref()
  return {
    lateMs: () => (worst < tooLate ? undefined : Math.round(worst)),
    stop: () => clearInterval(timer),
  }
}

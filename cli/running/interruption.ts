/** Ctrl-C and its relatives: the first ends the run in an orderly way, the second ends the process. */

import { Unreached } from '../../harness/engine/index.ts'
import { endingSignals, exitCodes, signalCodes, type EndingSignal } from '../outcome/exit-codes.ts'

export interface Interruption {
  /** Aborts when the run is to end. */
  readonly signal: AbortSignal
  /** The signal of the operating system that ended the run. */
  readonly received: () => EndingSignal | undefined
  /** Errors that nobody caught; they end the run too. */
  readonly crashes: readonly Error[]
  readonly stop: () => void
}

/** Milliseconds after which an interrupted run ends, whatever is blocked. */
const endsWithin = 30_000

/** Watches from now on until `stop`. Exit hooks end what still runs when the process has to go at once. */
export function watchForInterruption(onFirst: (why: string) => void): Interruption {
  let overdue: NodeJS.Timeout | undefined
  const controller = new AbortController()
  const crashes: Error[] = []
  let received: EndingSignal | undefined
  const handlers = new Map<EndingSignal, () => void>()
  for (const name of endingSignals) {
    handlers.set(name, () => {
      if (controller.signal.aborted) process.exit(signalCodes[received ?? name])
      received = name
      onFirst(
        `${name}: ending everything; results so far are kept (press again to end immediately)`,
      )
      overdue = setTimeout(() => {
        onFirst(
          `something was blocked for ${endsWithin / 1000} s: ended immediately, nothing is stored`,
        )
        process.exit(signalCodes[name])
      }, endsWithin)
      controller.abort()
    })
  }
  const crash = (reason: unknown): void => {
    // Where a scenario waits for it, it hears of it; nobody else has to.
    if (reason instanceof Unreached) return
    if (crashes.length > 0) process.exit(exitCodes.harnessError)
    crashes.push(reason instanceof Error ? reason : new Error(String(reason)))
    onFirst('an unexpected error: ending everything')
    controller.abort()
  }
  for (const [name, handler] of handlers) process.on(name, handler)
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  return {
    signal: controller.signal,
    received: () => received,
    crashes,
    stop() {
      clearTimeout(overdue)
      for (const [name, handler] of handlers) process.off(name, handler)
      process.off('uncaughtException', crash)
      process.off('unhandledRejection', crash)
    },
  }
}

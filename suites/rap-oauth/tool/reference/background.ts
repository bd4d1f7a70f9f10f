/** Work that goes on after its HTTP response was sent, and that a shutdown has to wait for. */

export interface Background {
  /** Runs the task; the promise settles with it and never rejects. */
  readonly run: (task: () => Promise<void>) => Promise<void>
  /** Waits until nothing runs any more, at most `ms` milliseconds; true when all is done. */
  readonly idle: (ms: number) => Promise<boolean>
}

export function createBackground(onError: () => void): Background {
  const running = new Set<Promise<void>>()
  return {
    run(task) {
      // The error itself is not passed on: it could carry what must not be logged.
      const settled = task().catch(onError)
      running.add(settled)
      return settled.finally(() => running.delete(settled))
    },
    async idle(ms) {
      if (running.size === 0) return true
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, ms, false)
      })
      const done = Promise.all(running).then(() => running.size === 0)
      return Promise.race([done, timeout]).finally(() => clearTimeout(timer))
    },
  }
}

/** Work that goes on after its HTTP response was sent, and that a shutdown has to wait for. */

export interface Background {
  /** Runs the task; nothing is thrown at the caller. */
  readonly run: (task: () => Promise<void>) => void
  /** Waits until nothing runs any more, at most `ms` milliseconds. */
  readonly idle: (ms: number) => Promise<void>
}

export function createBackground(onError: () => void): Background {
  const running = new Set<Promise<void>>()
  return {
    run(task) {
      // The error itself is not passed on: it could carry what must not be logged.
      const settled: Promise<void> = task()
        .catch(onError)
        .finally(() => running.delete(settled))
      running.add(settled)
    },
    async idle(ms) {
      const deadline = Date.now() + ms
      // One task may start another while it ends.
      while (running.size > 0 && Date.now() < deadline) {
        let timer: NodeJS.Timeout | undefined
        const timeout = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, deadline - Date.now())
        })
        await Promise.race([Promise.all(running), timeout])
        clearTimeout(timer)
      }
    },
  }
}

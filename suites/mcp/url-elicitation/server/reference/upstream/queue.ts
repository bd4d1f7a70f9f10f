/** Runs tasks with the same key one after the other and tasks with different keys side by side. */

export type Queue = <T>(key: string, task: () => Promise<T>) => Promise<T>

export function createQueue(): Queue {
  const tails = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const before = tails.get(key) ?? Promise.resolve()
    // A failed predecessor is its own caller's concern.
    const result = before.then(task, task)
    tails.set(key, result)
    try {
      return await result
    } finally {
      if (tails.get(key) === result) tails.delete(key)
    }
  }
}

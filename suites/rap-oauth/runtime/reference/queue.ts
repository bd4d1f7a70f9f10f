/** Runs tasks with the same key one after the other and tasks with different keys side by side. */

export type Queue = (key: string, task: () => Promise<void>) => Promise<void>

/** RAP, Runtime: what belongs to one `group_id` is processed serially. */
export function createQueue(): Queue {
  const tails = new Map<string, Promise<void>>()
  return async (key, task) => {
    const before = tails.get(key) ?? Promise.resolve()
    // A failed predecessor is its own caller's concern.
    const result = before.then(task, task)
    tails.set(key, result)
    try {
      await result
    } finally {
      if (tails.get(key) === result) tails.delete(key)
    }
  }
}

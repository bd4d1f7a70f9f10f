/** Runs what concerns the same thing one after the other. */

export type Queue = <T>(about: string, work: () => Promise<T>) => Promise<T>

export function createQueue(): Queue {
  const last = new Map<string, Promise<unknown>>()
  return (about, work) => {
    const next = (last.get(about) ?? Promise.resolve()).then(work, work)
    const settled = next.catch(() => undefined)
    last.set(about, settled)
    void settled.then(() => {
      if (last.get(about) === settled) last.delete(about)
    })
    return next
  }
}

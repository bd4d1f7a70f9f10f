/** A set of listeners that are called in turn, synchronously. */

export interface Listeners<T> {
  /** Adds a listener and returns the function that removes it. */
  readonly add: (listener: (value: T) => void) => () => void
  readonly notify: (value: T) => void
}

export function listeners<T>(): Listeners<T> {
  const all = new Set<(value: T) => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    notify: (value) => all.forEach((listener) => listener(value)),
  }
}

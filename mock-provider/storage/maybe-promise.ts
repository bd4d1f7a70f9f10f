/** Values that are there at once where nothing has to be waited for, and what to do with them. */

/** A value that is there at once, or later. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on at once with a value that is there at once. */
export function chain<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Does something; goes on with `otherwise` when that fails, at once or later. */
export function rescue<T>(
  act: () => MaybePromise<T>,
  otherwise: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = act()
    return value instanceof Promise ? value.catch(otherwise) : value
  } catch (error) {
    return otherwise(error)
  }
}

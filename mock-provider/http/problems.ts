/** Says what is wrong with a value that somebody wrote: where, and what was expected there. */
import { z } from 'zod'

/**
 * A line for each place that is wrong. It says what was expected and nothing that the value
 * contained, so it can be an answer to whoever sent it.
 */
export function problemsOf(error: z.ZodError): readonly string[] {
  const places = new Map<string, string>()
  for (const { path, message } of error.issues) {
    const place = z.core.toDotPath(path)
    // what follows from the first problem of a place says less than that
    if (!places.has(place)) places.set(place, message.replace(/^Invalid input: /, ''))
  }
  return [...places].map(
    ([place, message]) => `${place && `${place}: `}${message.replaceAll('"', '')}`,
  )
}

/** An object with these members and no others; what it may contain is said without what it did. */
export function exactly<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `unknown member, expected ${Object.keys(shape).join(', ')}`
        : undefined,
  })
}

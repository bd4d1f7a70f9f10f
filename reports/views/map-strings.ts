/** Applies a function to every string inside a JSON value, keys included. */

/** A copy of the value in which every string and every key went through `change`. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- strings stay strings, the rest as it is
  return mapped(value, change) as T
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapped(item, change)]),
  )
}

/** What stands in text that an implementation sent, and what members a value has. */

/** Levels of nesting that a recursion survives. */
const maxDepth = 500

/** The JSON value of a text; `undefined` when it is not JSON, or is nested too deeply to be walked. */
export function jsonIn(text: string): unknown {
  if (isDeep(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isDeep(text: string): boolean {
  let depth = 0
  // A string is skipped as a whole, with the quotes that are escaped in it; one without an end goes to the end.
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

/** A JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of a value; none where it is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

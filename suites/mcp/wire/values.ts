/** Values of messages, of which nothing is known. */

/** A JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value if it is a text; otherwise none. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The members of a value; none where it is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

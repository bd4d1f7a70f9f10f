/** Looks into values of which nothing is known: thrown errors and what came out of a file. */

export type UnknownRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object, else an empty one. */
export function recordOf(value: unknown): UnknownRecord {
  return isRecord(value) ? value : {}
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The stack where there is one. */
export function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const { code } = recordOf(error)
  return typeof code === 'string' ? code : undefined
}

/** Why a port cannot be listened at, in words where there are some. */
export function whyNotListening(code: string): string {
  return code === 'EADDRINUSE' ? 'the port is in use' : code
}

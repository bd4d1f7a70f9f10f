/** Reads form-encoded parameters the way OAuth wants them read: duplicates seen, empty values ignored. */
import { OAuthError } from './oauth-error.ts'

export interface Parameters {
  /** The first value; a parameter without a value counts as omitted (RFC 6749 §3.1, §3.2). */
  get(name: string): string | undefined
  all(name: string): readonly string[]
  /** Whether it is there at all, with or without a value. */
  has(name: string): boolean
  /** Names that occur more than once, empty values included. */
  readonly duplicates: readonly string[]
  /** First values by name, in order of appearance. */
  readonly entries: readonly (readonly [string, string])[]
}

/** Parses `application/x-www-form-urlencoded` text. Accepts any text; judges nothing. */
export function parseParameters(encoded: string): Parameters {
  if (encoded === '') return none
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(encoded)) {
    const earlier = values.get(name)
    if (earlier) earlier.push(value)
    else values.set(name, [value])
  }
  const get = (name: string) => values.get(name)?.find((value) => value !== '')
  return {
    get,
    all: (name) => (values.get(name) ?? []).filter((value) => value !== ''),
    has: (name) => values.has(name),
    get duplicates() {
      return [...values].filter(([, each]) => each.length > 1).map(([name]) => name)
    },
    get entries() {
      return [...values.keys()].flatMap((name) => {
        const value = get(name)
        return value === undefined ? [] : [[name, value] as const]
      })
    },
  }
}

const none: Parameters = {
  get: () => undefined,
  all: () => [],
  has: () => false,
  duplicates: [],
  entries: [],
}

/**
 * Refuses parameters that are included more than once (RFC 6749 §3.1, §3.2); `resource` may be
 * (RFC 8707 §2), and so may `others`.
 * @throws OAuthError `invalid_request`
 */
export function refuseDuplicates(parameters: Parameters, others: readonly string[] = []): void {
  if (parameters.duplicates.some((name) => name !== 'resource' && !others.includes(name))) {
    throw new OAuthError('invalid_request', 'A parameter is included more than once')
  }
}

/**
 * The value of a required parameter.
 * @throws OAuthError `invalid_request` (RFC 6749 §5.2)
 */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `Missing parameter ${name}`)
  return value
}

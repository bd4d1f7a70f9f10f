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
  readonly entries: readonly Pair[]
  /** Everything, as it was sent. */
  readonly pairs: readonly Pair[]
  /** What was sent, where a preset ignores a part of it: the client is judged by that. */
  readonly sent?: Parameters
}

type Pair = readonly [name: string, value: string]

/** Parses `application/x-www-form-urlencoded` text. Accepts any text; judges nothing. */
export function parseParameters(encoded: string): Parameters {
  if (encoded === '') return none
  const pairs: readonly Pair[] = [...new URLSearchParams(encoded)]
  const given = pairs.filter(([, value]) => value !== '')
  return {
    get: (name) => given.find(([each]) => each === name)?.[1],
    all: (name) => given.filter(([each]) => each === name).map(([, value]) => value),
    has: (name) => pairs.some(([each]) => each === name),
    get duplicates() {
      const isFirst = firstOfItsName()
      return [...new Set(pairs.filter((pair) => !isFirst(pair)).map(([name]) => name))]
    },
    get entries() {
      return given.filter(firstOfItsName())
    },
    pairs,
  }
}

/** The parameters as a form. */
export function encodeParameters({ pairs }: Parameters): string {
  return new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, value]),
  ).toString()
}

/** Asked about pairs one after the other, tells which are the first of their name. */
function firstOfItsName(): (pair: Pair) => boolean {
  const names = new Set<string>()
  return ([name]) => {
    const first = !names.has(name)
    names.add(name)
    return first
  }
}

const none: Parameters = {
  get: () => undefined,
  all: () => [],
  has: () => false,
  duplicates: [],
  entries: [],
  pairs: [],
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

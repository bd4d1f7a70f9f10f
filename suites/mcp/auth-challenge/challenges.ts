/** Challenges as a `WWW-Authenticate` field has them (RFC 9110 §11.3, §11.6.1), read strictly. */

/** The member of `_meta` that holds challenges (SEP-1489, Error Response Shape). */
export const challengeKey = 'mcp/www_authenticate'

/** One challenge; names are in lower case. */
export interface Challenge {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

/** What stands in a value: its challenges, or what is wrong with it. */
export type ParsedChallenges =
  { readonly challenges: readonly Challenge[] } | { readonly problem: string }

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const scheme = new RegExp(`(${token})(?=[ \\t]|,|$)`, 'y')
const token68 = /[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y
/** RFC 9110 §5.6.4: a blank or a tab, what is visible, and what is not of ASCII; of this also what no header can hold. */
const quoted = String.raw`(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x08\x0a-\x1f\x7f])*`
const parameter = new RegExp(`(${token})[ \\t]*=[ \\t]*(?:(${token})|"(${quoted})")`, 'y')
const blanks = /[ \t]*/y
const separators = /[ \t]*(?:,[ \t]*)+/y

/** Reads a list of challenges. */
export function parseChallenges(value: string): ParsedChallenges {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(value) ?? undefined
    if (found) at = pattern.lastIndex
    return found
  }
  const challenges: Challenge[] = []
  if (!take(separators)) take(blanks)
  while (at < value.length) {
    const name = take(scheme)?.[1]
    if (name === undefined) return { problem: `no authentication scheme ${whereIn(value, at)}` }
    const parameters = new Map<string, string>()
    challenges.push({ scheme: name.toLowerCase(), parameters })
    const afterScheme = take(blanks)?.[0] ?? ''
    if (afterScheme !== '' && take(token68)) {
      if (!take(separators) && at < value.length)
        return { problem: `no comma ${whereIn(value, at)}` }
      continue
    }
    for (let next = take(parameter); next; next = take(parameter)) {
      const [, written = '', plain, quoted = ''] = next
      const key = written.toLowerCase()
      if (parameters.has(key)) return { problem: `${key} stands twice in one challenge` }
      parameters.set(key, plain ?? quoted.replaceAll(/\\(.)/gs, '$1'))
      const isCut = plain !== undefined && /[^\s,]/.test(value.charAt(at))
      if (isCut) return { problem: `what ${key} holds needs quotes ${whereIn(value, at)}` }
      take(blanks)
      if (at === value.length) break
      if (!take(separators)) return { problem: `no comma ${whereIn(value, at)}` }
    }
    if (parameters.size === 0 && at < value.length && !take(separators))
      return { problem: `neither a parameter nor a comma ${whereIn(value, at)}` }
  }
  return challenges.length > 0 ? { challenges } : { problem: 'no challenge at all' }
}

/** The Bearer challenges among them (RFC 6750 §3). */
export function bearersOf(challenges: readonly Challenge[]): readonly Challenge[] {
  return challenges.filter((each) => each.scheme === 'bearer')
}

function whereIn(value: string, at: number): string {
  return at < value.length ? `before ${JSON.stringify(value.slice(at, at + 40))}` : 'at the end'
}

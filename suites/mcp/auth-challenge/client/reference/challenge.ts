/** Challenges: in the result of a tool (SEP-1489), and in the header of HTTP that they are copied from. */

import type { Challenge } from './work.ts'

const key = 'mcp/www_authenticate'

type Fields = Readonly<Record<string, unknown>>

/** What a result challenges with; nothing where it is no error. */
export function challengesIn(result: Fields): readonly string[] {
  if (result['isError'] !== true) return []
  const meta = (result['_meta'] ?? {}) as Fields
  return [meta[key]].flat().filter((each) => typeof each === 'string')
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
/** A scheme where a challenge may begin, or a parameter of the one before (RFC 9110 §11.6.1). */
const piece = new RegExp(
  `(${token})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))|(?:^|,)[ \\t]*(${token})(?=[ \\t,]|$)`,
  'g',
)

/** The Bearer challenge of a value of `WWW-Authenticate`, which may list others before it. */
function bearerIn(value: string): Challenge | undefined {
  const schemes: { readonly name: string; readonly parameters: Map<string, string> }[] = []
  for (const [, name, quoted, plain, scheme] of value.matchAll(piece)) {
    if (scheme !== undefined) schemes.push({ name: scheme.toLowerCase(), parameters: new Map() })
    else if (name !== undefined) {
      const text = quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain ?? ''
      schemes.at(-1)?.parameters.set(name.toLowerCase(), text)
    }
  }
  return schemes.find(({ name }) => name === 'bearer')?.parameters
}

/** The first Bearer challenge among several values. */
export function bearerAmong(values: readonly string[]): Challenge | undefined {
  return values.map((value) => bearerIn(value)).find((each) => each !== undefined)
}

/** What can be told of a handle without telling it: the handle itself is a secret, and stands in no recording. */

import { alikeByChance } from '../../engine/index.ts'

/** Facts about a handle, made before it is replaced by a name. */
export interface HandleFacts {
  readonly length: number
  /** Random bits by which it may differ from the one that is most alike, as far as its characters tell. */
  readonly bits: number
  /** Names of what stands inside, in clear or in base64: the user, the state. */
  readonly holds: readonly string[]
}

/** @param known the things that must not stand in it, by their names */
export function factsOf(
  handle: string,
  earlier: Iterable<string>,
  known: Readonly<Record<string, string | undefined>>,
): HandleFacts {
  const readable = [handle, ...handle.split(/[.:_]/).map(decoded)].join('\n')
  const holds = Object.entries(known).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortestTelling && readable.includes(value)
      ? [name]
      : [],
  )
  const differing = [...earlier]
    .filter((each) => each !== handle)
    .map((each) => differences(handle, each))
  const unlike = Math.min(handle.length, ...differing)
  const perCharacter = bitsPerCharacter(handle)
  // The one that is most alike of many shares characters by chance.
  const random = unlike + alikeByChance(unlike, 2 ** -perCharacter, rarest)
  const bits = Math.floor(Math.min(handle.length, random) * perCharacter)
  return { length: handle.length, bits, holds }
}

/** Of two random handles more characters are alike less often than that: there are thousands of pairs. */
const rarest = 1e-8

/** A shorter value stands somewhere by chance. */
const shortestTelling = 6

/** How many characters differ, place by place; what one has more counts as well. */
function differences(a: string, b: string): number {
  const length = Math.max(a.length, b.length)
  let count = 0
  for (let at = 0; at < length; at += 1) if (a[at] !== b[at]) count += 1
  return count
}

function bitsPerCharacter(handle: string): number {
  if (/^\d+$/.test(handle)) return Math.log2(10)
  return /^[\da-f-]+$/i.test(handle) ? 4 : 6
}

function decoded(part: string): string {
  return Buffer.from(part, 'base64url').toString('latin1')
}

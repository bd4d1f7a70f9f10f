/** What can be told of a handle without telling it: the handle itself is a secret, and stands in no recording. */

import { differences, randomPlaces } from '../../engine/index.ts'

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
  const random = randomPlaces(unlike, handle.length, 2 ** perCharacter)
  const bits = Math.floor(random * perCharacter)
  return { length: handle.length, bits, holds }
}

/** A shorter value stands somewhere by chance. */
const shortestTelling = 6

function bitsPerCharacter(handle: string): number {
  if (/^\d+$/.test(handle)) return Math.log2(10)
  return /^[\da-f-]+$/i.test(handle) ? 4 : 6
}

function decoded(part: string): string {
  return Buffer.from(part, 'base64url').toString('latin1')
}

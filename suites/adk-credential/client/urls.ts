/** Compares URLs by what they say: however their parameters are encoded, and in whichever order they stand. */

import { withDecodedSecrets } from '../../../harness/engine/index.ts'
import { isLoopback } from '../../../harness/parties/user/loopback-origins.ts'

/** Whether two URLs say the same; of those that are none, whether they are the same. */
export function sameUrl(one: string, other: string, without: readonly string[] = []): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other
  return said(one, without) === said(other, without)
}

function said(url: string, without: readonly string[]): string {
  const { origin, protocol, pathname, searchParams } = new URL(withDecodedSecrets(url))
  const pairs = [...searchParams].filter(([name]) => !without.includes(name))
  return JSON.stringify([
    protocol,
    origin,
    plain(pathname),
    pairs.map((pair) => JSON.stringify(pair)).sort(),
  ])
}

/** RFC 3986 §6.2.2: escapes of what needs none are undone, and the others are in capitals. */
function plain(path: string): string {
  return path.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
  })
}

/** A URL without query and fragment. */
export function placeOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** RFC 8252 §7.3: what listens on the loopback interface needs no TLS. */
export function isSafe(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url))
}

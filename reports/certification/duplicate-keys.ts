/** Finds keys that stand twice in one object: readers of JSON differ in which of them they take (RFC 8259 §4). */

/** Strings, and what opens, closes and separates; numbers and words do not matter. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]:,]/gs

/** The first key that an object of this JSON text has twice; `undefined` where there is none. */
export function duplicateKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const key = JSON.parse(last) as string
      const known = open.at(-1)
      if (known?.has(key)) return key
      known?.add(key)
    }
    last = token
  }
  return undefined
}

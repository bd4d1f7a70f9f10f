/** Tells callers without types which of the names that they wrote means nothing. */

/** @throws TypeError for a member that nobody would look at, with those there are */
export function requireKnown(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const near = known.filter((name) => unknown.some((each) => alike(each, name)))
  const hint =
    near.length > 0 ? `did you mean ${near.join(', ')}?` : `there are ${known.join(', ')}`
  throw new TypeError(`unknown ${what} ${unknown.join(', ')}: ${hint}`)
}

/** Tells whether two names differ in their spelling only, or in a letter or two. */
function alike(a: string, b: string): boolean {
  const [short, long] = [a, b]
    .map((name) => name.replaceAll(/[_-]/g, '').toLowerCase())
    .toSorted((one, other) => one.length - other.length)
  if (!short || !long || long.length - short.length > 2) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  return long.length - start - end <= 2
}

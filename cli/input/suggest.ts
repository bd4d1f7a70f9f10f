/** Finds what somebody may have meant. */

/** At most five candidates that contain the text, share a word with it, or are a few typing errors away. */
export function suggest(text: string, candidates: readonly string[]): string[] {
  const wanted = text.toLowerCase()
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distanceTo(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length * 0.4))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ candidate }) => candidate)
}

/** The last segment counts as well as the whole: nobody types the path of a requirement. */
function distanceTo(wanted: string, candidate: string): number {
  if (candidate.includes(wanted)) return 0
  const last = candidate.slice(candidate.lastIndexOf('/') + 1)
  const own = wanted.slice(wanted.lastIndexOf('/') + 1)
  return Math.min(editDistance(wanted, candidate), editDistance(own, last), ownWords(own, last))
}

function ownWords(wanted: string, candidate: string): number {
  const words = new Set(candidate.split('-'))
  const shared = wanted.split('-').filter((word) => word.length > 3 && words.has(word))
  return shared.length > 0 ? 1.5 : Number.POSITIVE_INFINITY
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, character] of a.split('').entries()) {
    const current = [row + 1]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (character === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

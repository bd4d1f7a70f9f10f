/** Values that are random may be alike in places. */

/**
 * How many random places of two or more values may be alike beside so many that are not.
 *
 * @param probability that one place is alike
 * @param rarest more are alike less often than that
 */
export function alikeByChance(varying: number, probability: number, rarest: number): number {
  let alike = 0
  let chance = (1 - probability) ** varying
  while (chance > rarest || alike < varying * probability) {
    alike += 1
    chance *= ((varying + alike) / alike) * probability
  }
  return alike
}

/** How many characters of two values differ, place by place; what one has more counts as well. */
export function differences(a: string, b: string): number {
  let count = Math.abs(a.length - b.length)
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) if (a[at] !== b[at]) count += 1
  return count
}

/**
 * How many places of so many may be random in the two values that are most alike of hundreds.
 *
 * @param unlike in how many they differ
 * @param alphabet how many characters there may be in a place
 */
export function randomPlaces(unlike: number, length: number, alphabet: number): number {
  return Math.min(length, unlike + alikeByChance(unlike, 1 / alphabet, rarestInPairs))
}

/** Of a pair; there are thousands of them. */
const rarestInPairs = 1e-8

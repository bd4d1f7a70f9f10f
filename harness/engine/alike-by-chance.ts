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

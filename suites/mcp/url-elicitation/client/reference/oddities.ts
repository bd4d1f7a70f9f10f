/**
 * Lawful variations of this client, one at a time: what a conformance suite must not hold against it.
 * `varied.ts` runs the client with one of them.
 */

import { answeringOddities } from './oddities/answering.ts'
import type { Oddity } from './oddities/oddity.ts'
import { showingOddities } from './oddities/showing.ts'
import { transportOddities } from './oddities/transport.ts'

export type { Oddity } from './oddities/oddity.ts'

export const oddities: readonly Oddity[] = [
  ...showingOddities,
  ...answeringOddities,
  ...transportOddities,
]

/**
 * Lawful variations of this client application, one at a time: what a conformance suite must not hold against it.
 * `varied.ts` runs it with one of them.
 */

import type { Oddity } from './oddities/oddity.ts'
import { waysOddities } from './oddities/ways.ts'

export type { Oddity } from './oddities/oddity.ts'

export const oddities: readonly Oddity[] = waysOddities

/**
 * Lawful variations of this server, one at a time: what a conformance suite must not hold against it.
 * `varied.ts` runs the server with one of them.
 */

import { accessOddities } from './oddities/access.ts'
import { answeringOddities } from './oddities/answering.ts'
import { askingOddities } from './oddities/asking.ts'
import type { Oddity } from './oddities/oddity.ts'
import { providerOddities } from './oddities/provider.ts'
import { roundOddities } from './oddities/rounds.ts'
import { transportOddities } from './oddities/transport.ts'

export type { Oddity } from './oddities/oddity.ts'

export const oddities: readonly Oddity[] = [
  ...askingOddities,
  ...answeringOddities,
  ...transportOddities,
  ...roundOddities,
  ...accessOddities,
  ...providerOddities,
]

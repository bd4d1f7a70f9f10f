/** Lawful variations of this server, one at a time: what a conformance suite must not hold against it. */

import { askingOddities } from './oddities/asking.ts'
import { transportOddities } from './oddities/transport.ts'
import type { Oddity } from './variation.ts'

export const oddities: readonly Oddity[] = [...askingOddities, ...transportOddities]

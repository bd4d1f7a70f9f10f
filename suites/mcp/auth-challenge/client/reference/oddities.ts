/** Lawful variations of this client, one at a time: no verdict may change. `varied.ts` runs the client with one of them. */

import { flowOddities } from './oddities/flow.ts'
import { hostOddities } from './oddities/host.ts'
import type { Oddity } from './oddities/oddity.ts'

export type { Oddity } from './oddities/oddity.ts'

export const oddities: readonly Oddity[] = [...hostOddities, ...flowOddities]

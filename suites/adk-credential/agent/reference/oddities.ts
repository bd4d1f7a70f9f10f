/** Lawful variations of this agent: no verdict may change. `varied.ts` runs the agent with one of them. */

import { apiOddities } from './oddities/api.ts'
import { askingOddities } from './oddities/asking.ts'
import type { Oddity } from './oddities/oddity.ts'

export const oddities: readonly Oddity[] = [...apiOddities, ...askingOddities]
